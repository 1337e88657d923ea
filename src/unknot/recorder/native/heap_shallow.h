/* Library modules: only whether one of their functions, classes or modules was replaced, or an attribute of a class
   that they define. A dictionary with an unchanged version is skipped. */

#ifndef UNKNOT_HEAP_SHALLOW_H
#define UNKNOT_HEAP_SHALLOW_H

#include "heap_follow.h"

typedef struct {
    PyObject *key;  /* ours: an exact string */
    Single single;  /* identity 0: something that is not compared */
} Global;

typedef struct {
    PyObject *dict; /* borrowed: not touched unless its owner is known to be alive */
    uint64_t version;
    Global *globals;
    uint32_t count;
} Namespace;

typedef struct {
    PyTypeObject *type; /* borrowed: alive as long as its module's dictionary has the noted version */
    PyObject *name;     /* ours */
    Namespace space;
} ShallowClass;

struct ShallowModule {
    PyObject *name; /* ours */
    Namespace space;
    ShallowClass *classes;
    uint32_t class_count;
    uint32_t round;
};

static void
free_globals(Namespace *space)
{
    for (uint32_t i = 0; i < space->count; i++) {
        Py_DECREF(space->globals[i].key);
    }
    PyMem_Free(space->globals);
    space->globals = NULL;
    space->count = 0;
}

static void
free_classes(ShallowModule *module)
{
    for (uint32_t i = 0; i < module->class_count; i++) {
        free_globals(&module->classes[i].space);
        Py_DECREF(module->classes[i].name);
    }
    PyMem_Free(module->classes);
    module->classes = NULL;
    module->class_count = 0;
}

static void
free_shallow(Heap *heap)
{
    for (uint32_t i = 0; i < heap->module_count; i++) {
        free_globals(&heap->modules[i].space);
        free_classes(&heap->modules[i]);
        Py_DECREF(heap->modules[i].name);
    }
    PyMem_Free(heap->modules);
    heap->modules = NULL;
    heap->module_count = heap->module_room = 0;
}

static bool
is_compared_global(PyObject *value)
{
    return PyModule_Check(value) || Py_TYPE(value)->tp_call != NULL;
}

/* The owner of a namespace, for names and paths. */
typedef struct {
    PyObject *module_name;
    PyObject *class_name; /* NULL: the module itself */
    PyObject *owner;
    bool takes_all;
} Owner;

static bool
read_namespace(Heap *heap, const Owner *owner, Namespace *space)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    uint32_t room = (uint32_t)PyDict_GET_SIZE(space->dict);
    space->version = version_of_dict(space->dict);
    space->count = 0;
    space->globals = PyMem_Malloc((room + 1) * sizeof *space->globals);
    if (space->globals == NULL) {
        return false;
    }
    while (PyDict_Next(space->dict, &position, &key, &value) && space->count < room) {
        if (!PyUnicode_CheckExact(key) || flags_of_name(heap, key) != 0 ||
            (owner->class_name == NULL && names_itself(owner->module_name, key, value))) {
            continue;
        }
        Single single = {0, 0};
        if (owner->takes_all || is_compared_global(value)) {
            single = single_of(heap, value, 0);
            single.identity |= 1;
        }
        space->globals[space->count++] = (Global){Py_NewRef(key), single};
    }
    return true;
}

static PyObject *
make_shallow_change(Heap *heap, const Owner *owner, PyObject *key, PyObject *value, const char *how, uint64_t before)
{
    PyObject *change = PyStructSequence_New(change_type);
    PyObject *name = owner->class_name == NULL
                         ? PyUnicode_FromFormat("%U.%U", owner->module_name, key)
                         : PyUnicode_FromFormat("%U.%U.%U", owner->module_name, owner->class_name, key);
    PyObject *path = owner->class_name == NULL
                         ? Py_BuildValue("((sO))", "attr", key)
                         : Py_BuildValue("((sO)(sO))", "attr", owner->class_name, "attr", key);
    PyObject *fields[] = {Py_NewRef(owner->owner),
                          Py_NewRef(key),
                          Py_NewRef(owner->owner),
                          Py_NewRef(key),
                          name,
                          Py_NewRef(owner->module_name),
                          path,
                          PyUnicode_FromString(how),
                          value == NULL ? PyUnicode_FromString("") : shown_text(heap, value),
                          PyLong_FromUnsignedLongLong(value == NULL ? 0 : fingerprint_now(heap, value)),
                          PyLong_FromUnsignedLongLong(before)};
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
    if (!ok) {
        Py_CLEAR(change);
    }
    return change;
}

static bool
add_shallow_change(Heap *heap, const Owner *owner, const Global *now, const Global *before, PyObject *dict,
                   PyObject *changes)
{
    PyObject *key = now != NULL ? now->key : before->key;
    PyObject *value = now != NULL && has_only_string_keys(dict) ? PyDict_GetItemWithError(dict, key) : NULL;
    uint64_t fingerprint = 0;
    if (before != NULL) {
        bool was_atom = before->single.identity == (before->single.content | 1);
        uint64_t content = before->single.content;
        fingerprint = as_fingerprint(was_atom ? digest_of_atom(content & ~VALUE_TAG) : digest_of_single(content));
    }
    const char *how = before == NULL ? "added" : now == NULL ? "removed" : "changed";
    PyObject *change = make_shallow_change(heap, owner, key, value, how, fingerprint);
    bool ok = change != NULL && PyList_Append(changes, change) == 0;
    Py_XDECREF(change);
    return ok;
}

static bool
compare_namespaces(Heap *heap, const Owner *owner, const Namespace *now, const Namespace *before, PyObject *changes)
{
    bool *is_matched = PyMem_Calloc(before->count + 1, sizeof *is_matched);
    bool ok = is_matched != NULL;
    uint32_t hint = 0;
    for (uint32_t i = 0; ok && i < now->count; i++) {
        const Global *one = &now->globals[i], *match = NULL;
        for (uint32_t k = 0; k < before->count && match == NULL; k++) {
            uint32_t j = hint + k < before->count ? hint + k : hint + k - before->count;
            PyObject *other = before->globals[j].key;
            if (other == one->key || (PyUnicode_GET_LENGTH(other) == PyUnicode_GET_LENGTH(one->key) &&
                                      PyUnicode_Compare(other, one->key) == 0)) {
                match = &before->globals[j];
                is_matched[j] = true;
                hint = j + 1 < before->count ? j + 1 : 0;
            }
        }
        if (match == NULL ? one->single.identity != 0 : one->single.identity != match->single.identity) {
            ok = add_shallow_change(heap, owner, one, match, now->dict, changes);
        }
    }
    for (uint32_t j = 0; ok && j < before->count; j++) {
        if (!is_matched[j] && before->globals[j].single.identity != 0) {
            ok = add_shallow_change(heap, owner, NULL, &before->globals[j], now->dict, changes);
        }
    }
    PyMem_Free(is_matched);
    return ok;
}

static bool
renew_namespace(Heap *heap, const Owner *owner, Namespace *space, bool compare, PyObject *changes)
{
    Namespace fresh = {.dict = space->dict};
    bool ok = read_namespace(heap, owner, &fresh) &&
              (!compare || compare_namespaces(heap, owner, &fresh, space, changes));
    free_globals(space);
    *space = fresh;
    return ok;
}

static bool
check_class(Heap *heap, ShallowModule *module, ShallowClass *one, PyObject *changes)
{
    Owner owner = {module->name, one->name, (PyObject *)one->type, true};
    return renew_namespace(heap, &owner, &one->space, true, changes);
}

/* The classes that the module defines, after its dictionary has changed; known ones are compared. */
static bool
renew_classes(Heap *heap, ShallowModule *module, bool compare, PyObject *changes)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    uint32_t room = 0, count = 0;
    ShallowClass *classes = NULL;
    bool ok = true;
    while (ok && PyDict_Next(module->space.dict, &position, &key, &value)) {
        if (!PyType_Check(value) || !PyUnicode_CheckExact(key)) {
            continue;
        }
        PyTypeObject *type = (PyTypeObject *)value;
        PyObject *home = module_of_class(type);
        if (home == NULL || PyUnicode_Compare(home, module->name) != 0) {
            continue;
        }
        ok = WITH_ROOM(heap, classes, count, room, 1);
        if (!ok) {
            break;
        }
        ShallowClass *one = &classes[count++];
        *one = (ShallowClass){type, Py_NewRef(key), {.dict = dict_of_class(type)}};
        bool is_known = false;
        for (uint32_t i = 0; i < module->class_count && !is_known; i++) {
            ShallowClass *old = &module->classes[i];
            if (old->type == type && old->space.dict == one->space.dict && old->space.globals != NULL) {
                one->space = old->space;
                old->space = (Namespace){0};
                is_known = true;
            }
        }
        Owner owner = {module->name, one->name, value, true};
        if (!is_known || one->space.version != version_of_dict(one->space.dict)) {
            ok = renew_namespace(heap, &owner, &one->space, compare && is_known, changes);
        }
    }
    free_classes(module);
    module->classes = classes;
    module->class_count = count;
    return ok;
}

static bool
check_module(Heap *heap, ShallowModule *module, PyObject *object, bool is_new, PyObject *changes)
{
    PyObject *dict = dict_of_module(object);
    if (dict == NULL || !PyDict_Check(dict)) {
        return true;
    }
    if (!is_new && module->space.dict == dict && module->space.version == version_of_dict(dict)) {
        for (uint32_t i = 0; i < module->class_count; i++) {
            ShallowClass *one = &module->classes[i];
            if (i + 8 < module->class_count) {
                __builtin_prefetch(&((PyDictObject *)module->classes[i + 8].space.dict)->ma_version_tag);
            }
            if (version_of_dict(one->space.dict) != one->space.version && !check_class(heap, module, one, changes)) {
                return false;
            }
        }
        return true;
    }
    /* Another dictionary under the same name: another module, about which nothing is known. */
    bool compare = !is_new && module->space.dict == dict;
    bool is_builtins = PyUnicode_CompareWithASCIIString(module->name, "builtins") == 0;
    Owner owner = {module->name, NULL, object, is_builtins};
    module->space.dict = dict;
    return renew_namespace(heap, &owner, &module->space, compare, changes) &&
           renew_classes(heap, module, compare, changes);
}

static bool
is_name(PyObject *one, PyObject *other)
{
    return one == other || PyUnicode_Compare(one, other) == 0;
}

static bool
compare_others(Heap *heap, PyObject *shallow, PyObject *changes)
{
    static uint32_t round = 0;
    uint32_t hint = 0;
    round++;
    heap->failed = false;
    heap->referent_count = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(shallow); i++) {
        PyObject *pair = PySequence_Fast_GET_ITEM(shallow, i);
        PyObject *name = PyTuple_GET_ITEM(pair, 0), *object = PyTuple_GET_ITEM(pair, 1);
        if (!PyModule_Check(object)) {
            continue;
        }
        uint32_t found = NO_NODE;
        for (uint32_t k = 0; k < heap->module_count && found == NO_NODE; k++) {
            uint32_t j = hint + k < heap->module_count ? hint + k : hint + k - heap->module_count;
            if (is_name(heap->modules[j].name, name)) {
                found = j;
            }
        }
        bool is_new = found == NO_NODE;
        if (is_new) {
            if (!WITH_ROOM(heap, heap->modules, heap->module_count, heap->module_room, 1)) {
                return false;
            }
            found = heap->module_count++;
            heap->modules[found] = (ShallowModule){.name = Py_NewRef(name)};
        }
        hint = found + 1 < heap->module_count ? found + 1 : 0;
        heap->modules[found].round = round;
        if (!check_module(heap, &heap->modules[found], object, is_new, changes)) {
            return false;
        }
    }
    /* A module that was not passed this time may be dead. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->module_count; i++) {
        if (heap->modules[i].round == round) {
            heap->modules[kept++] = heap->modules[i];
            continue;
        }
        free_globals(&heap->modules[i].space);
        free_classes(&heap->modules[i]);
        Py_DECREF(heap->modules[i].name);
    }
    heap->module_count = kept;
    return true;
}

#endif
