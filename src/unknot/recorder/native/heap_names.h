/* Names and paths of locations, and a short text of their content. For people or for `follow`; made only for
   locations that have changed. */

#ifndef UNKNOT_HEAP_NAMES_H
#define UNKNOT_HEAP_NAMES_H

#include "heap_digest.h"

#define MOST_SHOWN 200

/* Finds an entry of a live object again, with its key, which records do not keep. */
typedef struct {
    Sink sink;
    uint32_t wanted, seen;
    bool is_class, is_module;
    PyObject *module_name;
    How how;
    PyObject *key; /* borrowed */
    PyObject *value;
    uint64_t number;
    Py_ssize_t length; /* of an object too long to be compared in full; otherwise 0 */
} EntryFinder;

static bool
take_wanted(Sink *sink, How how, PyObject *key, uint64_t number, PyObject *value, uint64_t Py_UNUSED(content))
{
    EntryFinder *finder = (EntryFinder *)sink;
    if (how == BY_ATTRIBUTE) {
        int flags = flags_of_name(sink->heap, key);
        if ((flags & STOP_NAME) || ((flags & CLASS_NOISE) && finder->is_class) ||
            (finder->is_module && names_itself(finder->module_name, key, value))) {
            return true;
        }
    }
    if (finder->seen++ == finder->wanted) {
        finder->how = how;
        finder->key = key;
        finder->value = value;
        finder->number = number;
        return false;
    }
    return true;
}

static void
remember_length(Sink *sink, Py_ssize_t length)
{
    ((EntryFinder *)sink)->length = length;
}

static EntryFinder
find_entry(Heap *heap, PyObject *object, uint32_t index)
{
    TypeInfo info = *info_of_type(heap, Py_TYPE(object));
    EntryFinder finder = {.sink = {take_wanted, remember_length, heap}, .wanted = index, .how = AS_VALUE};
    finder.is_class = info.kind == CLASS;
    finder.is_module = info.kind == MODULE;
    finder.module_name = finder.is_module ? name_of_module(object) : NULL;
    expand(&finder.sink, object, info);
    return finder;
}

static PyObject *
short_type_name(PyObject *full)
{
    Py_ssize_t dot = PyUnicode_FindChar(full, '.', 0, PyUnicode_GET_LENGTH(full), -1);
    return PyUnicode_Substring(full, dot + 1, PyUnicode_GET_LENGTH(full));
}

/* `'alice'` for simple keys, `<Key object>` for others. */
static PyObject *
text_of_key(Heap *heap, PyObject *key)
{
    if (is_simple_key(key, 0)) {
        PyObject *text = PyObject_Repr(key);
        if (text != NULL && PyUnicode_GET_LENGTH(text) > MOST_SHOWN) {
            PyObject *head = PyUnicode_Substring(text, 0, MOST_SHOWN - 1);
            Py_DECREF(text);
            text = head == NULL ? NULL : PyUnicode_FromFormat("%U...", head);
            Py_XDECREF(head);
        }
        return text;
    }
    PyObject *object = key;
    if (PyWeakref_CheckRef(key)) {
        object = ((PyWeakReference *)key)->wr_object;
    }
    PyObject *name = info_of_type(heap, Py_TYPE(object))->name;
    PyObject *brief = name == NULL ? NULL : short_type_name(name);
    PyObject *text = brief == NULL ? NULL : PyUnicode_FromFormat("<%U object>", brief);
    Py_XDECREF(brief);
    return text;
}

static PyObject *
name_of_cell(PyObject *function, uint64_t number)
{
    PyObject *names = PyFunction_Check(function)
                          ? PyCode_GetFreevars((PyCodeObject *)((PyFunctionObject *)function)->func_code)
                          : NULL;
    PyObject *name = NULL;
    if (names != NULL && (Py_ssize_t)number < PyTuple_GET_SIZE(names)) {
        name = Py_NewRef(PyTuple_GET_ITEM(names, (Py_ssize_t)number));
    }
    Py_XDECREF(names);
    PyErr_Clear();
    return name != NULL ? name : PyUnicode_FromFormat("%llu", (unsigned long long)number);
}

/* One step as part of a name. New reference; NULL only if out of memory. */
static PyObject *
text_of_step(Heap *heap, PyObject *holder, How how, PyObject *key, uint64_t number)
{
    PyObject *part = NULL, *text = NULL;
    TypeInfo *info = info_of_type(heap, Py_TYPE(holder));
    switch (how) {
    case BY_KEY:
        part = text_of_key(heap, key);
        text = part == NULL ? NULL : PyUnicode_FromFormat("[%U]", part);
        break;
    case BY_CACHE:
        part = text_of_key(heap, key);
        text = part == NULL ? NULL : PyUnicode_FromFormat(".<cache>[%U]", part);
        break;
    case BY_KWDEFAULT:
        part = text_of_key(heap, key);
        text = part == NULL ? NULL : PyUnicode_FromFormat(".__kwdefaults__[%U]", part);
        break;
    case BY_ATTRIBUTE:
        if (!PyUnicode_CheckExact(key)) {
            part = text_of_key(heap, key);
            text = part == NULL ? NULL : PyUnicode_FromFormat(".__dict__[%U]", part);
        }
        else if (info->is_environ && PyUnicode_CompareWithASCIIString(key, "_data") == 0) {
            text = PyUnicode_FromString("");
        }
        else {
            text = PyUnicode_FromFormat(".%U", key);
        }
        break;
    case BY_MEMBER:
        part = text_of_key(heap, key);
        text = part == NULL ? NULL : PyUnicode_FromFormat(is_simple_key(key, 0) ? "{%U}" : ".%U", part);
        break;
    case BY_CELL:
        part = name_of_cell(holder, number);
        text = part == NULL ? NULL : PyUnicode_FromFormat(".<closure %U>", part);
        break;
    case BY_DEFAULT:
        text = PyUnicode_FromFormat(".__defaults__[%llu]", (unsigned long long)number);
        break;
    case BY_INDEX:
        text = PyUnicode_FromFormat("[%llu]", (unsigned long long)number);
        break;
    case BY_PART:
        /* A decorated function is known by the name of its wrapper. */
        if (PyUnicode_CompareWithASCIIString(key, "__func__") == 0 && !PyMethod_Check(holder)) {
            text = PyUnicode_FromString("");
        }
        else {
            text = PyUnicode_FromFormat(".%U", key);
        }
        break;
    case BY_NUMBER:
        text = PyUnicode_FromFormat(".<part %llu>", (unsigned long long)number);
        break;
    default:
        text = PyUnicode_FromString("");
    }
    Py_XDECREF(part);
    return text;
}

/* The same for `follow`: (how, key), or None where there is nothing to follow. */
static PyObject *
step_of(PyObject *holder, How how, PyObject *key, uint64_t number)
{
    switch (how) {
    case BY_KEY:
        return Py_BuildValue("(sO)", "key", key);
    case BY_ATTRIBUTE:
        return Py_BuildValue("(sO)", "attr", key);
    case BY_CACHE:
        return Py_BuildValue("(sO)", "cache", key);
    case BY_KWDEFAULT:
        return Py_BuildValue("(sO)", "kwdefault", key);
    case BY_CELL:
        return Py_BuildValue("(sN)", "cell", name_of_cell(holder, number));
    case BY_DEFAULT:
        return Py_BuildValue("(sK)", "default", (unsigned long long)number);
    case BY_PART:
        return Py_BuildValue("(sO)", "item", key);
    case BY_MEMBER:
        if (is_simple_key(key, 0)) {
            return Py_BuildValue("(sO)", "key", key);
        }
        return Py_BuildValue("(sK)", "item", (unsigned long long)number);
    case BY_INDEX:
    case BY_NUMBER:
        return Py_BuildValue("(sK)", "item", (unsigned long long)number);
    default:
        Py_RETURN_NONE;
    }
}

/* Any change of such an object is one location, however many entries differ. */
static bool
is_one_location(Kind kind)
{
    return (kind >= LIST && kind <= RANDOM) || kind == CONTEXT_VARIABLE || kind == OPAQUE;
}

/* Immutable, so that a change belongs to its holder. */
static bool
is_passed_through(const TypeInfo *info)
{
    return info->kind == TUPLE || info->kind == FROZENSET || info->kind == PARTS;
}

/* The environment is stored as bytes, but known by strings. */
static bool
is_environment(Heap *heap, const Snapshot *snapshot, uint32_t node)
{
    uint32_t parent = snapshot->parent[node];
    if (parent == NO_NODE) {
        return PyUnicode_CompareWithASCIIString(snapshot->root_names[node], "os.environ") == 0;
    }
    return info_of_type(heap, Py_TYPE((PyObject *)snapshot->address[parent]))->is_environ;
}

static PyObject *
text_of_entry(Heap *heap, const Snapshot *snapshot, uint32_t node, How how, PyObject *key, uint64_t number)
{
    if (how == BY_KEY && PyBytes_CheckExact(key) && is_environment(heap, snapshot, node)) {
        PyObject *decoded = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key));
        PyObject *text = decoded == NULL ? NULL : PyUnicode_FromFormat("[%R]", decoded);
        Py_XDECREF(decoded);
        return text;
    }
    return text_of_step(heap, (PyObject *)snapshot->address[node], how, key, number);
}

/* The entry by which a node was reached. */
static EntryFinder
entry_to(Heap *heap, const Snapshot *snapshot, uint32_t node)
{
    uint32_t parent = snapshot->parent[node];
    uint32_t begin = snapshot->first[parent], end = entries_end(snapshot, parent);
    uint32_t index = begin;
    while (index < end && snapshot->entries[index].value != ((uint64_t)node << 2 | CHILD)) {
        index++;
    }
    return find_entry(heap, (PyObject *)snapshot->address[parent], index - begin);
}

static uint32_t
root_of(const Snapshot *snapshot, uint32_t node)
{
    while (snapshot->parent[node] != NO_NODE) {
        node = snapshot->parent[node];
    }
    return node;
}

/* Name and path of a node, both new references. False if out of memory. */
static bool
name_node(Heap *heap, const Snapshot *snapshot, uint32_t node, PyObject **name, PyObject **path)
{
    uint32_t depth = 0;
    for (uint32_t up = node; snapshot->parent[up] != NO_NODE; up = snapshot->parent[up]) {
        depth++;
    }
    uint32_t *way = PyMem_Malloc((depth + 1) * sizeof *way);
    PyObject *pieces = PyList_New(0), *steps = PyList_New(0), *empty = PyUnicode_FromString("");
    *name = *path = NULL;
    bool ok = way != NULL && pieces != NULL && steps != NULL && empty != NULL;
    uint32_t up = node;
    for (uint32_t i = depth; ok && i > 0; i--) {
        way[i - 1] = up;
        up = snapshot->parent[up];
    }
    ok = ok && PyList_Append(pieces, snapshot->root_names[up]) == 0;
    for (uint32_t i = 0; ok && i < depth; i++) {
        PyObject *holder = (PyObject *)snapshot->address[snapshot->parent[way[i]]];
        EntryFinder found = entry_to(heap, snapshot, way[i]);
        PyObject *text = text_of_entry(heap, snapshot, snapshot->parent[way[i]], found.how, found.key, found.number);
        PyObject *step = step_of(holder, found.how, found.key, found.number);
        ok = text != NULL && step != NULL && PyList_Append(pieces, text) == 0 &&
             (step == Py_None || PyList_Append(steps, step) == 0);
        Py_XDECREF(text);
        Py_XDECREF(step);
    }
    if (ok) {
        *name = PyUnicode_Join(empty, pieces);
        *path = PyList_AsTuple(steps);
    }
    PyMem_Free(way);
    Py_XDECREF(pieces);
    Py_XDECREF(steps);
    Py_XDECREF(empty);
    return *name != NULL && *path != NULL;
}

#endif
