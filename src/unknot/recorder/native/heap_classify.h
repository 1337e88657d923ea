/* Whether a value is compared by content, by identity, or entered. */

#ifndef UNKNOT_HEAP_CLASSIFY_H
#define UNKNOT_HEAP_CLASSIFY_H

#include "heap_expand.h"

#define DEEPEST_TUPLE 6
#define LONGEST_KEY 4096

static uint64_t
hash_of_date(PyObject *object)
{
    if (PyDelta_Check(object)) {
        PyDateTime_Delta *delta = (PyDateTime_Delta *)object;
        return joined(joined((uint64_t)delta->days, (uint64_t)delta->seconds), (uint64_t)delta->microseconds);
    }
    const char *data;
    Py_ssize_t size;
    PyObject *zone = NULL;
    uint64_t fold = 0;
    if (PyDateTime_Check(object)) {
        PyDateTime_DateTime *moment = (PyDateTime_DateTime *)object;
        data = (const char *)moment->data;
        size = _PyDateTime_DATETIME_DATASIZE;
        fold = moment->fold;
        zone = moment->hastzinfo ? moment->tzinfo : NULL;
    }
    else if (PyTime_Check(object)) {
        PyDateTime_Time *moment = (PyDateTime_Time *)object;
        data = (const char *)moment->data;
        size = _PyDateTime_TIME_DATASIZE;
        fold = moment->fold;
        zone = moment->hastzinfo ? moment->tzinfo : NULL;
    }
    else {
        data = (const char *)((PyDateTime_Date *)object)->data;
        size = _PyDateTime_DATE_DATASIZE;
    }
    uint64_t hash = joined(hash_of_all(data, size), fold);
    if (zone != NULL) {
        bool is_plain = Py_TYPE(zone) == known.timezone;
        hash = joined(hash, is_plain ? (uint64_t)known.timezone->tp_hash(zone) : hash_of_text(Py_TYPE(zone)->tp_name));
    }
    return hash;
}

/* Of the builtin's own value, even if the object is of a subclass. */
static uint64_t
hash_of_base_value(PyObject *object, Kind kind)
{
    switch (kind) {
    case BOOL:
        return object == Py_True ? 1 : 2;
    case INT:
        return hash_of_int(object);
    case FLOAT:
        return hash_of_double(PyFloat_AS_DOUBLE(object));
    case COMPLEX: {
        Py_complex value = ((PyComplexObject *)object)->cval;
        return joined(hash_of_double(value.real), hash_of_double(value.imag));
    }
    case STRING:
        if (PyUnicode_CheckExact(object)) {
            return hash_of_string(object);
        }
        return hash_of_bytes(PyUnicode_DATA(object), PyUnicode_GET_LENGTH(object) * (Py_ssize_t)PyUnicode_KIND(object));
    case BYTES:
        return hash_of_bytes(PyBytes_AS_STRING(object), PyBytes_GET_SIZE(object));
    case DATE:
        return hash_of_date(object);
    case HASHABLE: {
        PyTypeObject *base = PyObject_TypeCheck(object, known.decimal) ? known.decimal : known.timezone;
        Py_hash_t hash = base->tp_hash(object);
        if (hash == -1 && PyErr_Occurred()) {
            PyErr_Clear(); /* a signalling NaN */
        }
        return (uint64_t)hash;
    }
    default:
        return 0;
    }
}

static uint64_t
hash_of_pattern(PyObject *object, const TypeInfo *info)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < info->member_count; i++) {
        PyObject *part = *(PyObject **)((char *)object + info->members[i].offset);
        if (part != NULL && PyUnicode_CheckExact(part)) {
            hash = joined(hash, hash_of_string(part));
        }
        else if (part != NULL && PyBytes_CheckExact(part)) {
            hash = joined(hash, hash_of_bytes(PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part)));
        }
    }
    return hash;
}

/* True if the object is an atom, whose content is then in `*content`: builtin immutable types throughout. */
static bool
is_atom(Heap *heap, PyObject *object, int depth, uint64_t *content)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyUnicode_Type) {
        *content = joined(hash_of_string(object), STRING);
        return true;
    }
    if (type == &PyLong_Type) {
        *content = joined(hash_of_int(object), INT);
        return true;
    }
    TypeInfo *info = info_of_type(heap, type);
    if (info == NULL) {
        *content = 0;
        return true;
    }
    Kind kind = (Kind)info->kind;
    if (kind == PATTERN) {
        *content = joined(hash_of_pattern(object, info), info->hash);
        return true;
    }
    if (kind <= INDIFFERENT) {
        *content = joined(hash_of_base_value(object, kind), info->hash);
        return true;
    }
    if (depth >= DEEPEST_TUPLE || (type != &PyTuple_Type && type != &PyFrozenSet_Type)) {
        return false;
    }
    uint32_t hash = info->hash;
    uint64_t all = 0, one;
    if (type == &PyTuple_Type) {
        Py_ssize_t size = PyTuple_GET_SIZE(object);
        if (size > heap->most_of_one) {
            return false;
        }
        for (Py_ssize_t i = 0; i < size; i++) {
            PyObject *item = PyTuple_GET_ITEM(object, i);
            if (item == NULL || !is_atom(heap, item, depth + 1, &one)) {
                return false;
            }
            all = joined(all, one);
        }
    }
    else {
        PyObject *member;
        Py_ssize_t position = 0;
        Py_hash_t unused;
        if (PySet_GET_SIZE(object) > heap->most_of_one) {
            return false;
        }
        while (_PySet_NextEntry(object, &position, &member, &unused)) {
            if (!is_atom(heap, member, depth + 1, &one)) {
                return false;
            }
            all += mixed(one);
        }
    }
    *content = joined(all, hash);
    return true;
}

static uint64_t
hash_of_any_string(PyObject *object)
{
    return object != NULL && PyUnicode_CheckExact(object) ? hash_of_string(object) : 0;
}

static Single
single_of_function(PyObject *object)
{
    PyFunctionObject *function = (PyFunctionObject *)object;
    PyCodeObject *code = (PyCodeObject *)function->func_code;
    uint64_t name = joined(hash_of_any_string(function->func_module), hash_of_any_string(function->func_qualname));
    uint64_t content = joined(name, (uint64_t)code->co_firstlineno);
    return (Single){joined((uint64_t)object, content), content};
}

static Single
single_of_builtin(PyObject *object)
{
    PyCFunctionObject *function = (PyCFunctionObject *)object;
    uint64_t content = hash_of_text(function->m_ml->ml_name);
    return (Single){joined(joined((uint64_t)function->m_ml, (uint64_t)function->m_self), content), content};
}

static Single
single_of_enum_member(Heap *heap, PyObject *object, uint64_t hash)
{
    Attributes found = attributes_of(object);
    uint64_t content = hash, part;
    for (Py_ssize_t i = 0; found.values != NULL && i < shared_keys_count(found.keys); i++) {
        PyObject *key = shared_key(found.keys, i);
        if ((key == known.enum_name || key == known.enum_value) && found.values[i] != NULL &&
            is_atom(heap, found.values[i], 0, &part)) {
            content += mixed(joined(part, key == known.enum_name));
        }
    }
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (found.dict != NULL && PyDict_Next(found.dict, &position, &key, &value)) {
        if ((key == known.enum_name || key == known.enum_value) && is_atom(heap, value, 0, &part)) {
            content += mixed(joined(part, key == known.enum_name));
        }
    }
    return (Single){joined((uint64_t)object, content), content};
}

static PyObject *
name_of_module(PyObject *module)
{
    /* Borrowed, NULL if it has none. */
    PyObject *dict = dict_of_module(module);
    if (dict == NULL || !has_only_string_keys(dict)) {
        return NULL;
    }
    PyObject *name = PyDict_GetItemWithError(dict, known.dunder_name);
    return name != NULL && PyUnicode_CheckExact(name) ? name : NULL;
}

/* For objects compared by identity, and for dictionary keys that are objects. */
static Single
single_of(Heap *heap, PyObject *object, int depth)
{
    uint64_t content;
    if (is_atom(heap, object, depth, &content)) {
        if (PyWeakref_CheckRef(object)) {
            return (Single){(uint64_t)((PyWeakReference *)object)->wr_object, content};
        }
        return (Single){content, content};
    }
    TypeInfo *info = info_of_type(heap, Py_TYPE(object));
    uint64_t type = info->hash;
    switch ((Kind)info->kind) {
    case FUNCTION:
        return single_of_function(object);
    case BUILTIN:
        return single_of_builtin(object);
    case CODE: {
        PyCodeObject *code = (PyCodeObject *)object;
        content = joined(hash_of_any_string(code->co_qualname), (uint64_t)code->co_firstlineno);
        return (Single){joined((uint64_t)object, content), content};
    }
    case ENUM_MEMBER:
        return single_of_enum_member(heap, object, type);
    case CLASS:
        info = info_of_type(heap, (PyTypeObject *)object);
        content = joined(info->hash, type);
        return (Single){joined((uint64_t)object, content), content};
    case MODULE:
        content = joined(hash_of_any_string(name_of_module(object)), type);
        return (Single){joined((uint64_t)object, content), content};
    case TUPLE: {
        Single all = {type, type};
        for (Py_ssize_t i = 0; depth < DEEPEST_TUPLE && i < Py_MIN(PyTuple_GET_SIZE(object), LAST_OF_MANY); i++) {
            Single one = single_of(heap, PyTuple_GET_ITEM(object, i), depth + 1);
            all = (Single){joined(all.identity, one.identity), joined(all.content, one.content)};
        }
        return all;
    }
    default:
        return (Single){joined((uint64_t)object, type), mixed(type)};
    }
}

/* True if it is to be entered; otherwise it is an atom or a single. */
static bool
is_entered(Heap *heap, PyObject *object, TypeInfo *info)
{
    switch ((Kind)info->kind) {
    case FUNCTION:
        return !heap->is_for_fingerprint && is_users_name(heap, ((PyFunctionObject *)object)->func_module);
    case CLASS:
        info = info_of_type(heap, (PyTypeObject *)object);
        return !heap->is_for_fingerprint && info != NULL && is_users_class(heap, info);
    case MODULE:
        return !heap->is_for_fingerprint && is_users_name(heap, name_of_module(object));
    case INSTANCE:
    case OPAQUE:
    case MEMORY:
    case EXCEPTION:
    case THREAD_LOCAL:
        return !is_stopped_type(heap, info);
    default:
        return info->kind > MODULE;
    }
}

/* Keys that are kept, so that they can be named after their removal. They keep no object of the suite alive. */
static bool
is_simple_key(PyObject *key, int depth)
{
    if (PyUnicode_CheckExact(key)) {
        return PyUnicode_GET_LENGTH(key) <= LONGEST_KEY;
    }
    if (PyBytes_CheckExact(key)) {
        return PyBytes_GET_SIZE(key) <= LONGEST_KEY;
    }
    if (PyTuple_CheckExact(key)) {
        if (depth > 2 || PyTuple_GET_SIZE(key) > 16) {
            return false;
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
            if (!is_simple_key(PyTuple_GET_ITEM(key, i), depth + 1)) {
                return false;
            }
        }
        return true;
    }
    return PyLong_CheckExact(key) || PyFloat_CheckExact(key) || PyBool_Check(key) || key == Py_None;
}

#endif
