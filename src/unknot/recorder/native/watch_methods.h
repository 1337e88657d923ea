/* Methods of the builtin containers, however they are called: `d.get(k)`, `dict.get(d, k)`, `copy.copy(d)`.
 *
 * While something is watched, the method objects of dict, list, set … point to our functions, which call the original
 * and note the read before it, or the write after it, if the object is watched. Costs 2-3 ns for every call of such a
 * method in the process.
 * Plain sets read the memory of other sets directly: their constructors and in-place operators are handled here. */

#ifndef UNKNOT_WATCH_METHODS_H
#define UNKNOT_WATCH_METHODS_H

#include "watch_trackers.h"

typedef PyObject *const *Arguments;

static inline void reads_all(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    note_all(self);
}

static inline void reads_key(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    if (count > 0) {
        note_key(self, arguments[0]);
    }
}

static inline void reads_others(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        note_all(arguments[i]);
    }
}

static inline void reads_all_and_others(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    note_all(self);
    reads_others(self, arguments, count);
}

static inline void reads_nothing(PyObject *self, Arguments arguments, Py_ssize_t count) {}
static inline void writes_nothing(PyObject *self, Arguments arguments, Py_ssize_t count) {}

static inline void writes_key(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    if (count > 0) {
        note_written(self, arguments[0]);
    }
}

static int is_builtin_container(PyObject *object)
{
    return PyAnySet_CheckExact(object) || PyList_CheckExact(object) || PyTuple_CheckExact(object);
}

/* Adds the members of the arguments. Others than builtin containers would run code of the suite. */
static void writes_others(PyObject *self, Arguments arguments, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; LISTENING() && entry_find(self) != NULL && i < count; i++) {
        PyObject *members = is_builtin_container(arguments[i]) ? PyObject_GetIter(arguments[i]) : NULL, *member;
        while (members != NULL && (member = PyIter_Next(members)) != NULL) {
            note_written(self, member);
            Py_DECREF(member);
        }
        Py_XDECREF(members);
        PyErr_Clear();
    }
}

/* Methods whose writes are not noted have no line here: append, extend, insert, clear, `dict.update` … */
#define METHODS(X)                                                            \
    X(dict, get, reads_key, writes_nothing)                                   \
    X(dict, pop, reads_key, writes_nothing)                                   \
    X(dict, setdefault, reads_key, writes_nothing)                            \
    X(dict, popitem, reads_all, writes_nothing)                               \
    X(dict, keys, reads_all, writes_nothing)                                  \
    X(dict, values, reads_all, writes_nothing)                                \
    X(dict, items, reads_all, writes_nothing)                                 \
    X(dict, copy, reads_all, writes_nothing)                                  \
    X(dict, __contains__, reads_key, writes_nothing)                          \
    X(dict, __getitem__, reads_key, writes_nothing)                           \
    X(dict, __reversed__, reads_all, writes_nothing)                          \
    X(list, copy, reads_all, writes_nothing)                                  \
    X(list, index, reads_all, writes_nothing)                                 \
    X(list, count, reads_all, writes_nothing)                                 \
    X(list, pop, reads_all, writes_nothing)                                   \
    X(list, remove, reads_all, writes_nothing)                                \
    X(list, sort, reads_all, writes_nothing)                                  \
    X(list, reverse, reads_all, writes_nothing)                               \
    X(list, __getitem__, reads_all, writes_nothing)                           \
    X(list, __reversed__, reads_all, writes_nothing)                          \
    X(set, add, reads_nothing, writes_key)                                    \
    X(set, discard, reads_nothing, writes_key)                                \
    X(set, copy, reads_all, writes_nothing)                                   \
    X(set, pop, reads_all, writes_nothing)                                    \
    X(set, remove, reads_key, writes_nothing)                                 \
    X(set, __contains__, reads_key, writes_nothing)                           \
    X(set, __reduce__, reads_all, writes_nothing)                             \
    X(set, union, reads_all_and_others, writes_nothing)                       \
    X(set, intersection, reads_all_and_others, writes_nothing)                \
    X(set, difference, reads_all_and_others, writes_nothing)                  \
    X(set, symmetric_difference, reads_all_and_others, writes_nothing)        \
    X(set, isdisjoint, reads_all_and_others, writes_nothing)                  \
    X(set, issubset, reads_all_and_others, writes_nothing)                    \
    X(set, issuperset, reads_all_and_others, writes_nothing)                  \
    X(set, update, reads_others, writes_others)                               \
    X(set, intersection_update, reads_others, writes_nothing)                 \
    X(set, difference_update, reads_others, writes_nothing)                   \
    X(set, symmetric_difference_update, reads_others, writes_nothing)         \
    X(frozenset, union, reads_others, writes_nothing)                         \
    X(frozenset, intersection, reads_others, writes_nothing)                  \
    X(frozenset, difference, reads_others, writes_nothing)                    \
    X(frozenset, symmetric_difference, reads_others, writes_nothing)          \
    X(frozenset, isdisjoint, reads_others, writes_nothing)                    \
    X(frozenset, issubset, reads_others, writes_nothing)                      \
    X(frozenset, issuperset, reads_others, writes_nothing)                    \
    X(deque, copy, reads_all, writes_nothing)                                 \
    X(deque, __copy__, reads_all, writes_nothing)                             \
    X(deque, pop, reads_all, writes_nothing)                                  \
    X(deque, popleft, reads_all, writes_nothing)                              \
    X(deque, count, reads_all, writes_nothing)                                \
    X(deque, index, reads_all, writes_nothing)                                \
    X(deque, remove, reads_all, writes_nothing)                               \
    X(deque, reverse, reads_all, writes_nothing)                              \
    X(deque, __reversed__, reads_all, writes_nothing)                         \
    X(deque, __reduce__, reads_all, writes_nothing)                           \
    X(odict, pop, reads_key, writes_nothing)                                  \
    X(odict, setdefault, reads_key, writes_nothing)                           \
    X(odict, move_to_end, reads_key, writes_nothing)                          \
    X(odict, popitem, reads_all, writes_nothing)                              \
    X(odict, keys, reads_all, writes_nothing)                                 \
    X(odict, values, reads_all, writes_nothing)                               \
    X(odict, items, reads_all, writes_nothing)                                \
    X(odict, copy, reads_all, writes_nothing)                                 \
    X(odict, __reversed__, reads_all, writes_nothing)                         \
    X(odict, __reduce__, reads_all, writes_nothing)                           \
    X(defaultdict, copy, reads_all, writes_nothing)                           \
    X(defaultdict, __copy__, reads_all, writes_nothing)                       \
    X(defaultdict, __reduce__, reads_all, writes_nothing)

static PyTypeObject *deque_type, *defaultdict_type;
#define TYPE_OF_dict (&PyDict_Type)
#define TYPE_OF_list (&PyList_Type)
#define TYPE_OF_set (&PySet_Type)
#define TYPE_OF_frozenset (&PyFrozenSet_Type)
#define TYPE_OF_odict (&PyODict_Type)
#define TYPE_OF_deque deque_type
#define TYPE_OF_defaultdict defaultdict_type

/* One function for each method and calling convention: a method has no other place to store its original. */
typedef struct {
    PyMethodDef *former;
    PyMethodDef ours;
    PyMethodDescrObject *descriptor; /* Strong. */
} Method;

#define CALLED_AS(METHOD, CONVENTION) ((CONVENTION)(void (*)(void))METHOD.former->ml_meth)
#define NOTING(READS, WRITES, CALL, ARGUMENTS, COUNT) \
    READS(self, ARGUMENTS, COUNT);                    \
    PyObject *answer = CALL;                          \
    if (answer != NULL) {                             \
        WRITES(self, ARGUMENTS, COUNT);               \
    }                                                 \
    return answer;
#define DEFINE_METHOD(TYPE, NAME, READS, WRITES)                                                                    \
    static Method TYPE##_##NAME;                                                                                    \
    static PyObject *TYPE##_##NAME##_none(PyObject *self, PyObject *nothing)                                        \
    {                                                                                                               \
        NOTING(READS, WRITES, TYPE##_##NAME.former->ml_meth(self, nothing), NULL, 0)                                \
    }                                                                                                               \
    static PyObject *TYPE##_##NAME##_one(PyObject *self, PyObject *argument)                                        \
    {                                                                                                               \
        NOTING(READS, WRITES, TYPE##_##NAME.former->ml_meth(self, argument), &argument, 1)                          \
    }                                                                                                               \
    static PyObject *TYPE##_##NAME##_tuple(PyObject *self, PyObject *arguments)                                     \
    {                                                                                                               \
        NOTING(READS, WRITES, TYPE##_##NAME.former->ml_meth(self, arguments),                                       \
               ((PyTupleObject *)arguments)->ob_item, PyTuple_GET_SIZE(arguments))                                  \
    }                                                                                                               \
    static PyObject *TYPE##_##NAME##_fast(PyObject *self, Arguments arguments, Py_ssize_t count)                    \
    {                                                                                                               \
        NOTING(READS, WRITES, CALLED_AS(TYPE##_##NAME, _PyCFunctionFast)(self, arguments, count), arguments, count) \
    }                                                                                                               \
    static PyObject *TYPE##_##NAME##_keywords(PyObject *self, Arguments arguments, Py_ssize_t count, PyObject *k)   \
    {                                                                                                               \
        NOTING(READS, WRITES, CALLED_AS(TYPE##_##NAME, _PyCFunctionFastWithKeywords)(self, arguments, count, k),    \
               arguments, count)                                                                                    \
    }
METHODS(DEFINE_METHOD)
#undef DEFINE_METHOD

#define ANY_FUNCTION(FUNCTION) ((PyCFunction)(void (*)(void))FUNCTION)
static const struct {
    Method *method;
    const char *type, *name;
    PyCFunction none, one, tuple, fast, keywords;
} method_table[] = {
#define LIST_METHOD(TYPE, NAME, READS, WRITES)                                                                           \
    {&TYPE##_##NAME, #TYPE, #NAME, TYPE##_##NAME##_none, TYPE##_##NAME##_one, TYPE##_##NAME##_tuple,            \
     ANY_FUNCTION(TYPE##_##NAME##_fast), ANY_FUNCTION(TYPE##_##NAME##_keywords)},
    METHODS(LIST_METHOD)
#undef LIST_METHOD
};
#define METHOD_COUNT (sizeof(method_table) / sizeof(method_table[0]))

static PyObject *type_dict(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_GetDict(type);
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

/* A method that this Python lacks, or calls in an unknown way, stays as it is. */
static void method_ready(size_t index, PyTypeObject *type)
{
    PyObject *dict = type_dict(type);
    PyObject *found = dict != NULL ? PyDict_GetItemString(dict, method_table[index].name) : NULL;
    Py_XDECREF(dict);
    if (found == NULL || !Py_IS_TYPE(found, &PyMethodDescr_Type)) {
        return;
    }
    Method *method = method_table[index].method;
    PyMethodDef *former = ((PyMethodDescrObject *)found)->d_method;
    PyCFunction ours = NULL;
    switch (former->ml_flags & ~METH_COEXIST) {
    case METH_NOARGS: ours = method_table[index].none; break;
    case METH_O: ours = method_table[index].one; break;
    case METH_VARARGS: ours = method_table[index].tuple; break;
    case METH_FASTCALL: ours = method_table[index].fast; break;
    case METH_FASTCALL | METH_KEYWORDS: ours = method_table[index].keywords; break;
    }
    if (ours != NULL) {
        method->former = former;
        method->ours = *former;
        method->ours.ml_meth = ours;
        method->descriptor = (PyMethodDescrObject *)Py_NewRef(found);
    }
}

static int methods_ready(void)
{
    PyObject *collections = PyImport_ImportModule("_collections");
    if (collections == NULL) {
        return -1;
    }
    deque_type = (PyTypeObject *)PyObject_GetAttrString(collections, "deque");
    defaultdict_type = (PyTypeObject *)PyObject_GetAttrString(collections, "defaultdict");
    Py_DECREF(collections);
    if (deque_type == NULL || defaultdict_type == NULL) {
        return -1;
    }
    size_t index = 0;
#define READY_METHOD(TYPE, NAME, READS, WRITES) method_ready(index++, TYPE_OF_##TYPE);
    METHODS(READY_METHOD)
#undef READY_METHOD
    return 0;
}

/* Constructors and in-place operators of sets. */

static vectorcallfunc former_set_call, former_frozenset_call;

static PyObject *noting_set_call(PyObject *type, Arguments arguments, size_t flags, PyObject *names)
{
    reads_others(type, arguments, PyVectorcall_NARGS(flags));
    return former_set_call(type, arguments, flags, names);
}

static PyObject *noting_frozenset_call(PyObject *type, Arguments arguments, size_t flags, PyObject *names)
{
    reads_others(type, arguments, PyVectorcall_NARGS(flags));
    return former_frozenset_call(type, arguments, flags, names);
}

#define SET_OPERATORS(X)                      \
    X(nb_inplace_or, writes_others)           \
    X(nb_inplace_and, writes_nothing)         \
    X(nb_inplace_xor, writes_nothing)         \
    X(nb_inplace_subtract, writes_nothing)
#define DEFINE_OPERATOR(SLOT, WRITES)                                           \
    static binaryfunc former_set_##SLOT;                                        \
    static PyObject *noting_set_##SLOT(PyObject *self, PyObject *other)         \
    {                                                                           \
        NOTING(reads_others, WRITES, former_set_##SLOT(self, other), &other, 1) \
    }
SET_OPERATORS(DEFINE_OPERATOR)
#undef DEFINE_OPERATOR

/* Marshal accepts exact types only and runs no Python code: it gets them. */

static Method marshal_dumps, marshal_dump;

static void types_of_all(int tracking)
{
    for (size_t i = 0; entries.buckets != NULL && i <= entries.mask; i++) {
        for (Entry *entry = entries.buckets[i]; entry != NULL; entry = entry->next) {
            Tracker *tracker = tracker_with_type(entry->type);
            if (tracker != NULL) {
                Py_SET_TYPE(entry->object, tracking ? &tracker->type : tracker->base);
            }
        }
    }
}

/* Calls it by the convention of this Python version. */
static PyObject *call_former(Method *method, PyObject *module, Arguments arguments, Py_ssize_t count, PyObject *names)
{
    if (method->former->ml_flags & METH_KEYWORDS) {
        return CALLED_AS((*method), _PyCFunctionFastWithKeywords)(module, arguments, count, names);
    }
    return CALLED_AS((*method), _PyCFunctionFast)(module, arguments, count);
}

static PyObject *dumps_with_keywords(PyObject *module, Arguments arguments, Py_ssize_t count, PyObject *names)
{
    reads_others(module, arguments, count);
    types_of_all(0);
    PyObject *answer = call_former(&marshal_dumps, module, arguments, count, names);
    types_of_all(1);
    return answer;
}

static PyObject *dumps_without_keywords(PyObject *module, Arguments arguments, Py_ssize_t count)
{
    return dumps_with_keywords(module, arguments, count, NULL);
}

/* Like `marshal.dump`, in its two steps: the second one runs Python code. */
static PyObject *dump_with_keywords(PyObject *module, Arguments arguments, Py_ssize_t count, PyObject *names)
{
    Py_ssize_t all = count + (names != NULL ? PyTuple_GET_SIZE(names) : 0);
    if (count < 2 || all > 4) {
        return call_former(&marshal_dump, module, arguments, count, names);
    }
    PyObject *without_file[4] = {arguments[0]};
    for (Py_ssize_t i = 2; i < all; i++) {
        without_file[i - 1] = arguments[i];
    }
    PyObject *bytes = dumps_with_keywords(module, without_file, count - 1, names);
    PyObject *answer = bytes != NULL ? PyObject_CallMethod(arguments[1], "write", "O", bytes) : NULL;
    Py_XDECREF(bytes);
    return answer;
}

static PyObject *dump_without_keywords(PyObject *module, Arguments arguments, Py_ssize_t count)
{
    return dump_with_keywords(module, arguments, count, NULL);
}

static void swap_function(PyObject *module, const char *name, Method *method, PyCFunction plain, PyCFunction keywords)
{
    PyObject *found = PyObject_GetAttrString(module, name);
    if (found != NULL && PyCFunction_CheckExact(found)) {
        PyCFunctionObject *function = (PyCFunctionObject *)found;
        int flags = function->m_ml->ml_flags;
        PyCFunction ours = flags == METH_FASTCALL ? plain : flags == (METH_FASTCALL | METH_KEYWORDS) ? keywords : NULL;
        if (ours != NULL && function->m_ml != &method->ours) {
            method->former = function->m_ml;
            method->ours = *function->m_ml;
            method->ours.ml_meth = ours;
            function->m_ml = &method->ours;
        }
    }
    Py_XDECREF(found);
}

static void swap_function_back(PyObject *module, const char *name, Method *method)
{
    PyObject *found = PyObject_GetAttrString(module, name);
    if (found != NULL && PyCFunction_CheckExact(found) && ((PyCFunctionObject *)found)->m_ml == &method->ours) {
        ((PyCFunctionObject *)found)->m_ml = method->former;
    }
    Py_XDECREF(found);
}

static void swap_marshal(int ours)
{
    PyObject *module = PyImport_ImportModule("marshal");
    if (module != NULL && ours) {
        swap_function(module, "dumps", &marshal_dumps, ANY_FUNCTION(dumps_without_keywords),
                      ANY_FUNCTION(dumps_with_keywords));
        swap_function(module, "dump", &marshal_dump, ANY_FUNCTION(dump_without_keywords),
                      ANY_FUNCTION(dump_with_keywords));
    }
    else if (module != NULL) {
        swap_function_back(module, "dumps", &marshal_dumps);
        swap_function_back(module, "dump", &marshal_dump);
    }
    PyErr_Clear();
    Py_XDECREF(module);
}

/* Switching everything on and off. */

static int methods_are_ours;

static void methods_take(void)
{
    if (methods_are_ours) {
        return;
    }
    methods_are_ours = 1;
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        Method *method = method_table[i].method;
        if (method->descriptor != NULL) {
            method->descriptor->d_method = &method->ours;
        }
    }
    former_set_call = PySet_Type.tp_vectorcall;
    former_frozenset_call = PyFrozenSet_Type.tp_vectorcall;
    PySet_Type.tp_vectorcall = noting_set_call;
    PyFrozenSet_Type.tp_vectorcall = noting_frozenset_call;
#define TAKE_OPERATOR(SLOT, WRITES)                                     \
    former_set_##SLOT = PySet_Type.tp_as_number->SLOT;           \
    PySet_Type.tp_as_number->SLOT = noting_set_##SLOT;           \
    set_tracker.number.SLOT = noting_set_##SLOT;
    SET_OPERATORS(TAKE_OPERATOR)
#undef TAKE_OPERATOR
    swap_marshal(1);
}

static void methods_give_back(void)
{
    if (!methods_are_ours) {
        return;
    }
    methods_are_ours = 0;
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        Method *method = method_table[i].method;
        if (method->descriptor != NULL) {
            method->descriptor->d_method = method->former;
        }
    }
    PySet_Type.tp_vectorcall = former_set_call;
    PyFrozenSet_Type.tp_vectorcall = former_frozenset_call;
#define GIVE_BACK_OPERATOR(SLOT, WRITES) PySet_Type.tp_as_number->SLOT = former_set_##SLOT;
    SET_OPERATORS(GIVE_BACK_OPERATOR)
#undef GIVE_BACK_OPERATOR
    swap_marshal(0);
}

#endif
