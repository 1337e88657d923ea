/* Updates the last snapshot in place, where little has changed.

   Goes through its nodes in order, parents before children, and compares each with the current content of its object.
   That is fast: a dictionary has a number that changes whenever its entries do; everything else is compared entry by
   entry, without any table. A node that differs is expanded again behind all others, and new objects below it are
   walked.

   An object is touched only after the node that holds it was found to hold it still, in this snapshot: the memory of a
   dead object is never read. An object that is no longer held by the node through which it was first reached is gone,
   with everything first reached through it. If any remaining node still refers to it, then it is not gone but has
   another path now, or another object has its address. In this case, and in some other rare ones, the last snapshot is
   restored and everything is walked from scratch. */

#ifndef UNKNOT_HEAP_UPDATE_H
#define UNKNOT_HEAP_UPDATE_H

#include "heap_diff.h"

#define MOST_UNUSED 4096
#define AHEAD 12 /* nodes whose objects are prefetched */

typedef enum { NOTHING_DIFFERS, UPDATED, TO_BE_WALKED } Outcome;

/* What is needed to restore the snapshot, and to compare. */
typedef struct {
    Heap *heap;
    Snapshot *snapshot;
    uint32_t nodes, count, singles; /* before */
    uint32_t *first, *last;         /* before; NULL while no node differs */
    uint64_t *root_addresses;       /* before; NULL while they are the same */
    uint32_t *dirty;
    uint32_t dirty_count, dirty_room;
    bool is_any_gone;
} Update;

/* Compares what an object consists of with the entries of its node. */
typedef struct {
    Walk walk;
    uint32_t entry, end;
    bool is_same;
    bool has_same_stamp; /* a function's, which represents its identity */
} Check;

static bool
is_same_key(const Check *check, uint64_t recorded, How how, PyObject *key, uint64_t number)
{
    const Snapshot *snapshot = check->walk.snapshot;
    switch (how) {
    case BY_KEY:
    case BY_ATTRIBUTE:
    case BY_KWDEFAULT:
    case BY_CACHE:
    case BY_MEMBER:
        if (how_of_key(recorded) != how) {
            return false;
        }
        if ((recorded & KEY_TAG) == SINGLE_KEY) {
            return !is_simple_key(key, 0) && snapshot->singles[number_of_key(recorded)].identity ==
                                                 single_of(check->walk.sink.heap, key, 0).identity;
        }
        return key_is_object(recorded) &&
               (key_object(recorded) == key ||
                (Py_TYPE(key_object(recorded)) == Py_TYPE(key) && is_simple_key(key, 0) &&
                 PyObject_RichCompareBool(key_object(recorded), key, Py_EQ) == 1));
    case BY_PART:
        return recorded == ((hash_of_string(key) << 8 | how) << 3 | ORDINAL);
    default:
        return recorded == ((number << 8 | how) << 3 | ORDINAL);
    }
}

static bool
is_same_value(const Check *check, uint64_t recorded, PyObject *value)
{
    Heap *heap = check->walk.sink.heap;
    const Snapshot *snapshot = check->walk.snapshot;
    uint64_t content;
    switch (recorded & VALUE_TAG) {
    case CHILD:
        return snapshot->address[number_of_value(recorded)] == (uint64_t)value;
    case SINGLE_VALUE:
        return !is_atom(heap, value, 0, &content) &&
               snapshot->singles[number_of_value(recorded)].identity == single_of(heap, value, 0).identity;
    default:
        return is_atom(heap, value, 0, &content) && (content & ~VALUE_TAG) == recorded;
    }
}

static bool
take_for_check(Sink *sink, How how, PyObject *key, uint64_t number, PyObject *value, uint64_t content)
{
    Check *check = (Check *)sink;
    const Snapshot *snapshot = check->walk.snapshot;
    const Entry *entry = check->entry < check->end ? &snapshot->entries[check->entry] : NULL;
    bool is_known_name = entry != NULL && how == BY_ATTRIBUTE && entry->key == ((uint64_t)key | ATTRIBUTE_NAME);
    if (how == BY_ATTRIBUTE && !is_known_name && is_left_out(&check->walk, key, value)) {
        return true;
    }
    if (entry == NULL || (!is_known_name && !is_same_key(check, entry->key, how, key, number))) {
        check->is_same = false;
    }
    else if (how == AS_VALUE) {
        check->is_same = number != IDENTITY ? entry->value == (mixed(content) & ~VALUE_TAG)
                                            : check->has_same_stamp ||
                                                  snapshot->singles[number_of_value(entry->value)].identity ==
                                                      identity_of(sink->heap, value).identity;
    }
    else if (how != BY_MEMBER || !is_simple_key(key, 0)) {
        check->is_same = is_same_value(check, entry->value, value);
    }
    check->entry++;
    return check->is_same;
}

static void
ignore_length_here(Sink *Py_UNUSED(sink), Py_ssize_t Py_UNUSED(length))
{
}

typedef enum { AS_BEFORE, CHANGED, OTHER_TYPE } Finding;

/* The object is alive. Sets CERTAIN if the node holds not only equal but the same objects. */
static Finding
check_node(Update *update, uint32_t node)
{
    Snapshot *snapshot = update->snapshot;
    PyObject *object = (PyObject *)snapshot->address[node];
    PyTypeObject *type = Py_TYPE(object);
    uint64_t stamp = snapshot->stamp[node];
    uint32_t parent = snapshot->parent[node];
    bool is_same_object = parent != NO_NODE && (snapshot->flags[parent] & CERTAIN);
    bool is_certain = false, has_same_stamp = false;
    if (type == &PyFunction_Type) {
        has_same_stamp = stamp != 0 && is_same_object && stamp_of_function((PyFunctionObject *)object) == stamp;
        is_certain = has_same_stamp && !has_defaults((PyFunctionObject *)object);
    }
    else if (type == &PyDict_Type) {
        is_certain = stamp != 0 && stamp_of_dict(object) == stamp;
    }
    else if (PyType_Check(object)) {
        is_certain = stamp != 0 && stamp_of_class((PyTypeObject *)object) == stamp;
    }
    else if (type == &PyTuple_Type || type == &PyFrozenSet_Type || type == &PyMethod_Type) {
        is_certain = is_same_object;
    }
    if (is_certain) {
        snapshot->flags[node] |= CERTAIN;
        return AS_BEFORE;
    }
    TypeInfo info = *info_of_type(update->heap, type);
    if (info.hash != snapshot->type[node]) {
        return OTHER_TYPE;
    }
    if (stamp != 0 && info.kind != FUNCTION && stamp_of(object, &info) == stamp) {
        snapshot->flags[node] |= CERTAIN;
        return AS_BEFORE;
    }
    Check check = {.walk = {.sink = {take_for_check, ignore_length_here, update->heap}, .snapshot = snapshot}};
    check.entry = snapshot->first[node];
    check.end = snapshot->last[node];
    check.is_same = true;
    check.has_same_stamp = has_same_stamp;
    stand_at(&check.walk, node, object, &info);
    expand(&check.walk.sink, object, info);
    if (!check.is_same || check.entry != check.end) {
        return CHANGED;
    }
    if (stamp != 0) {
        snapshot->stamp[node] = stamp_of(object, &info);
    }
    if (is_same_object && info.kind == PARTS) {
        snapshot->flags[node] |= CERTAIN;
    }
    return AS_BEFORE;
}

/* Whether the roots are those of the last snapshot, in its order. An object passed under two names has one node.
   Another object may replace a root, if no other node refers to either of them. */
static bool
are_roots_known(Update *update, PyObject *roots)
{
    Heap *heap = update->heap;
    Snapshot *snapshot = update->snapshot;
    uint32_t root = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(roots); i++) {
        PyObject *pair = PySequence_Fast_GET_ITEM(roots, i);
        PyObject *name = PyTuple_GET_ITEM(pair, 0), *object = PyTuple_GET_ITEM(pair, 1);
        bool is_next = root < snapshot->roots &&
                       (snapshot->root_names[root] == name || PyUnicode_Compare(snapshot->root_names[root], name) == 0);
        if (is_next && snapshot->address[root] == (uint64_t)object) {
            root++;
            continue;
        }
        uint32_t slot = slot_of_object(heap, snapshot, (uint64_t)object);
        if (!is_next || heap->visited[slot] != NO_NODE) {
            if (is_next || heap->visited[slot] >= root) {
                return false;
            }
            continue; /* a second name */
        }
        TypeInfo *info = info_of_type(heap, Py_TYPE(object));
        if (info == NULL || info->hash != snapshot->type[root] || (snapshot->flags[root] & SHARED)) {
            return false;
        }
        if (update->root_addresses == NULL) {
            update->root_addresses = PyMem_Malloc(snapshot->roots * sizeof(uint64_t));
            if (update->root_addresses == NULL) {
                return false;
            }
            memcpy(update->root_addresses, snapshot->address, snapshot->roots * sizeof(uint64_t));
        }
        snapshot->address[root] = (uint64_t)object;
        remember_visited(heap, snapshot, slot, root);
        root++;
    }
    return root == snapshot->roots;
}

static bool
remember_as_it_was(Update *update)
{
    size_t bytes = (update->nodes + 1) * sizeof(uint32_t);
    update->first = PyMem_Malloc(bytes);
    update->last = PyMem_Malloc(bytes);
    if (update->first == NULL || update->last == NULL) {
        return false;
    }
    memcpy(update->first, update->snapshot->first, update->nodes * sizeof(uint32_t));
    memcpy(update->last, update->snapshot->last, update->nodes * sizeof(uint32_t));
    return true;
}

static bool
has_other_identity(const Snapshot *snapshot, uint32_t entry, uint32_t entry_before)
{
    Entry now = snapshot->entries[entry], before = snapshot->entries[entry_before];
    return now.key == IDENTITY_KEY && before.key == IDENTITY_KEY &&
           snapshot->singles[number_of_value(now.value)].identity !=
               snapshot->singles[number_of_value(before.value)].identity;
}

/* Expands a node again, behind all others, and finds what it no longer holds. False: walk from scratch. */
static bool
expand_anew(Update *update, Walk *walk, uint32_t node)
{
    Snapshot *snapshot = update->snapshot;
    if ((update->first == NULL && !remember_as_it_was(update)) ||
        !WITH_ROOM(update->heap, update->dirty, update->dirty_count, update->dirty_room, 1)) {
        return false;
    }
    update->dirty[update->dirty_count++] = node;
    snapshot->flags[node] |= RENEWED;
    expand_node(walk, node);
    uint32_t begin = update->first[node], end = update->last[node];
    if (update->heap->failed) {
        return false;
    }
    if (begin < end && snapshot->first[node] < snapshot->last[node] &&
        has_other_identity(snapshot, snapshot->first[node], begin)) {
        return false;
    }
    for (uint32_t i = snapshot->first[node]; i < snapshot->last[node]; i++) {
        if ((snapshot->entries[i].value & VALUE_TAG) == CHILD) {
            snapshot->flags[number_of_value(snapshot->entries[i].value)] |= HELD;
        }
    }
    for (uint32_t i = begin; i < end; i++) {
        uint32_t child = number_of_value(snapshot->entries[i].value);
        if ((snapshot->entries[i].value & VALUE_TAG) == CHILD && snapshot->parent[child] == node &&
            !(snapshot->flags[child] & HELD)) {
            snapshot->flags[child] |= GONE;
            update->is_any_gone = true;
        }
    }
    for (uint32_t i = snapshot->first[node]; i < snapshot->last[node]; i++) {
        if ((snapshot->entries[i].value & VALUE_TAG) == CHILD) {
            snapshot->flags[number_of_value(snapshot->entries[i].value)] &= (uint8_t)~HELD;
        }
    }
    return true;
}

static bool
is_gone_referred_to(const Snapshot *snapshot)
{
    for (uint32_t node = 0; node < snapshot->nodes; node++) {
        for (uint32_t i = snapshot->first[node]; !(snapshot->flags[node] & GONE) && i < snapshot->last[node]; i++) {
            uint64_t value = snapshot->entries[i].value;
            if ((value & VALUE_TAG) == CHILD && (snapshot->flags[number_of_value(value)] & GONE)) {
                return true;
            }
        }
    }
    return false;
}

/* False: walk from scratch. */
static bool
go_through(Update *update)
{
    Heap *heap = update->heap;
    Snapshot *snapshot = update->snapshot;
    Walk walk = {.sink = {take_into_snapshot, note_length, heap}, .snapshot = snapshot};
    for (uint32_t node = 0; node < update->nodes; node++) {
        if (node + AHEAD < update->nodes) {
            const char *next = (const char *)snapshot->address[node + AHEAD];
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
        }
        uint32_t parent = snapshot->parent[node];
        if ((snapshot->flags[node] & GONE) || (parent != NO_NODE && (snapshot->flags[parent] & GONE))) {
            snapshot->flags[node] |= GONE;
            continue;
        }
        snapshot->flags[node] &= (uint8_t)~CERTAIN;
        Finding finding = check_node(update, node);
        if (finding == OTHER_TYPE || (finding == CHANGED && !expand_anew(update, &walk, node))) {
            return false;
        }
    }
    settle_deferred(heap, snapshot);
    for (uint32_t node = update->nodes; node < snapshot->nodes && !heap->failed; node++) {
        if ((Py_ssize_t)snapshot->count >= heap->most_entries) {
            return false;
        }
        expand_node(&walk, node);
    }
    snapshot->expanded = snapshot->nodes;
    return !heap->failed && PyDict_GET_SIZE(heap->unasked_modules) == 0 && PyDict_GET_SIZE(heap->unasked_types) == 0 &&
           (!update->is_any_gone || !is_gone_referred_to(snapshot));
}

/* The entries no longer belong to a node. */
static void
release_entries(Snapshot *snapshot, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        if (key_is_object(snapshot->entries[i].key)) {
            Py_DECREF(key_object(snapshot->entries[i].key));
        }
        snapshot->entries[i].key = ORDINAL;
    }
}

static void
put_back(Update *update)
{
    Snapshot *snapshot = update->snapshot;
    release_entries(snapshot, update->count, snapshot->count);
    snapshot->count = update->count;
    snapshot->nodes = snapshot->expanded = update->nodes;
    snapshot->single_count = update->singles;
    if (update->last != NULL) {
        memcpy(snapshot->first, update->first, update->nodes * sizeof(uint32_t));
        memcpy(snapshot->last, update->last, update->nodes * sizeof(uint32_t));
    }
    if (update->root_addresses != NULL) {
        memcpy(snapshot->address, update->root_addresses, snapshot->roots * sizeof(uint64_t));
    }
    update->heap->deferred_count = update->heap->to_note_count = 0;
}

static void
move_entries(Snapshot *snapshot, uint32_t node, uint32_t to)
{
    uint32_t length = snapshot->last[node] - snapshot->first[node];
    memmove(&snapshot->entries[to], &snapshot->entries[snapshot->first[node]], length * sizeof(Entry));
    snapshot->first[node] = to;
    snapshot->last[node] = to + length;
}

/* Discards the earlier state, and closes the gaps as far as that is easy: new entries replace the old ones of the node,
   if they fit. The remaining entries are in the order of `dirty`, then of the new nodes. */
static void
close_gaps(Update *update)
{
    Snapshot *snapshot = update->snapshot;
    uint32_t end = update->count;
    for (uint32_t node = 0; update->is_any_gone && node < update->nodes; node++) {
        if ((snapshot->flags[node] & GONE) && snapshot->address[node] != 0) {
            snapshot->unused += snapshot->last[node] - snapshot->first[node];
            release_entries(snapshot, snapshot->first[node], snapshot->last[node]);
            snapshot->address[node] = 0;
            snapshot->last[node] = snapshot->first[node];
        }
    }
    for (uint32_t i = 0; i < update->dirty_count; i++) {
        uint32_t node = update->dirty[i];
        uint32_t first = update->first[node], last = update->last[node];
        uint32_t length = snapshot->last[node] - snapshot->first[node];
        release_entries(snapshot, first, last);
        snapshot->flags[node] &= (uint8_t) ~(RENEWED | COMPARED);
        if (last == end) {
            move_entries(snapshot, node, first);
            end = first + length;
        }
        else if (length <= last - first) {
            move_entries(snapshot, node, first);
            snapshot->unused += last - first - length;
        }
        else {
            move_entries(snapshot, node, end);
            snapshot->unused += last - first;
            end += length;
        }
    }
    for (uint32_t node = update->nodes; node < snapshot->nodes; node++) {
        uint32_t length = snapshot->last[node] - snapshot->first[node];
        move_entries(snapshot, node, end);
        end += length;
    }
    snapshot->count = end;
}

static void
end_update(Update *update)
{
    PyMem_Free(update->first);
    PyMem_Free(update->last);
    PyMem_Free(update->root_addresses);
    PyMem_Free(update->dirty);
}

/* The earlier snapshot, through the entries that it still has. Valid only during the update. */
static Snapshot
snapshot_before(const Update *update)
{
    Snapshot before = *update->snapshot;
    before.first = update->first;
    before.last = update->last;
    before.nodes = before.expanded = update->nodes;
    before.count = update->count;
    return before;
}

static Outcome
begin_update(Update *update, Heap *heap, PyObject *roots)
{
    Snapshot *snapshot = &heap->before;
    *update = (Update){.heap = heap, .snapshot = snapshot, .nodes = snapshot->nodes, .count = snapshot->count,
                       .singles = snapshot->single_count};
    uint32_t used = snapshot->count - snapshot->unused;
    if (!heap->has_before || heap->visited == NULL || snapshot->stamp == NULL || snapshot->expanded < snapshot->nodes ||
        snapshot->unused > used + MOST_UNUSED || snapshot->single_count > used + MOST_UNUSED ||
        snapshot->nodes > 2 * used + MOST_UNUSED) {
        return TO_BE_WALKED;
    }
    heap->failed = false;
    heap->deferred_count = heap->to_note_count = heap->referent_count = 0;
    if (!are_roots_known(update, roots) || !go_through(update)) {
        put_back(update);
        return TO_BE_WALKED;
    }
    return update->dirty_count == 0 ? NOTHING_DIFFERS : UPDATED;
}

#endif
