/* CPython's internal layouts, version by version. Nothing outside this file depends on the version. Everything is read
   in place: no dictionary is materialised, no frame object is made. */

#ifndef UNKNOT_HEAP_LAYOUT_H
#define UNKNOT_HEAP_LAYOUT_H

#define PY_SSIZE_T_CLEAN
#define Py_BUILD_CORE_MODULE 1
#include <Python.h>
#if PY_VERSION_HEX >= 0x030E0000
#error "the layouts of this Python are not known"
#endif
#ifdef Py_GIL_DISABLED
#error "the heap walk needs the GIL"
#endif
#include <datetime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <structmember.h>

#include "internal/pycore_dict.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_object.h"
#if PY_VERSION_HEX >= 0x030D0000
#include "internal/pycore_setobject.h"
#endif

/* The attributes of an instance: in a dictionary, or as values beside keys that the class shares, or none. */
typedef struct {
    PyObject *dict;
    PyDictKeysObject *keys;
    PyObject **values;
} Attributes;

static inline PyObject *
dict_at_offset(PyObject *object, PyTypeObject *type)
{
    Py_ssize_t offset = type->tp_dictoffset;
    if (offset == 0) {
        return NULL;
    }
    if (offset < 0) {
        Py_ssize_t size = Py_ABS(Py_SIZE(object));
#if PY_VERSION_HEX >= 0x030C0000
        if (PyLong_Check(object)) {
            size = (Py_ssize_t)(((PyLongObject *)object)->long_value.lv_tag >> 3);
        }
#endif
        offset += (Py_ssize_t)_PyObject_VAR_SIZE(type, size);
    }
    return *(PyObject **)((char *)object + offset);
}

static inline Attributes
attributes_of(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Attributes found = {NULL, NULL, NULL};
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        found.dict = dict_at_offset(object, type);
        return found;
    }
    PyDictValues *values = NULL;
#if PY_VERSION_HEX >= 0x030D0000
    found.dict = (PyObject *)_PyObject_GetManagedDict(object);
    if (found.dict == NULL && (type->tp_flags & Py_TPFLAGS_INLINE_VALUES)) {
        values = _PyObject_InlineValues(object);
        values = values->valid ? values : NULL;
    }
#elif PY_VERSION_HEX >= 0x030C0000
    PyDictOrValues either = *_PyObject_DictOrValuesPointer(object);
    if (_PyDictOrValues_IsValues(either)) {
        values = _PyDictOrValues_GetValues(either);
    }
    else {
        found.dict = _PyDictOrValues_GetDict(either);
    }
#else
    values = *_PyObject_ValuesPointer(object);
    if (values == NULL) {
        found.dict = *_PyObject_ManagedDictPointer(object);
    }
#endif
    if (values != NULL) {
        found.keys = ((PyHeapTypeObject *)type)->ht_cached_keys;
        found.values = found.keys == NULL ? NULL : values->values;
    }
    return found;
}

static inline Py_ssize_t
shared_keys_count(PyDictKeysObject *keys)
{
    return keys->dk_nentries;
}

static inline PyObject *
shared_key(PyDictKeysObject *keys, Py_ssize_t index)
{
    return DK_UNICODE_ENTRIES(keys)[index].me_key;
}

/* True if every key is an exact string: then a lookup by an exact string runs no `__eq__` of the suite. */
static inline bool
has_only_string_keys(PyObject *dict)
{
    return DK_IS_UNICODE(((PyDictObject *)dict)->ma_keys);
}

/* Where PyDict_Next must start to yield about the last `wanted` entries. */
static inline Py_ssize_t
position_before_last(PyObject *dict, Py_ssize_t wanted)
{
    Py_ssize_t entries = ((PyDictObject *)dict)->ma_keys->dk_nentries;
    return entries > wanted ? entries - wanted : 0;
}

/* A new number whenever the dictionary may have changed; never equal for two dictionaries. */
static inline uint64_t
version_of_dict(PyObject *dict)
{
    return ((PyDictObject *)dict)->ma_version_tag;
}

/* The position of a generator, coroutine or asynchronous generator. */
static inline int64_t
position_of_generator(PyObject *object)
{
    PyGenObject *generator = (PyGenObject *)object;
    if (generator->gi_frame_state >= FRAME_COMPLETED) {
        return -2;
    }
    _PyInterpreterFrame *frame = (_PyInterpreterFrame *)generator->gi_iframe;
    return _PyInterpreterFrame_LASTI(frame);
}

/* The key of the current thread in a threading.local; NULL if the thread has not used it. Borrowed. */
static inline PyObject *
token_of_thread(PyObject *thread_local_object)
{
#if PY_VERSION_HEX >= 0x030D0000
    (void)thread_local_object;
    return PyThreadState_Get()->threading_local_key;
#else
    PyObject *key = ((PyObject **)thread_local_object)[2];
    PyObject *dict = PyThreadState_GetDict();
    return dict != NULL && key != NULL && PyUnicode_CheckExact(key) ? PyDict_GetItemWithError(dict, key) : NULL;
#endif
}

static inline PyObject *
dict_of_module(PyObject *module)
{
    return ((PyObject **)module)[2];
}

static inline PyObject *
dict_of_class(PyTypeObject *type)
{
    return type->tp_dict;
}

/* How `_io.BytesIO` and `_io.StringIO` begin in memory. `Heap` checks by trial whether they do. */
typedef struct {
    PyObject_HEAD
    void *buffer; /* BytesIO: a bytes object. */
    Py_ssize_t position;
    Py_ssize_t size;
} Buffer;

#endif
