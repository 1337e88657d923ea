/* Tracking types: exact dicts, lists, sets and modules that are watched get one of these in place of their own.
 *
 * Needed because the interpreter reads exact builtin containers without using their type's slots. A tracking type has
 * the size, layout and flags of its base and poses as it: in name, `__class__`, equality, hash, `isinstance`, calls.
 * Its slots are set after `PyType_Ready`, so that its dict has no `__repr__`, `__iter__` … of its own: `pprint` and
 * others read those. Only `type(x) is dict` shows the difference. */

#ifndef UNKNOT_WATCH_TRACKERS_H
#define UNKNOT_WATCH_TRACKERS_H

#include "watch_operands.h"
#include "watch_slots.h"

typedef struct {
    PyTypeObject type;
    PyTypeObject *base;
    PyMappingMethods mapping;
    PySequenceMethods sequence;
    PyNumberMethods number;
} Tracker;

#define NEW_TRACKER {.type = {PyVarObject_HEAD_INIT(NULL, 0)}}
static Tracker dict_tracker = NEW_TRACKER, list_tracker = NEW_TRACKER, set_tracker = NEW_TRACKER,
               module_tracker = NEW_TRACKER;
static Tracker *const trackers[] = {&dict_tracker, &list_tracker, &set_tracker, &module_tracker};
#define TRACKER_COUNT 4

static inline Tracker *tracker_with_type(const void *type)
{
    for (int i = 0; i < TRACKER_COUNT; i++) {
        if ((const void *)&trackers[i]->type == type) {
            return trackers[i];
        }
    }
    return NULL;
}

static inline Tracker *tracker_for(const void *base)
{
    for (int i = 0; i < TRACKER_COUNT; i++) {
        if ((const void *)trackers[i]->base == base) {
            return trackers[i];
        }
    }
    return NULL;
}

/* What the class of a tracking type does: it poses as the base. */

static PyObject *stood_for(PyObject *type)
{
    Tracker *tracker = tracker_with_type(type);
    return tracker != NULL ? (PyObject *)tracker->base : type;
}

static PyObject *meta_richcompare(PyObject *self, PyObject *other, int operation)
{
    return PyType_Type.tp_richcompare(stood_for(self), stood_for(other), operation);
}

static Py_hash_t meta_hash(PyObject *self)
{
    return PyType_Type.tp_hash(stood_for(self));
}

static PyObject *meta_call(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return PyObject_Call(stood_for(self), arguments, keywords);
}

static PyObject *meta_instancecheck(PyObject *self, PyObject *instance)
{
    int answer = PyObject_IsInstance(instance, stood_for(self));
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *meta_subclasscheck(PyObject *self, PyObject *type)
{
    int answer = PyObject_IsSubclass(type, stood_for(self));
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *meta_class(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef((PyObject *)&PyType_Type);
}

static PyMethodDef meta_methods[] = {
    {"__instancecheck__", meta_instancecheck, METH_O, NULL},
    {"__subclasscheck__", meta_subclasscheck, METH_O, NULL},
    {NULL},
};

static PyGetSetDef meta_getset[] = {{"__class__", meta_class, NULL, NULL, NULL}, {NULL}};

static PyTypeObject Meta_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "type",
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_richcompare = meta_richcompare,
    .tp_hash = meta_hash,
    .tp_call = meta_call,
    .tp_methods = meta_methods,
    .tp_getset = meta_getset,
};

/* What all tracked objects do. */

static void tracked_dealloc(PyObject *self)
{
    PyTypeObject *base = tracker_with_type(Py_TYPE(self))->base;
    /* First, so that free lists and the trash can of deep structures get the type they know. */
    Py_SET_TYPE(self, base);
    entry_drop(self);
    base->tp_dealloc(self);
}

/* If a method creates an object of `type(self)`, it is a plain object. */
static PyObject *tracked_alloc(PyTypeObject *type, Py_ssize_t items)
{
    Tracker *tracker = tracker_with_type(type);
    PyTypeObject *base = tracker != NULL ? tracker->base : type;
    return base->tp_alloc(base, items);
}

static PyObject *tracked_class(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(stood_for((PyObject *)Py_TYPE(self)));
}

/* Allowed for modules only; for the others this gives the usual error. The new class is hooked (watch_hooked.h). */
static int tracked_set_class(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    Tracker *tracker = tracker_with_type(Py_TYPE(self));
    Py_SET_TYPE(self, tracker->base);
    PyObject *name = PyUnicode_InternFromString("__class__");
    int failed = name == NULL ? -1 : PyObject_GenericSetAttr(self, name, value);
    Py_XDECREF(name);
    if (failed) {
        Py_SET_TYPE(self, &tracker->type);
    }
    return failed;
}

static PyGetSetDef tracked_getset[] = {{"__class__", tracked_class, tracked_set_class, NULL, NULL}, {NULL}};

/* How `pickle` and `copy` reduce an exact container. Without this they would search for the tracking type by name. */
static PyObject *tracked_reduce(PyObject *self, PyObject *Py_UNUSED(protocol))
{
    note_all(self);
    PyObject *content, *answer = NULL;
    if (PyDict_Check(self)) {
        PyObject *items = PyDict_Items(self);
        content = items != NULL ? PyObject_GetIter(items) : NULL;
        Py_XDECREF(items);
        if (content != NULL) {
            answer = Py_BuildValue("O()OOO", &PyDict_Type, Py_None, Py_None, content);
        }
    }
    else if (PyList_Check(self)) {
        content = PyList_Type.tp_iter(self);
        if (content != NULL) {
            answer = Py_BuildValue("O()OO", &PyList_Type, Py_None, content);
        }
    }
    else {
        content = PySequence_List(self);
        if (content != NULL) {
            answer = Py_BuildValue("O(O)", &PySet_Type, content);
        }
    }
    Py_XDECREF(content);
    return answer;
}

static PyMethodDef tracked_methods[] = {{"__reduce_ex__", tracked_reduce, METH_O, NULL}, {NULL}};

/* Comparison. CPython tries the right operand first if it is of a subclass of the left one's class, as a tracked object
 * seems to be, but not for a true subclass of the class that a tracked object represents. Both are corrected, because
 * the entries are compared in the order of the operands, and the result of some depends on it. */

static const int swapped[] = {Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE};

static PyObject *tracked_richcompare(PyObject *self, PyObject *other, int operation)
{
    note_all(self);
    note_all(other);
    PyTypeObject *base = Py_TYPE(self)->tp_base;
    if (is_of_subclass(other, self) && Py_TYPE(other)->tp_richcompare != NULL) {
        PyObject *answer = Py_TYPE(other)->tp_richcompare(other, self, swapped[operation]);
        if (answer != Py_NotImplemented) {
            return answer;
        }
        Py_DECREF(answer);
    }
    if (Py_IS_TYPE(other, base) && stands_left_of(other, self)) {
        return base->tp_richcompare(other, self, swapped[operation]);
    }
    return base->tp_richcompare(self, other, operation);
}

/* dict */

static void raise_key_error(PyObject *key)
{
    PyObject *arguments = PyTuple_Pack(1, key);
    if (arguments != NULL) {
        PyErr_SetObject(PyExc_KeyError, arguments);
        Py_DECREF(arguments);
    }
}

/* Every lookup of a builtin name from a watched module fails here first, and the interpreter drops the error at once.
 * From 3.12 on an error is an object from the start: one is kept and reused while nothing else refers to it. */
#if PY_VERSION_HEX >= 0x030C0000
static PyObject *spare_error;

/* Other code may have caught it: it refers to the frames it passed, which must not live longer than usual. */
static void spare_error_clean(void)
{
    if (spare_error != NULL && Py_REFCNT(spare_error) == 1) {
        PyBaseExceptionObject *error = (PyBaseExceptionObject *)spare_error;
        Py_CLEAR(error->dict);
        Py_CLEAR(error->notes);
        Py_CLEAR(error->traceback);
        Py_CLEAR(error->context);
        Py_CLEAR(error->cause);
        error->suppress_context = 0;
    }
}

static void raise_spare_error(PyObject *key)
{
    PyObject *arguments = PyTuple_Pack(1, key);
    if (arguments == NULL) {
        return;
    }
    if (spare_error == NULL || Py_REFCNT(spare_error) > 1) {
        Py_XSETREF(spare_error, PyObject_Call(PyExc_KeyError, arguments, NULL));
    }
    else {
        spare_error_clean();
        Py_XSETREF(((PyBaseExceptionObject *)spare_error)->args, Py_NewRef(arguments));
    }
    Py_DECREF(arguments);
    if (spare_error != NULL) {
        PyErr_SetRaisedException(Py_NewRef(spare_error));
    }
}
#else
static void spare_error_clean(void) {}

static void raise_spare_error(PyObject *key)
{
    PyErr_Restore(Py_NewRef(PyExc_KeyError), Py_NewRef(key), NULL);
}
#endif

/* Not while another error is handled, which would have to become its context. */
static int is_global_lookup(PyObject *dict, PyObject *key)
{
    if (!PyUnicode_CheckExact(key) || PyEval_GetGlobals() != dict) {
        return 0;
    }
    PyObject *handled = PyErr_GetHandledException();
    Py_XDECREF(handled);
    return handled == NULL || handled == Py_None;
}

/* Every global name of a watched module comes here too, so it does not check for `__missing__` as dict's own does. */
static PyObject *tracked_dict_subscript(PyObject *self, PyObject *key)
{
    note_key(self, key);
    PyObject *value = PyDict_GetItemWithError(self, key);
    if (value == NULL && !PyErr_Occurred()) {
        if (is_global_lookup(self, key)) {
            raise_spare_error(key);
        }
        else {
            raise_key_error(key);
        }
    }
    return Py_XNewRef(value);
}

/* list */

/* List has no `nb_add`. With one, `plain + tracked` comes here before the plain list reads the other's memory. */
static PyObject *tracked_list_add(PyObject *left, PyObject *right)
{
    note_all(left);
    note_all(right);
    Py_RETURN_NOTIMPLEMENTED;
}

/* `tracked += …` only writes. NotImplemented leads to list's own. */
static PyObject *tracked_list_add_in_place(PyObject *left, PyObject *right)
{
    if (Py_IS_TYPE(left, &list_tracker.type)) {
        note_all(right);
        return PyList_Type.tp_as_sequence->sq_inplace_concat(left, right);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

/* set */

/* The repr of a set includes the name of a subclass; a tracked set must be shown like the base. */
static PyObject *tracked_set_repr(PyObject *self)
{
    note_all(self);
    PyObject *text = PySet_Type.tp_repr(self);
    if (text != NULL && PySet_GET_SIZE(self) > 0 && PyUnicode_GET_LENGTH(text) > 6
        && PyUnicode_READ_CHAR(text, 4) == '{') {
        Py_SETREF(text, PyUnicode_Substring(text, 4, PyUnicode_GET_LENGTH(text) - 1));
    }
    return text;
}

/* module */

static PyObject *tracked_module_getattro(PyObject *self, PyObject *name)
{
    note_key(self, name);
    return PyModule_Type.tp_getattro(self, name);
}

static PyObject *tracked_module_setattr(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "expected 2 arguments, got %zd", count);
    }
    if (PyModule_Type.tp_setattro(self, arguments[0], arguments[1]) < 0) {
        return NULL;
    }
    note_written(self, arguments[0]);
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    {"__setattr__", (PyCFunction)(void (*)(void))tracked_module_setattr, METH_FASTCALL, NULL},
    {NULL},
};

/* The slot of classes with a `__setattr__` in Python. `object.__setattr__(module, …)` refuses any other than this and
 * its own. */
static setattrofunc slot_of_python_classes(void)
{
    PyObject *trial = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){sO}", "trial", "__setattr__", Py_None);
    setattrofunc slot = trial != NULL ? ((PyTypeObject *)trial)->tp_setattro : NULL;
    Py_XDECREF(trial);
    return slot;
}

/* Making them. */

static int tracker_ready(Tracker *tracker, PyTypeObject *base, PyMethodDef *methods)
{
    PyTypeObject *type = &tracker->type;
    Py_SET_TYPE(type, &Meta_Type);
    type->tp_name = base->tp_name;
    type->tp_doc = base->tp_doc;
    type->tp_base = base;
    type->tp_basicsize = base->tp_basicsize;
    type->tp_itemsize = base->tp_itemsize;
    type->tp_flags = Py_TPFLAGS_DEFAULT;
    type->tp_getset = tracked_getset;
    type->tp_methods = methods;
    tracker->base = base;
    if (PyType_Ready(type) < 0) {
        return -1;
    }
    PyObject *dict = type->tp_dict;
    if (PyDict_SetItemString(dict, "__unknot_tracks__", (PyObject *)base) < 0) {
        return -1;
    }
    PyType_Modified(type);
    TypeRecord *record = record_make(type);
    if (record == NULL) {
        return -1;
    }
    record->hooked = 1;
    record->iter = base->tp_iter;
    record->repr = base->tp_repr;
    record->richcompare = base->tp_richcompare;
#define COPY_METHODS(FIELD, SLOTS)                            \
    if (base->SLOTS != NULL) {                                \
        record->FIELD = tracker->FIELD = *base->SLOTS;        \
    }                                                         \
    type->SLOTS = &tracker->FIELD;
    COPY_METHODS(mapping, tp_as_mapping)
    COPY_METHODS(sequence, tp_as_sequence)
    COPY_METHODS(number, tp_as_number)
#undef COPY_METHODS
    type->tp_dealloc = tracked_dealloc;
    type->tp_alloc = tracked_alloc;
    type->tp_hash = base->tp_hash;
    return 0;
}

static void note_content_reads(PyTypeObject *type)
{
    type->tp_iter = noting_iter;
    type->tp_repr = noting_repr;
    type->tp_richcompare = tracked_richcompare;
}

static int trackers_ready(void)
{
    Meta_Type.tp_base = &PyType_Type;
    if (PyType_Ready(&Meta_Type) < 0 || tracker_ready(&dict_tracker, &PyDict_Type, tracked_methods) < 0
        || tracker_ready(&list_tracker, &PyList_Type, tracked_methods) < 0
        || tracker_ready(&set_tracker, &PySet_Type, tracked_methods) < 0
        || tracker_ready(&module_tracker, &PyModule_Type, module_methods) < 0) {
        return -1;
    }
    note_content_reads(&dict_tracker.type);
    dict_tracker.mapping.mp_subscript = tracked_dict_subscript;
    dict_tracker.mapping.mp_ass_subscript = noting_assignment;
    dict_tracker.mapping.mp_length = noting_mapping_length;
    dict_tracker.sequence.sq_contains = noting_contains;
    dict_tracker.number.nb_or = noting_nb_or;

    note_content_reads(&list_tracker.type);
    list_tracker.mapping.mp_subscript = noting_subscript_of_all;
    list_tracker.mapping.mp_length = noting_mapping_length;
    list_tracker.sequence.sq_length = noting_length;
    list_tracker.sequence.sq_item = noting_item;
    list_tracker.sequence.sq_contains = noting_contains_in_all;
    list_tracker.sequence.sq_concat = noting_concat;
    list_tracker.sequence.sq_repeat = noting_repeat;
    list_tracker.sequence.sq_inplace_repeat = noting_repeat_in_place;
    list_tracker.number.nb_add = tracked_list_add;
    list_tracker.number.nb_inplace_add = tracked_list_add_in_place;

    note_content_reads(&set_tracker.type);
    set_tracker.type.tp_repr = tracked_set_repr;
    set_tracker.sequence.sq_length = noting_length;
    set_tracker.sequence.sq_contains = noting_contains;
    set_tracker.number.nb_or = noting_nb_or;
    set_tracker.number.nb_and = noting_nb_and;
    set_tracker.number.nb_xor = noting_nb_xor;
    set_tracker.number.nb_subtract = noting_nb_subtract;

    module_tracker.type.tp_getattro = tracked_module_getattro;
    module_tracker.type.tp_setattro = slot_of_python_classes();
    return module_tracker.type.tp_setattro != NULL ? 0 : -1;
}

/* Switching an object to a tracking type and back. */

static void track(PyObject *object)
{
    Tracker *tracker = tracker_for(Py_TYPE(object));
    if (tracker != NULL) {
        Py_SET_TYPE(object, &tracker->type);
    }
}

static void untrack(PyObject *object)
{
    Tracker *tracker = tracker_with_type(Py_TYPE(object));
    if (tracker != NULL) {
        Py_SET_TYPE(object, tracker->base);
    }
}

#endif
