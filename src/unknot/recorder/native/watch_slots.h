/* Slot functions that note a read or a write, and do what the type's own slot does.
 *
 * A `TypeRecord` for each type whose slots are ours: the tracking types (watch_trackers.h), whose records keep the
 * slots of their base, and the hooked types (watch_hooked.h), whose records keep what the slots held. */

#ifndef UNKNOT_WATCH_SLOTS_H
#define UNKNOT_WATCH_SLOTS_H

#include "watch_marks.h"

typedef struct TypeRecord {
    struct TypeRecord *next;
    PyTypeObject *type; /* Borrowed. */
    PyObject *alive;    /* Weak reference to a hooked type; NULL for tracking types, which never die. */
    int hooked;         /* Its slots hold our functions. */
    int has_content;    /* Its instances are containers, with container slots. */
    int below_watched;  /* It, or a class it inherits from, is itself watched. */
    getattrofunc getattro;
    freefunc free;
    initproc init;
    getiterfunc iter;
    reprfunc repr;
    richcmpfunc richcompare;
    PyMappingMethods mapping;
    PySequenceMethods sequence;
    PyNumberMethods number;
    /* A static type may share these with its base: it gets copies, and its own back later. */
    PyMappingMethods *shared_mapping, *copied_mapping;
    PySequenceMethods *shared_sequence, *copied_sequence;
    PyNumberMethods *shared_number, *copied_number;
} TypeRecord;

#define TYPE_BUCKETS 512
static TypeRecord *type_records[TYPE_BUCKETS];

static inline TypeRecord *record_find(const PyTypeObject *type)
{
    TypeRecord *record = type_records[hash_address(type) % TYPE_BUCKETS];
    while (record != NULL && record->type != type) {
        record = record->next;
    }
    return record;
}

static TypeRecord *record_make(PyTypeObject *type)
{
    TypeRecord *record = PyMem_RawCalloc(1, sizeof(TypeRecord));
    if (record == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    record->type = type;
    TypeRecord **place = &type_records[hash_address(type) % TYPE_BUCKETS];
    record->next = *place;
    *place = record;
    return record;
}

/* The record that a slot of this type uses. A type without one has inherited the slot of a base. */
static inline TypeRecord *record_of(const PyTypeObject *type)
{
    TypeRecord *record = record_find(type);
    while (record == NULL && (type = type->tp_base) != NULL) {
        record = record_find(type);
    }
    return record;
}

/* Whether one is of a subclass of the class that the other, a tracked object, represents. */
static int is_of_subclass(PyObject *one, PyObject *other)
{
    TypeRecord *record = record_find(Py_TYPE(other));
    return record != NULL && record->alive == NULL && Py_TYPE(one) != Py_TYPE(other)
           && Py_TYPE(one) != Py_TYPE(other)->tp_base && PyType_IsSubtype(Py_TYPE(one), Py_TYPE(other)->tp_base);
}

/* Reads of content. */

static PyObject *noting_subscript(PyObject *self, PyObject *key)
{
    note_key(self, key);
    return record_of(Py_TYPE(self))->mapping.mp_subscript(self, key);
}

static PyObject *noting_subscript_of_all(PyObject *self, PyObject *key)
{
    note_all(self);
    return record_of(Py_TYPE(self))->mapping.mp_subscript(self, key);
}

static int noting_assignment(PyObject *self, PyObject *key, PyObject *value)
{
    int failed = record_of(Py_TYPE(self))->mapping.mp_ass_subscript(self, key, value);
    if (!failed) {
        note_written(self, key);
    }
    return failed;
}

static Py_ssize_t noting_mapping_length(PyObject *self)
{
    note_all(self);
    return record_of(Py_TYPE(self))->mapping.mp_length(self);
}

static Py_ssize_t noting_length(PyObject *self)
{
    note_all(self);
    return record_of(Py_TYPE(self))->sequence.sq_length(self);
}

static PyObject *noting_item(PyObject *self, Py_ssize_t index)
{
    note_all(self);
    return record_of(Py_TYPE(self))->sequence.sq_item(self, index);
}

static int noting_contains(PyObject *self, PyObject *key)
{
    note_key(self, key);
    return record_of(Py_TYPE(self))->sequence.sq_contains(self, key);
}

static int noting_contains_in_all(PyObject *self, PyObject *key)
{
    note_all(self);
    return record_of(Py_TYPE(self))->sequence.sq_contains(self, key);
}

static PyObject *noting_concat(PyObject *self, PyObject *other)
{
    note_all(self);
    note_all(other);
    return record_of(Py_TYPE(self))->sequence.sq_concat(self, other);
}

static PyObject *noting_repeat(PyObject *self, Py_ssize_t times)
{
    note_all(self);
    return record_of(Py_TYPE(self))->sequence.sq_repeat(self, times);
}

static PyObject *noting_repeat_in_place(PyObject *self, Py_ssize_t times)
{
    note_all(self);
    return record_of(Py_TYPE(self))->sequence.sq_inplace_repeat(self, times);
}

static PyObject *noting_iter(PyObject *self)
{
    note_all(self);
    return record_of(Py_TYPE(self))->iter(self);
}

static PyObject *noting_repr(PyObject *self)
{
    note_all(self);
    return record_of(Py_TYPE(self))->repr(self);
}

static PyObject *noting_richcompare(PyObject *self, PyObject *other, int operation)
{
    note_all(self);
    note_all(other);
    return record_of(Py_TYPE(self))->richcompare(self, other, operation);
}

static int noting_bool(PyObject *self)
{
    note_all(self);
    return record_of(Py_TYPE(self))->number.nb_bool(self);
}

/* Operators on dicts and sets. CPython calls the slot of either operand, so the type that has ours may be the second's;
 * the function behind it is one of dict or set and takes the operands in any order. An instance of a subclass on the
 * right comes first; CPython does not know that a subclass of dict is one of dict's tracking type too. */
#define NOTING_OPERATOR(SLOT)                                                                      \
    static PyObject *noting_##SLOT(PyObject *left, PyObject *right)                                \
    {                                                                                              \
        note_all(left);                                                                            \
        note_all(right);                                                                           \
        PyNumberMethods *of_left = Py_TYPE(left)->tp_as_number, *of_right = Py_TYPE(right)->tp_as_number; \
        TypeRecord *record = record_of(                                                            \
            Py_TYPE(of_left != NULL && of_left->SLOT == noting_##SLOT ? left : right));            \
        if (is_of_subclass(right, left) && of_right->SLOT != NULL && of_right->SLOT != noting_##SLOT) { \
            PyObject *answer = of_right->SLOT(left, right);                                        \
            if (answer != Py_NotImplemented) {                                                     \
                return answer;                                                                     \
            }                                                                                      \
            Py_DECREF(answer);                                                                     \
        }                                                                                          \
        return record->number.SLOT(left, right);                                                   \
    }

NOTING_OPERATOR(nb_or)
NOTING_OPERATOR(nb_and)
NOTING_OPERATOR(nb_xor)
NOTING_OPERATOR(nb_subtract)

#endif
