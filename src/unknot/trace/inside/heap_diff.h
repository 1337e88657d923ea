/* What differs between two looks.

   The nodes of the two are paired along equal roads from equal roots. An object that is still the same one (by its
   address) is compared entry by entry. Where another object stands, the slot was written, if the content below it
   differs; an equal one of the same shape is no change. So an address that is used again can at worst make a change
   appear one step deeper, but neither hide nor invent one. */

#ifndef UNKNOT_HEAP_DIFF_H
#define UNKNOT_HEAP_DIFF_H

#include "heap_shown.h"

#define MOST_OF_ONE_CHANGED 200

typedef struct {
    uint32_t now, before;
} Pair;

typedef struct {
    Heap *heap;
    Look *now, *before;
    uint32_t *partner; /* of each node now */
    Pair *queue;
    uint32_t queue_count, queue_room;
    uint64_t *equal; /* pairs found to be of equal content; open addressing */
    uint32_t equal_count, equal_room;
    uint64_t *trail; /* pairs assumed equal in the trial at work */
    uint32_t trail_count, trail_room;
    uint64_t *reported; /* node << 32 | entry */
    uint32_t reported_count, reported_room;
    int64_t trials_left;
    uint32_t *index; /* of the entries before, by key */
    uint32_t index_room;
    Digest digest_now, digest_before;
    PyObject *changes;
} Diff;

static PyTypeObject *change_type;

static uint64_t
hash_of_key(const Look *look, uint64_t key)
{
    if (key_is_object(key)) {
        /* Exact builtins: nobody's `__hash__`. */
        return mixed((uint64_t)PyObject_Hash(key_object(key)) ^ (key & KEY_TAG) << 60);
    }
    if ((key & KEY_TAG) == SINGLE_KEY) {
        return mixed(look->singles[number_of_key(key)].identity);
    }
    return mixed(key);
}

static bool
equal_keys(const Look *now, uint64_t one, const Look *before, uint64_t other)
{
    if ((one & KEY_TAG) != (other & KEY_TAG)) {
        return false;
    }
    if ((one & KEY_TAG) == SINGLE_KEY) {
        return now->singles[number_of_key(one)].identity == before->singles[number_of_key(other)].identity &&
               how_of_key(one) == how_of_key(other);
    }
    if (one == other) {
        return true;
    }
    if (!key_is_object(one)) {
        return false;
    }
    PyObject *a = key_object(one), *b = key_object(other);
    if (Py_TYPE(a) != Py_TYPE(b)) {
        return false;
    }
    return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
}

/* Calls of `match` in turn give each entry now with the one before that has its key. */
typedef struct {
    uint32_t now, now_begin, now_end;
    uint32_t before_begin, before_end;
    uint32_t mask; /* of the index; 0 as long as there is none */
} Matching;

static Matching
begin_matching(Diff *diff, uint32_t now, uint32_t before)
{
    Matching matching = {diff->now->first[now], diff->now->first[now], entries_end(diff->now, now),
                         diff->before->first[before], entries_end(diff->before, before), 0};
    return matching;
}

static bool
index_before(Diff *diff, Matching *matching)
{
    uint32_t count = matching->before_end - matching->before_begin;
    uint32_t room = 16;
    while (room < count * 2) {
        room *= 2;
    }
    if (room > diff->index_room) {
        PyMem_Free(diff->index);
        diff->index = PyMem_Malloc((size_t)room * sizeof *diff->index);
        diff->index_room = diff->index == NULL ? 0 : room;
    }
    if (diff->index == NULL) {
        return false;
    }
    matching->mask = room - 1;
    memset(diff->index, 0xff, (size_t)room * sizeof *diff->index);
    for (uint32_t i = matching->before_begin; i < matching->before_end; i++) {
        uint32_t slot = (uint32_t)hash_of_key(diff->before, diff->before->entries[i].key) & matching->mask;
        while (diff->index[slot] != NO_NODE) {
            slot = (slot + 1) & matching->mask;
        }
        diff->index[slot] = i;
    }
    return true;
}

/* NO_NODE if there is none. */
static uint32_t
entry_before(Diff *diff, Matching *matching, uint32_t now)
{
    uint64_t key = diff->now->entries[now].key;
    uint32_t same_place = matching->before_begin + (now - matching->now_begin);
    if (same_place < matching->before_end &&
        equal_keys(diff->now, key, diff->before, diff->before->entries[same_place].key)) {
        return same_place;
    }
    if (matching->mask == 0 && !index_before(diff, matching)) {
        return NO_NODE;
    }
    uint32_t slot = (uint32_t)hash_of_key(diff->now, key) & matching->mask;
    while (diff->index[slot] != NO_NODE) {
        if (equal_keys(diff->now, key, diff->before, diff->before->entries[diff->index[slot]].key)) {
            return diff->index[slot];
        }
        slot = (slot + 1) & matching->mask;
    }
    return NO_NODE;
}

static bool
set_has(const uint64_t *set, uint32_t room, uint64_t number)
{
    for (uint32_t slot = (uint32_t)mixed(number) & (room - 1); room > 0 && set[slot] != 0; slot = (slot + 1) & (room - 1)) {
        if (set[slot] == number) {
            return true;
        }
    }
    return false;
}

/* Numbers are not 0. False if it was there already, or without memory. */
static bool
set_add(uint64_t **set, uint32_t *count, uint32_t *room, uint64_t number)
{
    if (set_has(*set, *room, number)) {
        return false;
    }
    if (*count * 2 >= *room) {
        uint32_t bigger = *room ? *room * 2 : 256;
        uint64_t *moved = PyMem_Calloc(bigger, sizeof *moved);
        if (moved == NULL) {
            return false;
        }
        for (uint32_t i = 0; i < *room; i++) {
            if ((*set)[i] != 0) {
                uint32_t slot = (uint32_t)mixed((*set)[i]) & (bigger - 1);
                while (moved[slot] != 0) {
                    slot = (slot + 1) & (bigger - 1);
                }
                moved[slot] = (*set)[i];
            }
        }
        PyMem_Free(*set);
        *set = moved;
        *room = bigger;
    }
    uint32_t slot = (uint32_t)mixed(number) & (*room - 1);
    while ((*set)[slot] != 0) {
        slot = (slot + 1) & (*room - 1);
    }
    (*set)[slot] = number;
    (*count)++;
    return true;
}

static inline uint64_t
pair_number(uint32_t now, uint32_t before)
{
    return ((uint64_t)(now + 1) << 32) | (before + 1);
}

static bool
counts_by_identity(Diff *diff, uint32_t now)
{
    Kind kind = (Kind)info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[now]))->kind;
    return kind == FUNCTION || kind == CLASS || kind == MODULE;
}

typedef enum { SAME, DIFFERENT, BOTH_NODES } Verdict;

static Verdict
compare_values(Diff *diff, uint64_t now, uint64_t before)
{
    if ((now & VALUE_TAG) != (before & VALUE_TAG)) {
        return DIFFERENT;
    }
    switch (now & VALUE_TAG) {
    case CHILD: {
        uint32_t a = number_of_value(now), b = number_of_value(before);
        if (diff->now->type[a] != diff->before->type[b]) {
            return DIFFERENT;
        }
        return BOTH_NODES;
    }
    case SINGLE_VALUE:
        return diff->now->singles[number_of_value(now)].identity ==
                       diff->before->singles[number_of_value(before)].identity
                   ? SAME
                   : DIFFERENT;
    default:
        return now == before ? SAME : DIFFERENT;
    }
}

static bool
was_looked_into(Diff *diff, uint32_t now, uint32_t before)
{
    return now < diff->now->expanded && before < diff->before->expanded;
}

/* Whether all below the two nodes is equal. Assumes so of pairs it is in the midst of; takes that back if it was wrong.
   Gives up, and says no, when it has compared as much as the looks hold. */
static bool
is_equal_below(Diff *diff, uint32_t now, uint32_t before)
{
    if (counts_by_identity(diff, now)) {
        return diff->now->address[now] == diff->before->address[before];
    }
    if (set_has(diff->equal, diff->equal_room, pair_number(now, before))) {
        return true;
    }
    uint64_t *pending = NULL;
    uint32_t pending_count = 0, pending_room = 0;
    bool equal = true;
    diff->trail_count = 0;
    pending_count = WITH_ROOM(diff->heap, pending, pending_count, pending_room, 1) ? 1 : 0;
    if (pending_count == 0) {
        return false;
    }
    pending[0] = (uint64_t)now << 32 | before;
    while (equal && pending_count > 0) {
        uint64_t pair = pending[--pending_count];
        uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
        if (!was_looked_into(diff, a, b)) {
            continue;
        }
        Matching matching = begin_matching(diff, a, b);
        uint32_t count = matching.now_end - matching.now_begin;
        equal = count == matching.before_end - matching.before_begin && (diff->trials_left -= count + 1) > 0;
        for (uint32_t i = matching.now_begin; equal && i < matching.now_end; i++) {
            uint32_t j = entry_before(diff, &matching, i);
            if (j == NO_NODE) {
                equal = false;
                break;
            }
            uint64_t value = diff->now->entries[i].value, old = diff->before->entries[j].value;
            Verdict verdict = compare_values(diff, value, old);
            if (verdict != BOTH_NODES) {
                equal = verdict == SAME;
                continue;
            }
            uint32_t c = number_of_value(value), d = number_of_value(old);
            if (counts_by_identity(diff, c)) {
                equal = diff->now->address[c] == diff->before->address[d];
            }
            else if (diff->partner[c] != d &&
                     set_add(&diff->equal, &diff->equal_count, &diff->equal_room, pair_number(c, d))) {
                equal = WITH_ROOM(diff->heap, diff->trail, diff->trail_count, diff->trail_room, 1) &&
                        WITH_ROOM(diff->heap, pending, pending_count, pending_room, 1);
                if (equal) {
                    diff->trail[diff->trail_count++] = pair_number(c, d);
                    pending[pending_count++] = (uint64_t)c << 32 | d;
                }
            }
        }
    }
    if (!equal && diff->trail_count > 0) {
        /* Open addressing has no removal; the set is small and made anew from what is sure. */
        PyMem_Free(diff->equal);
        diff->equal = NULL;
        diff->equal_count = diff->equal_room = 0;
    }
    PyMem_Free(pending);
    return equal;
}

/* Where two looks differ: a node and an entry of it, now or before or both; neither: the node as a whole. */
typedef struct {
    uint32_t node, node_before;
    uint32_t entry, entry_before;
} Difference;

static PyObject *
text_of_gone_key(Heap *heap, const Look *look, uint64_t key)
{
    /* The key was an object and may be dead; its type's name is known. */
    PyObject *hash = PyLong_FromUnsignedLongLong(look->singles[number_of_key(key)].content);
    PyObject *name = hash == NULL ? NULL : PyDict_GetItemWithError(heap->type_names, hash);
    PyObject *brief = name == NULL ? PyUnicode_FromString("other") : short_type_name(name);
    PyObject *text = brief == NULL ? NULL : PyUnicode_FromFormat("[<%U object>]", brief);
    Py_XDECREF(hash);
    Py_XDECREF(brief);
    return text;
}

/* The last piece of the name and the last step, for a change of a thing as a whole. */
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

typedef struct {
    PyObject *name, *road;       /* new references */
    PyObject *container, *key;   /* borrowed */
    PyObject *there;             /* what stands there now; NULL if nothing */
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
        place->there = found.value;
        if (found.how == BY_KEY || found.how == BY_ATTRIBUTE) {
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
            place->key = how == BY_KEY || how == BY_ATTRIBUTE ? key_object(key) : Py_None;
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
    bool ok = text != NULL && step != NULL && name_node(heap, diff->now, where.node, &place->name, &place->road);
    if (ok) {
        PyUnicode_Append(&place->name, text);
        PyObject *last = step == Py_None ? PyTuple_New(0) : PyTuple_Pack(1, step);
        Py_SETREF(place->road, last == NULL ? NULL : PySequence_Concat(place->road, last));
        Py_XDECREF(last);
    }
    Py_XDECREF(text);
    Py_XDECREF(step);
    return ok && place->name != NULL && place->road != NULL;
}

static bool
can_be_watched(const TypeInfo *info)
{
    Kind kind = (Kind)info->kind;
    return kind == DICT || kind == LIST || kind == SET || kind == DEQUE || kind == INSTANCE || kind == CLASS ||
           kind == MODULE;
}

/* The nearest slot up the road that can be watched for reads; None and None if there is none. Borrowed. */
static void
find_holder(Diff *diff, uint32_t node, const Place *place, PyObject **holder, PyObject **key)
{
    Heap *heap = diff->heap;
    *holder = place->container;
    *key = place->key;
    while (!can_be_watched(info_of_type(heap, Py_TYPE(*holder)))) {
        if (heap->parent[node] == NO_NODE) {
            *holder = *key = Py_None;
            return;
        }
        EntryFinder found = entry_to(heap, diff->now, node);
        node = heap->parent[node];
        *holder = (PyObject *)diff->now->address[node];
        *key = (found.how == BY_KEY || found.how == BY_ATTRIBUTE) && found.key != NULL ? found.key : Py_None;
    }
}

/* The values are those of the entry, or the thing itself; NULL: nothing stands or stood there. */
static bool
add_change(Diff *diff, Difference where, const uint64_t *now, const uint64_t *before)
{
    Place place;
    PyObject *holder, *holder_key;
    if (!find_place(diff, where, &place)) {
        Py_XDECREF(place.name);
        Py_XDECREF(place.road);
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
        Py_NewRef(diff->now->root_names[root_of(diff->heap, where.node)]),
        place.road,
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
report_whole(Diff *diff, uint32_t node, uint32_t before)
{
    if (!is_first_report(diff, node, NO_NODE - 1)) {
        return true;
    }
    Difference where = {node, before, NO_NODE, NO_NODE};
    uint64_t value = (uint64_t)node << 2 | CHILD, value_before = (uint64_t)before << 2 | CHILD;
    Kind kind = (Kind)info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[node]))->kind;
    if (kind != CELL && kind != CONTEXT_VARIABLE) {
        return add_change(diff, where, &value, before == NO_NODE ? NULL : &value_before);
    }
    /* A cell or context variable is the place where its content stands. */
    const uint64_t *now_held = NULL, *held_before = NULL;
    if (diff->now->first[node] < entries_end(diff->now, node)) {
        now_held = &diff->now->entries[diff->now->first[node]].value;
    }
    if (before != NO_NODE && diff->before->first[before] < entries_end(diff->before, before)) {
        held_before = &diff->before->entries[diff->before->first[before]].value;
    }
    return add_change(diff, where, now_held, held_before);
}

/* Whether the entry is a location of its own: an attribute, or a key of a dictionary. */
static bool
is_own_location(Diff *diff, const TypeInfo *info, Difference where)
{
    if (is_one_location((Kind)info->kind)) {
        return false;
    }
    uint64_t key = where.entry != NO_NODE ? diff->now->entries[where.entry].key
                                          : diff->before->entries[where.entry_before].key;
    How how = how_of_key(key);
    return how == BY_ATTRIBUTE || how == BY_KEY || how == BY_DEFAULT || how == BY_KWDEFAULT || how == BY_CELL;
}

/* Says that an entry differs, in the way that suits the thing it belongs to. */
static bool
report(Diff *diff, Difference where)
{
    Heap *heap = diff->heap;
    TypeInfo info = *info_of_type(heap, Py_TYPE((PyObject *)diff->now->address[where.node]));
    while (is_passed_through(&info) && heap->parent[where.node] != NO_NODE) {
        /* Of an immutable thing the change is one of the slot that holds it. */
        uint32_t parent = heap->parent[where.node];
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
    return (now != NULL && !is_first_report(diff, where.node, where.entry)) || add_change(diff, where, now, before);
}

static bool
pair_up(Diff *diff, uint32_t now, uint32_t before)
{
    diff->partner[now] = before;
    if (!WITH_ROOM(diff->heap, diff->queue, diff->queue_count, diff->queue_room, 1)) {
        return false;
    }
    diff->queue[diff->queue_count++] = (Pair){now, before};
    return true;
}

static bool
differs(Diff *diff, uint64_t now, uint64_t before)
{
    Verdict verdict = compare_values(diff, now, before);
    if (verdict != BOTH_NODES) {
        return verdict == DIFFERENT;
    }
    uint32_t a = number_of_value(now), b = number_of_value(before);
    if (diff->partner[a] == b) {
        return false;
    }
    if (diff->partner[a] == NO_NODE &&
        (diff->now->address[a] == diff->before->address[b] ||
         is_passed_through(info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[a]))))) {
        pair_up(diff, a, b);
        return false;
    }
    return !is_equal_below(diff, a, b);
}

/* Entry by entry, if the keys stand in the same order, as they nearly always do. */
static bool
is_aligned(Diff *diff, const Matching *matching)
{
    uint32_t count = matching->now_end - matching->now_begin;
    if (count != matching->before_end - matching->before_begin) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = diff->now->entries[matching->now_begin + i].key;
        uint64_t key_before = diff->before->entries[matching->before_begin + i].key;
        if ((key != key_before || (key & KEY_TAG) == SINGLE_KEY) &&
            !equal_keys(diff->now, key, diff->before, key_before)) {
            return false;
        }
    }
    return true;
}

/* Reports up to a limit; beyond it the thing has changed as a whole. */
static bool
report_one_of_many(Diff *diff, Difference where, uint32_t *said)
{
    if (++*said > MOST_OF_ONE_CHANGED) {
        return report_whole(diff, where.node, where.node_before);
    }
    return report(diff, where);
}

static bool
compare_aligned(Diff *diff, Pair pair, const Matching *matching)
{
    bool ok = true;
    uint32_t said = 0;
    for (uint32_t i = matching->now_begin; ok && i < matching->now_end && said <= MOST_OF_ONE_CHANGED; i++) {
        uint32_t j = matching->before_begin + (i - matching->now_begin);
        if (differs(diff, diff->now->entries[i].value, diff->before->entries[j].value)) {
            ok = report_one_of_many(diff, (Difference){pair.now, pair.before, i, j}, &said);
        }
    }
    return ok;
}

static bool
compare_pair(Diff *diff, Pair pair)
{
    if (!was_looked_into(diff, pair.now, pair.before)) {
        return true;
    }
    Matching matching = begin_matching(diff, pair.now, pair.before);
    if (is_aligned(diff, &matching)) {
        return compare_aligned(diff, pair, &matching);
    }
    /* First who matches whom: what follows uses the same scratch. */
    uint32_t count = matching.now_end - matching.now_begin, count_before = matching.before_end - matching.before_begin;
    uint32_t *match = PyMem_Malloc((count + 1) * sizeof *match);
    bool *is_matched = PyMem_Calloc(count_before + 1, sizeof *is_matched);
    bool ok = match != NULL && is_matched != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        match[i] = entry_before(diff, &matching, matching.now_begin + i);
        if (match[i] != NO_NODE) {
            is_matched[match[i] - matching.before_begin] = true;
        }
    }
    uint32_t said = 0;
    for (uint32_t i = 0; ok && i < count && said <= MOST_OF_ONE_CHANGED; i++) {
        uint32_t now = matching.now_begin + i;
        if (match[i] == NO_NODE || differs(diff, diff->now->entries[now].value, diff->before->entries[match[i]].value)) {
            ok = report_one_of_many(diff, (Difference){pair.now, pair.before, now, match[i]}, &said);
        }
    }
    for (uint32_t i = 0; ok && i < count_before && said <= MOST_OF_ONE_CHANGED; i++) {
        if (!is_matched[i]) {
            Difference where = {pair.now, pair.before, NO_NODE, matching.before_begin + i};
            ok = report_one_of_many(diff, where, &said);
        }
    }
    PyMem_Free(match);
    PyMem_Free(is_matched);
    return ok;
}

static bool
is_all_equal(const Look *now, const Look *before)
{
    return now->nodes == before->nodes && now->count == before->count && now->single_count == before->single_count &&
           now->roots == before->roots && now->expanded == before->expanded &&
           memcmp(now->entries, before->entries, now->count * sizeof(Entry)) == 0 &&
           memcmp(now->first, before->first, now->nodes * sizeof(uint32_t)) == 0 &&
           memcmp(now->type, before->type, now->nodes * sizeof(uint32_t)) == 0 &&
           memcmp(now->address, before->address, now->nodes * sizeof(uint64_t)) == 0 &&
           memcmp(now->singles, before->singles, now->single_count * sizeof(Single)) == 0;
}

static bool
pair_roots(Diff *diff)
{
    uint32_t hint = 0;
    for (uint32_t i = 0; i < diff->now->roots; i++) {
        for (uint32_t k = 0; k < diff->before->roots; k++) {
            uint32_t j = (hint + k) % diff->before->roots;
            if (PyUnicode_Compare(diff->now->root_names[i], diff->before->root_names[j]) == 0) {
                if (diff->now->type[i] == diff->before->type[j] && !pair_up(diff, i, j)) {
                    return false;
                }
                hint = j + 1;
                break;
            }
        }
    }
    return true;
}

/* Appends to `changes`. False with an exception without memory. */
static bool
find_changes(Heap *heap, Look *now, Look *before, PyObject *changes)
{
    if (is_all_equal(now, before)) {
        return true;
    }
    Diff diff = {.heap = heap, .now = now, .before = before, .changes = changes};
    diff.trials_left = (int64_t)now->count * 4 + 100000;
    diff.partner = PyMem_Malloc((now->nodes + 1) * sizeof *diff.partner);
    bool ok = begin_digest(&diff.digest_now, heap, now) && begin_digest(&diff.digest_before, heap, before) &&
              diff.partner != NULL;
    if (ok) {
        memset(diff.partner, 0xff, now->nodes * sizeof *diff.partner);
        ok = pair_roots(&diff);
    }
    for (uint32_t i = 0; ok && i < diff.queue_count; i++) {
        ok = compare_pair(&diff, diff.queue[i]);
    }
    end_digest(&diff.digest_now);
    end_digest(&diff.digest_before);
    PyMem_Free(diff.partner);
    PyMem_Free(diff.queue);
    PyMem_Free(diff.equal);
    PyMem_Free(diff.trail);
    PyMem_Free(diff.reported);
    PyMem_Free(diff.index);
    if (!ok && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return ok;
}

#endif
