/* The current object at the end of a path. */

#ifndef UNKNOT_HEAP_FOLLOW_H
#define UNKNOT_HEAP_FOLLOW_H

#include "heap_diff.h"

#define MOST_CLEARED 4096

typedef struct {
    Sink sink;
    How how[3];
    int ways;
    PyObject *key; /* NULL: the number counts */
    uint64_t number;
    PyObject *found; /* borrowed */
} StepFinder;

static bool
is_key(PyObject *one, PyObject *other)
{
    /* Runs no `__eq__` of the suite: simple builtins by content, everything else by identity. */
    return one == other || (Py_TYPE(one) == Py_TYPE(other) && is_simple_key(one, 0) && is_simple_key(other, 0) &&
                            PyObject_RichCompareBool(one, other, Py_EQ) == 1);
}

static bool
take_step(Sink *sink, How how, PyObject *key, uint64_t number, PyObject *value, uint64_t Py_UNUSED(content))
{
    StepFinder *finder = (StepFinder *)sink;
    for (int i = 0; i < finder->ways; i++) {
        if (how == finder->how[i]) {
            bool is_it = finder->key == NULL ? number == finder->number && how != BY_PART
                                             : key != NULL && is_key(key, finder->key);
            if (is_it) {
                finder->found = value;
                return false;
            }
        }
    }
    return true;
}

static const struct {
    const char *name;
    How how[3];
    int ways;
} steps[] = {
    {"attr", {BY_ATTRIBUTE}, 1},     {"key", {BY_KEY}, 1},
    {"item", {BY_INDEX, BY_MEMBER, BY_NUMBER}, 3}, {"cell", {BY_CELL}, 1},
    {"default", {BY_DEFAULT}, 1},    {"kwdefault", {BY_KWDEFAULT}, 1},
    {"cache", {BY_CACHE}, 1},        {"position", {AS_VALUE}, 0},
};

static PyObject *
attributes_quickly(PyObject *object, const TypeInfo *info)
{
    /* The dictionary that holds an attribute or key, if a lookup there is safe. */
    if (info->kind == MODULE) {
        return dict_of_module(object);
    }
    if (info->kind == CLASS) {
        return dict_of_class((PyTypeObject *)object);
    }
    return info->has_attributes && info->kind == INSTANCE ? attributes_of(object).dict : NULL;
}

/* Borrowed; NULL without an exception if there is none. Runs no `__eq__` of the suite, as a lookup could. */
static PyObject *
member_of(PyObject *set, PyObject *key)
{
    PyObject *member;
    Py_ssize_t position = 0;
    Py_hash_t hash, wanted = PyObject_Hash(key);
    while (_PySet_NextEntry(set, &position, &member, &hash)) {
        if (hash == wanted && is_key(member, key)) {
            return member;
        }
    }
    return NULL;
}

/* Borrowed; NULL without an exception if there is nothing. */
static PyObject *
follow_step(Heap *heap, PyObject *object, const char *name, PyObject *key)
{
    TypeInfo info = *info_of_type(heap, Py_TYPE(object));
    size_t index = 0;
    while (index < sizeof steps / sizeof *steps && strcmp(steps[index].name, name) != 0) {
        index++;
    }
    if (index == sizeof steps / sizeof *steps) {
        return NULL;
    }
    How how = steps[index].how[0];
    if (key == Py_None && (how == BY_CACHE || steps[index].ways == 0)) {
        return object;
    }
    if (PyUnicode_CheckExact(key) && (how == BY_KEY || how == BY_ATTRIBUTE)) {
        PyObject *dict = how == BY_ATTRIBUTE ? attributes_quickly(object, &info)
                         : PyDict_Check(object) ? object
                                                : NULL;
        if (dict != NULL && has_only_string_keys(dict)) {
            PyObject *found = PyDict_GetItemWithError(dict, key);
            if (found != NULL || how == BY_KEY || info.kind != INSTANCE) {
                return found;
            }
        }
    }
    if (how == BY_KEY && info.kind == SET && is_simple_key(key, 0)) {
        return member_of(object, key);
    }
    StepFinder finder = {.sink = {take_step, ignore_length, heap}, .ways = steps[index].ways};
    memcpy(finder.how, steps[index].how, sizeof finder.how);
    if (how == BY_CELL) {
        PyObject *cells = PyFunction_Check(object) ? ((PyFunctionObject *)object)->func_closure : NULL;
        for (Py_ssize_t i = 0; cells != NULL && i < PyTuple_GET_SIZE(cells); i++) {
            PyObject *known_as = name_of_cell(object, (uint64_t)i);
            bool is_it = known_as != NULL && PyUnicode_CheckExact(key) && PyUnicode_Compare(known_as, key) == 0;
            Py_XDECREF(known_as);
            if (is_it) {
                return PyCell_GET(PyTuple_GET_ITEM(cells, i));
            }
        }
        return NULL;
    }
    if (PyLong_CheckExact(key) && (how == BY_INDEX || how == BY_DEFAULT)) {
        finder.number = (uint64_t)PyLong_AsUnsignedLongLongMask(key);
        if (PyList_Check(object)) {
            return (Py_ssize_t)finder.number < PyList_GET_SIZE(object)
                       ? PyList_GET_ITEM(object, (Py_ssize_t)finder.number)
                       : NULL;
        }
    }
    else {
        finder.key = key;
        if (how == BY_INDEX) {
            finder.how[0] = BY_PART;
            finder.ways = 1;
        }
    }
    expand(&finder.sink, object, info);
    return finder.found;
}

/* New reference; NULL without an exception if there is nothing, with one if the path is malformed. */
static PyObject *
follow_path(Heap *heap, PyObject *root, PyObject *path)
{
    PyObject *object = root;
    if (!PyTuple_Check(path) && !PyList_Check(path)) {
        PyErr_SetString(PyExc_TypeError, "a path is a tuple of steps");
        return NULL;
    }
    for (Py_ssize_t i = 0; object != NULL && i < PySequence_Fast_GET_SIZE(path); i++) {
        PyObject *step = PySequence_Fast_GET_ITEM(path, i);
        bool is_pair = PySequence_Check(step) && (PyTuple_Check(step) || PyList_Check(step)) &&
                       PySequence_Fast_GET_SIZE(step) == 2 && PyUnicode_Check(PySequence_Fast_GET_ITEM(step, 0));
        const char *how = is_pair ? PyUnicode_AsUTF8(PySequence_Fast_GET_ITEM(step, 0)) : NULL;
        if (how == NULL) {
            PyErr_SetString(PyExc_TypeError, "a step is a pair (how, key)");
            return NULL;
        }
        object = follow_step(heap, object, how, PySequence_Fast_GET_ITEM(step, 1));
    }
    return Py_XNewRef(object);
}

/* The fingerprint of a value, without calling the callables. Walks in the scratch snapshot; bounded. */
static uint64_t
fingerprint_now(Heap *heap, PyObject *value)
{
    Snapshot *snapshot = &heap->scratch;
    uint32_t *visited = heap->visited, room = heap->visited_room, used = heap->visited_used;
    uint64_t fingerprint = 0;
    /* Clearing the table of a big snapshot would take longer than the walk. */
    heap->visited = heap->small_visited;
    heap->visited_room = heap->small_room;
    heap->is_for_fingerprint = true;
    if (begin_walk(heap, snapshot)) {
        Walk walk = {.sink = {take_into_snapshot, note_length, heap}, .snapshot = snapshot, .node = NO_NODE};
        uint64_t encoded = encode_value(&walk, value);
        walk_on(heap, snapshot, MOST_DIGESTED);
        Digest digest;
        if (!heap->failed && begin_digest(&digest, heap, snapshot)) {
            fingerprint = digest_of(&digest, encoded);
            end_digest(&digest);
        }
        empty_snapshot(snapshot);
    }
    heap->is_for_fingerprint = false;
    if (heap->visited_room > MOST_CLEARED) {
        PyMem_Free(heap->visited);
        heap->visited = NULL;
        heap->visited_room = 0;
    }
    heap->small_visited = heap->visited;
    heap->small_room = heap->visited_room;
    heap->visited = visited;
    heap->visited_room = room;
    heap->visited_used = used;
    return fingerprint;
}

/* The same, after calling the callables for new types. 0 with an exception if a call failed. */
static uint64_t
fingerprint_of(Heap *heap, PyObject *value)
{
    uint64_t fingerprint = fingerprint_now(heap, value);
    while (PyDict_GET_SIZE(heap->unasked_types) > 0 || PyDict_GET_SIZE(heap->unasked_modules) > 0) {
        if (ask_what_was_unknown(heap) < 0) {
            return 0;
        }
        fingerprint = fingerprint_now(heap, value);
    }
    return fingerprint;
}

#endif
