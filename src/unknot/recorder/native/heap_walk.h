/* Walks breadth first through everything that the roots reach. */

#ifndef UNKNOT_HEAP_WALK_H
#define UNKNOT_HEAP_WALK_H

#include "heap_classify.h"

#define NO_NODE UINT32_MAX

typedef struct {
    Sink sink;
    Snapshot *snapshot;
    uint32_t node;
    bool is_class, is_module, is_root_module;
    bool has_weak; /* entries come and go with other objects: no stamp shows that they are the same */
    PyObject *module_name; /* borrowed, of the module that is expanded */
} Walk;

static bool
more_room_for_visited(Heap *heap, Snapshot *snapshot)
{
    uint32_t room = heap->visited_room * 2;
    uint32_t *visited = PyMem_Malloc((size_t)room * sizeof *visited);
    if (visited == NULL) {
        heap->failed = true;
        return false;
    }
    memset(visited, 0xff, (size_t)room * sizeof *visited);
    heap->visited_used = 0;
    for (uint32_t node = 0; node < snapshot->nodes; node++) {
        if (snapshot->flags[node] & GONE) {
            continue;
        }
        heap->visited_used++;
        uint32_t slot = slot_for(snapshot->address[node], room);
        while (visited[slot] != NO_NODE) {
            slot = (slot + 1) & (room - 1);
        }
        visited[slot] = node;
    }
    PyMem_Free(heap->visited);
    heap->visited = visited;
    heap->visited_room = room;
    return true;
}

static bool
more_room_for_nodes(Heap *heap, Snapshot *snapshot)
{
    const struct {
        void **array;
        size_t size;
    } all[] = {{(void **)&snapshot->address, sizeof *snapshot->address},
               {(void **)&snapshot->stamp, sizeof *snapshot->stamp},
               {(void **)&snapshot->type, sizeof *snapshot->type},
               {(void **)&snapshot->first, sizeof *snapshot->first},
               {(void **)&snapshot->last, sizeof *snapshot->last},
               {(void **)&snapshot->parent, sizeof *snapshot->parent},
               {(void **)&snapshot->flags, sizeof *snapshot->flags}};
    uint32_t room = snapshot->node_room;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        room = snapshot->node_room;
        if (!grow(heap, all[i].array, &room, snapshot->nodes + 1, all[i].size)) {
            return false;
        }
    }
    snapshot->node_room = room;
    return true;
}

/* The slot of the object's node in the table, whether used or free. */
static uint32_t
slot_of_object(const Heap *heap, const Snapshot *snapshot, uint64_t object)
{
    uint32_t slot = slot_for(object, heap->visited_room);
    while (heap->visited[slot] != NO_NODE && snapshot->address[heap->visited[slot]] != object) {
        slot = (slot + 1) & (heap->visited_room - 1);
    }
    return slot;
}

static void
remember_visited(Heap *heap, Snapshot *snapshot, uint32_t slot, uint32_t node)
{
    heap->visited[slot] = node;
    heap->visited_used++;
    if (heap->visited_used * 2 > heap->visited_room) {
        more_room_for_visited(heap, snapshot);
    }
}

/* The number of the object's node, which is new if it was not reached before in this snapshot. */
static uint32_t
node_of(Heap *heap, Snapshot *snapshot, PyObject *object, uint32_t type, uint32_t parent)
{
    uint32_t slot = slot_of_object(heap, snapshot, (uint64_t)object);
    if (heap->visited[slot] != NO_NODE) {
        snapshot->flags[heap->visited[slot]] |= SHARED;
        return heap->visited[slot];
    }
    if (snapshot->nodes >= snapshot->node_room && !more_room_for_nodes(heap, snapshot)) {
        return NO_NODE;
    }
    uint32_t node = snapshot->nodes++;
    snapshot->address[node] = (uint64_t)object;
    snapshot->stamp[node] = 0;
    snapshot->type[node] = type;
    snapshot->first[node] = snapshot->last[node] = snapshot->count;
    snapshot->parent[node] = parent;
    snapshot->flags[node] = 0;
    remember_visited(heap, snapshot, slot, node);
    return node;
}

static bool
is_big(PyObject *value)
{
    return (PyUnicode_CheckExact(value) &&
            PyUnicode_GET_LENGTH(value) * (Py_ssize_t)PyUnicode_KIND(value) > WHOLE_BYTES) ||
           (PyBytes_CheckExact(value) && PyBytes_GET_SIZE(value) > WHOLE_BYTES);
}

static void
note_later(Heap *heap, uint32_t node, uint32_t entry)
{
    if (!heap->is_for_fingerprint && WITH_ROOM(heap, heap->to_note, heap->to_note_count, heap->to_note_room, 1)) {
        heap->to_note[heap->to_note_count++] = (uint64_t)node << 32 | entry;
    }
}

static uint64_t
single_value(Heap *heap, Snapshot *snapshot, Single single)
{
    if (!WITH_ROOM(heap, snapshot->singles, snapshot->single_count, snapshot->single_room, 1)) {
        return ATOM;
    }
    snapshot->singles[snapshot->single_count] = single;
    return (uint64_t)snapshot->single_count++ << 2 | SINGLE_VALUE;
}

static bool
is_defined_elsewhere(Heap *heap, PyObject *module_name, PyObject *object, const TypeInfo *info)
{
    PyObject *home = NULL;
    if (info->kind == FUNCTION) {
        home = ((PyFunctionObject *)object)->func_module;
    }
    else if (info->kind == CLASS) {
        home = module_of_class((PyTypeObject *)object);
    }
    return home != NULL && module_name != NULL && PyUnicode_CheckExact(home) && home != module_name &&
           PyUnicode_Compare(home, module_name) != 0;
}

static uint64_t
encode_value(Walk *walk, PyObject *value)
{
    Heap *heap = walk->sink.heap;
    Snapshot *snapshot = walk->snapshot;
    uint64_t content;
    if (is_atom(heap, value, 0, &content)) {
        if (is_big(value)) {
            note_later(heap, walk->node, snapshot->count);
        }
        return content & ~VALUE_TAG;
    }
    TypeInfo *info = info_of_type(heap, Py_TYPE(value));
    uint32_t hash = info->hash;
    if (!is_entered(heap, value, info)) {
        return single_value(heap, snapshot, single_of(heap, value, 0));
    }
    if (walk->is_root_module) {
        info = info_of_type(heap, Py_TYPE(value));
        if (is_defined_elsewhere(heap, walk->module_name, value, info) &&
            heap->visited[slot_of_object(heap, snapshot, (uint64_t)value)] == NO_NODE &&
            WITH_ROOM(heap, heap->deferred, heap->deferred_count, heap->deferred_room, 1)) {
            /* It is named by the module that defines it, if that is a root too. */
            heap->deferred[heap->deferred_count++] = (Deferred){snapshot->count, value};
            return CHILD | (uint64_t)walk->node << 2; /* until then: the node that found it */
        }
    }
    uint32_t node = node_of(heap, snapshot, value, hash, walk->node);
    return (uint64_t)node << 2 | CHILD;
}

static uint64_t
encode_key(Walk *walk, How how, PyObject *key, uint64_t number)
{
    static const uint64_t tag_of_how[] = {[BY_KEY] = KEY_OBJECT,
                                          [BY_ATTRIBUTE] = ATTRIBUTE_NAME,
                                          [BY_KWDEFAULT] = KWDEFAULT_NAME,
                                          [BY_CACHE] = CACHE_KEY,
                                          [BY_MEMBER] = MEMBER_OBJECT};
    Heap *heap = walk->sink.heap;
    Snapshot *snapshot = walk->snapshot;
    switch (how) {
    case BY_KEY:
    case BY_ATTRIBUTE:
    case BY_KWDEFAULT:
    case BY_CACHE:
    case BY_MEMBER:
        if (is_simple_key(key, 0)) {
            return (uint64_t)Py_NewRef(key) | tag_of_how[how];
        }
        if (!WITH_ROOM(heap, snapshot->singles, snapshot->single_count, snapshot->single_room, 1)) {
            return ORDINAL;
        }
        Single single = single_of(heap, key, 0);
        snapshot->singles[snapshot->single_count] = single;
        return ((uint64_t)snapshot->single_count++ << 8 | how) << 3 | SINGLE_KEY;
    case BY_PART:
        /* Parts of one type always come in the same order. */
        return (hash_of_string(key) << 8 | how) << 3 | ORDINAL;
    default:
        return (number << 8 | how) << 3 | ORDINAL;
    }
}

/* A function is unchanged if its code is; its address shows whether it is another one. */
static Single
identity_of(Heap *heap, PyObject *object)
{
    Single single = single_of(heap, object, 0);
    if (PyFunction_Check(object)) {
        single.identity = joined((uint64_t)((PyFunctionObject *)object)->func_code, single.content);
    }
    return single;
}

static bool
is_left_out(const Walk *walk, PyObject *name, PyObject *value)
{
    int flags = flags_of_name(walk->sink.heap, name);
    return (flags & STOP_NAME) || ((flags & CLASS_NOISE) && walk->is_class) ||
           (walk->is_module && names_itself(walk->module_name, name, value));
}

static bool
take_into_snapshot(Sink *sink, How how, PyObject *key, uint64_t number, PyObject *value, uint64_t content)
{
    Walk *walk = (Walk *)sink;
    Heap *heap = sink->heap;
    Snapshot *snapshot = walk->snapshot;
    if (how == BY_ATTRIBUTE && is_left_out(walk, key, value)) {
        return true;
    }
    if (how == BY_KEY && (PyWeakref_CheckRef(key) || PyWeakref_CheckRef(value))) {
        walk->has_weak = true;
    }
    if (!WITH_ROOM(heap, snapshot->entries, snapshot->count, snapshot->entry_room, 1)) {
        return false;
    }
    Entry entry;
    entry.value = how == AS_VALUE && number == IDENTITY ? single_value(heap, snapshot, identity_of(heap, value))
                  : how == AS_VALUE ? mixed(content) & ~VALUE_TAG
                  : how == BY_MEMBER && is_simple_key(key, 0) ? ATOM
                                                              : encode_value(walk, value);
    entry.key = encode_key(walk, how, key, number);
    snapshot->entries[snapshot->count++] = entry;
    return !heap->failed;
}

static void
note_length(Sink *sink, Py_ssize_t Py_UNUSED(length))
{
    Walk *walk = (Walk *)sink;
    note_later(sink->heap, walk->node, UINT32_MAX);
}

static void
settle_deferred(Heap *heap, Snapshot *snapshot)
{
    for (uint32_t i = 0; i < heap->deferred_count; i++) {
        Deferred one = heap->deferred[i];
        uint32_t finder = number_of_value(snapshot->entries[one.entry].value);
        uint32_t hash = info_of_type(heap, Py_TYPE(one.object))->hash;
        uint32_t node = node_of(heap, snapshot, one.object, hash, finder);
        snapshot->entries[one.entry].value = (uint64_t)node << 2 | CHILD;
    }
    heap->deferred_count = 0;
}

static bool
begin_walk(Heap *heap, Snapshot *snapshot)
{
    empty_snapshot(snapshot);
    heap->failed = false;
    heap->deferred_count = heap->to_note_count = heap->referent_count = 0;
    if (heap->visited == NULL) {
        heap->visited_room = 1024;
        heap->visited = PyMem_Malloc(heap->visited_room * sizeof *heap->visited);
        if (heap->visited == NULL) {
            return false;
        }
    }
    memset(heap->visited, 0xff, heap->visited_room * sizeof *heap->visited);
    heap->visited_used = 0;
    return true;
}

static void
stand_at(Walk *walk, uint32_t node, PyObject *object, const TypeInfo *info)
{
    walk->node = node;
    walk->is_class = info->kind == CLASS;
    walk->is_module = info->kind == MODULE;
    walk->is_root_module = walk->is_module && node < walk->snapshot->roots;
    walk->module_name = walk->is_module ? name_of_module(object) : NULL;
    walk->has_weak = false;
}

/* A number that no other dictionary has, nor this one with other entries. 0: there is none. Values stored beside keys
   that a class shares may be written without a change of the dictionary. */
static inline uint64_t
stamp_of_dict(PyObject *dict)
{
    return dict == NULL || ((PyDictObject *)dict)->ma_values != NULL ? 0 : version_of_dict(dict);
}

static uint64_t
stamp_of_class(PyTypeObject *type)
{
    uint64_t stamp = stamp_of_dict(dict_of_class(type));
    if (stamp == 0 || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    return joined(stamp, (uint64_t)Py_TYPE(type) ^ (uint64_t)((PyHeapTypeObject *)type)->ht_qualname << 1) | 1;
}

/* Defaults could be replaced by others at the same address, which no stamp would show. */
static inline bool
has_defaults(const PyFunctionObject *function)
{
    return function->func_defaults != NULL || function->func_kwdefaults != NULL;
}

/* Of a function that is known to be the same, except for the content of its defaults. Closures cannot be replaced. */
static uint64_t
stamp_of_function(const PyFunctionObject *function)
{
    uint64_t stamp = joined((uint64_t)function->func_code, (uint64_t)function->func_qualname) ^
                     (uint64_t)function->func_module << 3 ^ (uint64_t)has_defaults(function) << 1;
    if (function->func_dict != NULL) {
        uint64_t version = stamp_of_dict(function->func_dict);
        return version == 0 ? 0 : joined(stamp, version) | 1;
    }
    return stamp | 1;
}

static uint64_t
stamp_of(PyObject *object, const TypeInfo *info)
{
    switch ((Kind)info->kind) {
    case DICT:
        return info->has_attributes ? 0 : stamp_of_dict(object);
    case MODULE:
        return stamp_of_dict(dict_of_module(object));
    case CLASS:
        return stamp_of_class((PyTypeObject *)object);
    case FUNCTION:
        return stamp_of_function((PyFunctionObject *)object);
    default:
        return 0;
    }
}

static void
expand_node(Walk *walk, uint32_t node)
{
    Snapshot *snapshot = walk->snapshot;
    PyObject *object = (PyObject *)snapshot->address[node];
    TypeInfo info = *info_of_type(walk->sink.heap, Py_TYPE(object));
    stand_at(walk, node, object, &info);
    snapshot->first[node] = snapshot->count;
    expand(&walk->sink, object, info);
    snapshot->last[node] = snapshot->count;
    snapshot->stamp[node] = walk->has_weak ? 0 : stamp_of(object, &info);
}

/* Expands all nodes of the snapshot, including those that it finds on the way. */
static void
walk_on(Heap *heap, Snapshot *snapshot, Py_ssize_t most)
{
    Walk walk = {.sink = {take_into_snapshot, note_length, heap}, .snapshot = snapshot};
    for (uint32_t node = 0; node < snapshot->nodes && !heap->failed; node++) {
        if (node == snapshot->roots && heap->deferred_count > 0) {
            settle_deferred(heap, snapshot);
        }
        if ((Py_ssize_t)snapshot->count >= most) {
            snapshot->first[node] = snapshot->last[node] = snapshot->count;
            snapshot->expanded = Py_MIN(snapshot->expanded, node);
            continue;
        }
        expand_node(&walk, node);
        if (node + 1 == snapshot->nodes && heap->deferred_count > 0) {
            settle_deferred(heap, snapshot);
        }
    }
    snapshot->expanded = Py_MIN(snapshot->expanded, snapshot->nodes);
}

/* Calls the callables for what the walk did not know. Returns 1 if there was anything; then the walk must be repeated,
   because they run Python code, which invalidates the walk. */
static int
ask_what_was_unknown(Heap *heap)
{
    struct {
        PyObject *callable, **names, *answers;
    } questions[] = {{heap->is_users_module, &heap->unasked_modules, heap->users_answers},
                     {heap->is_stopped, &heap->unasked_types, heap->stopped_answers}};
    int asked = 0;
    for (int i = 0; i < 2; i++) {
        PyObject *names = PyDict_Keys(*questions[i].names);
        if (names == NULL) {
            return -1;
        }
        PyDict_Clear(*questions[i].names);
        for (Py_ssize_t j = 0; j < PyList_GET_SIZE(names); j++) {
            PyObject *name = PyList_GET_ITEM(names, j);
            PyObject *answer = PyObject_CallOneArg(questions[i].callable, name);
            int truth = answer == NULL ? -1 : PyObject_IsTrue(answer);
            Py_XDECREF(answer);
            if (truth < 0 || PyDict_SetItem(questions[i].answers, name, truth ? Py_True : Py_False) < 0) {
                Py_DECREF(names);
                return -1;
            }
            asked = 1;
        }
        Py_DECREF(names);
    }
    return asked;
}

#endif
