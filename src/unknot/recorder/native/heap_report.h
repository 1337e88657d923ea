/* Turns a difference between two snapshots into a Change: its place, its name, its content. */

#ifndef UNKNOT_HEAP_REPORT_H
#define UNKNOT_HEAP_REPORT_H

#include "heap_equal.h"
#include "heap_shown.h"

#define AS_WHOLE (NO_NODE - 1) /* in place of an entry */

static PyTypeObject *change_type;

/* Where two snapshots differ: a node and an entry of it, now or before or both; neither: the node as a whole. */
typedef struct {
    uint32_t node, node_before;
    uint32_t entry, entry_before;
} Difference;

static PyObject *
text_of_gone_key(Heap *heap, const Snapshot *snapshot, uint64_t key)
{
    /* The key was an object and may be dead; the name of its type is known. */
    PyObject *hash = PyLong_FromUnsignedLongLong(snapshot->singles[number_of_key(key)].content);
    PyObject *name = hash == NULL ? NULL : PyDict_GetItemWithError(heap->type_names, hash);
    PyObject *brief = name == NULL ? PyUnicode_FromString("other") : short_type_name(name);
    PyObject *text = brief == NULL ? NULL : PyUnicode_FromFormat("[<%U object>]", brief);
    Py_XDECREF(hash);
    Py_XDECREF(brief);
    return text;
}

/* The last piece of the name and the last step, for a change of an object as a whole. */
static bool
name_whole(const TypeInfo *info, PyObject **text, PyObject **step)
{
    if (info->kind == CACHE) {
        *text = PyUnicode_FromString(".<cache>");
        *step = Py_BuildValue("(sO)", "cache", Py_None);
    }
    else if (info->content == RANDOM || info->kind == GENERATOR || info->kind == ITERATOR) {
        *text = PyUnicode_FromString(info->content == RANDOM ? ".<state>" : ".<position>");
        *step = Py_BuildValue("(sO)", "position", Py_None);
    }
    else if (info->kind == CONTEXT_VARIABLE) {
        *text = PyUnicode_FromString(".<value>");
        *step = Py_BuildValue("(sO)", "item", known.value);
    }
    else {
        *text = PyUnicode_FromString("");
        *step = Py_NewRef(Py_None);
    }
    return *text != NULL && *step != NULL;
}

/* Whether the entries under such keys are watched one by one. */
static bool
is_key_of_location(How how, PyObject *key)
{
    return how == BY_KEY || how == BY_ATTRIBUTE || (how == BY_MEMBER && is_simple_key(key, 0));
}

typedef struct {
    PyObject *name, *path;       /* new references */
    PyObject *container, *key;   /* borrowed */
    PyObject *there;             /* the current content; NULL if there is none */
} Place;

static bool
find_place(Diff *diff, Difference where, Place *place)
{
    Heap *heap = diff->heap;
    PyObject *container = (PyObject *)diff->now->address[where.node];
    TypeInfo info = *info_of_type(heap, Py_TYPE(container));
    PyObject *text = NULL, *step = NULL;
    *place = (Place){NULL, NULL, container, Py_None, container};
    if (where.entry != NO_NODE) {
        EntryFinder found = find_entry(heap, container, where.entry - diff->now->first[where.node]);
        text = text_of_entry(heap, diff->now, where.node, found.how, found.key, found.number);
        step = step_of(container, found.how, found.key, found.number);
        place->there = found.how == BY_MEMBER ? Py_True : found.value;
        if (is_key_of_location(found.how, found.key)) {
            place->key = found.key;
        }
    }
    else if (where.entry_before != NO_NODE) {
        uint64_t key = diff->before->entries[where.entry_before].key;
        How how = how_of_key(key);
        place->there = NULL;
        if (key_is_object(key)) {
            text = text_of_entry(heap, diff->now, where.node, how, key_object(key), 0);
            step = step_of(container, how, key_object(key), 0);
            place->key = is_key_of_location(how, key_object(key)) ? key_object(key) : Py_None;
        }
        else if ((key & KEY_TAG) == SINGLE_KEY) {
            text = text_of_gone_key(heap, diff->before, key);
            step = Py_NewRef(Py_None);
        }
        else {
            text = text_of_entry(heap, diff->now, where.node, how, Py_None, number_of_key(key));
            step = step_of(container, how, Py_None, number_of_key(key));
        }
    }
    else {
        name_whole(&info, &text, &step);
    }
    bool ok = text != NULL && step != NULL && name_node(heap, diff->now, where.node, &place->name, &place->path);
    if (ok) {
        PyUnicode_Append(&place->name, text);
        PyObject *last = step == Py_None ? PyTuple_New(0) : PyTuple_Pack(1, step);
        Py_SETREF(place->path, last == NULL ? NULL : PySequence_Concat(place->path, last));
        Py_XDECREF(last);
    }
    Py_XDECREF(text);
    Py_XDECREF(step);
    return ok && place->name != NULL && place->path != NULL;
}

static bool
can_be_watched(const TypeInfo *info)
{
    Kind kind = (Kind)info->kind;
    return kind == DICT || kind == LIST || kind == SET || kind == DEQUE || kind == INSTANCE || kind == CLASS ||
           kind == MODULE;
}

/* The nearest slot up the path that can be watched for reads; None and None if there is none. Borrowed. */
static void
find_holder(Diff *diff, uint32_t node, const Place *place, PyObject **holder, PyObject **key)
{
    Heap *heap = diff->heap;
    *holder = place->container;
    *key = place->key;
    while (!can_be_watched(info_of_type(heap, Py_TYPE(*holder)))) {
        if (diff->now->parent[node] == NO_NODE) {
            *holder = *key = Py_None;
            return;
        }
        EntryFinder found = entry_to(heap, diff->now, node);
        node = diff->now->parent[node];
        *holder = (PyObject *)diff->now->address[node];
        *key = (found.how == BY_KEY || found.how == BY_ATTRIBUTE) && found.key != NULL ? found.key : Py_None;
    }
}

/* The values are those of the entry, or the object itself; NULL: there is or was none. */
static bool
add_change(Diff *diff, Difference where, const uint64_t *now, const uint64_t *before)
{
    Place place;
    PyObject *holder, *holder_key;
    if (!find_place(diff, where, &place)) {
        Py_XDECREF(place.name);
        Py_XDECREF(place.path);
        return false;
    }
    find_holder(diff, where.node, &place, &holder, &holder_key);
    bool is_whole = where.entry == NO_NODE && where.entry_before == NO_NODE;
    const char *how = is_whole || (now != NULL && before != NULL) ? "changed" : now != NULL ? "added" : "removed";
    PyObject *fields[] = {
        Py_NewRef(place.container),
        Py_NewRef(place.key),
        Py_NewRef(holder),
        Py_NewRef(holder_key),
        place.name,
        Py_NewRef(diff->now->root_names[root_of(diff->now, where.node)]),
        place.path,
        PyUnicode_FromString(how),
        now == NULL || place.there == NULL ? PyUnicode_FromString("") : shown_text(diff->heap, place.there),
        PyLong_FromUnsignedLongLong(now == NULL ? 0 : digest_of(&diff->digest_now, *now)),
        PyLong_FromUnsignedLongLong(before == NULL ? 0 : digest_of(&diff->digest_before, *before)),
    };
    PyObject *change = PyStructSequence_New(change_type);
    bool ok = change != NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        ok = ok && fields[i] != NULL;
        if (change != NULL) {
            PyStructSequence_SetItem(change, (Py_ssize_t)i, fields[i]);
        }
        else {
            Py_XDECREF(fields[i]);
        }
    }
    ok = ok && PyList_Append(diff->changes, change) == 0;
    Py_XDECREF(change);
    return ok;
}

static bool
is_first_report(Diff *diff, uint32_t node, uint32_t entry)
{
    return set_add(&diff->reported, &diff->reported_count, &diff->reported_room, pair_number(node, entry));
}

static bool
is_stepped(Diff *diff, uint32_t node)
{
    Kind kind = (Kind)info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[node]))->kind;
    return kind == ITERATOR || kind == GENERATOR;
}

static bool
report_whole(Diff *diff, uint32_t node, uint32_t before)
{
    while (is_stepped(diff, node) && diff->now->parent[node] != NO_NODE &&
           is_stepped(diff, diff->now->parent[node])) {
        /* The source of an iterator changes with it. */
        node = diff->now->parent[node];
        before = diff->partner[node];
    }
    if (!is_first_report(diff, node, AS_WHOLE)) {
        return true;
    }
    Difference where = {node, before, NO_NODE, NO_NODE};
    uint64_t value = (uint64_t)node << 2 | CHILD, value_before = (uint64_t)before << 2 | CHILD;
    Kind kind = (Kind)info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[node]))->kind;
    if (kind != CELL && kind != CONTEXT_VARIABLE) {
        return add_change(diff, where, &value, before == NO_NODE ? NULL : &value_before);
    }
    /* A cell or context variable is the location of its content. */
    const uint64_t *now_held = NULL, *held_before = NULL;
    if (diff->now->first[node] < entries_end(diff->now, node)) {
        now_held = &diff->now->entries[diff->now->first[node]].value;
    }
    if (before != NO_NODE && diff->before->first[before] < entries_end(diff->before, before)) {
        held_before = &diff->before->entries[diff->before->first[before]].value;
    }
    return add_change(diff, where, now_held, held_before);
}

static uint64_t
key_of(Diff *diff, Difference where)
{
    return where.entry != NO_NODE ? diff->now->entries[where.entry].key
                                  : diff->before->entries[where.entry_before].key;
}

static bool
is_too_long(Diff *diff, const Snapshot *snapshot, uint32_t node)
{
    return entries_end(snapshot, node) - snapshot->first[node] > (uint32_t)diff->heap->most_of_one;
}

/* Whether the entry is a location of its own: an attribute, a key of a dictionary, or a simple member of a set. */
static bool
is_own_location(Diff *diff, const TypeInfo *info, Difference where)
{
    uint64_t key = key_of(diff, where);
    if (info->kind == SET) {
        /* Of a set too long to be compared in full, other members come into view whenever it changes. */
        return (key & KEY_TAG) == MEMBER_OBJECT && !is_too_long(diff, diff->now, where.node) &&
               !is_too_long(diff, diff->before, where.node_before);
    }
    if (is_one_location((Kind)info->kind)) {
        return false;
    }
    How how = how_of_key(key);
    return how == BY_ATTRIBUTE || how == BY_KEY || how == BY_DEFAULT || how == BY_KWDEFAULT || how == BY_CELL;
}

/* Reports that an entry differs, in the way that suits the object it belongs to. */
static bool
report(Diff *diff, Difference where)
{
    Heap *heap = diff->heap;
    TypeInfo info = *info_of_type(heap, Py_TYPE((PyObject *)diff->now->address[where.node]));
    while (is_passed_through(&info) && diff->now->parent[where.node] != NO_NODE) {
        /* A change of an immutable object is a change of the slot that holds it. */
        uint32_t parent = diff->now->parent[where.node];
        uint64_t held = (uint64_t)where.node << 2 | CHILD, held_before = (uint64_t)where.node_before << 2 | CHILD;
        uint32_t index = diff->now->first[parent];
        while (index < entries_end(diff->now, parent) && diff->now->entries[index].value != held) {
            index++;
        }
        where = (Difference){parent, diff->partner[parent], index, NO_NODE};
        info = *info_of_type(heap, Py_TYPE((PyObject *)diff->now->address[parent]));
        if (!is_passed_through(&info) && is_own_location(diff, &info, where)) {
            return !is_first_report(diff, parent, index) || add_change(diff, where, &held, &held_before);
        }
    }
    if (!is_own_location(diff, &info, where)) {
        return report_whole(diff, where.node, where.node_before);
    }
    const uint64_t *now = where.entry == NO_NODE ? NULL : &diff->now->entries[where.entry].value;
    const uint64_t *before = where.entry_before == NO_NODE ? NULL : &diff->before->entries[where.entry_before].value;
    uint64_t key = key_of(diff, where), member;
    if ((key & KEY_TAG) == MEMBER_OBJECT && is_atom(heap, key_object(key), 0, &member)) {
        /* Snapshots keep the members of sets as keys only. */
        member &= ~VALUE_TAG;
        now = now == NULL ? NULL : &member;
        before = before == NULL ? NULL : &member;
    }
    return (now != NULL && !is_first_report(diff, where.node, where.entry)) || add_change(diff, where, now, before);
}

#endif
