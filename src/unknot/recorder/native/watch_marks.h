/* What is watched, under which token, and how a read or a write is reported.
 *
 * One `Entry` for each watched object, found by its address. It holds no reference to the object: the code that swaps
 * the object's type or hooks its class ensures that `entry_drop` is called when the object dies.
 * Nothing here runs code of the suite: keys are compared only if they are of builtin types, or by identity. */

#ifndef UNKNOT_WATCH_MARKS_H
#define UNKNOT_WATCH_MARKS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

typedef unsigned long long Epoch;

static struct {
    PyObject *was_read, *was_written;
    Epoch epoch;
    int active;
    int telling; /* A callback is running: reads meanwhile are our own, or another thread's. */
} state = {NULL, NULL, 1, 0, 0};

#define LISTENING() (state.active && !state.telling)

/* A token, and when it was last reported. One mark may be in several entries: a module and its dict. */
typedef struct {
    PyObject_HEAD
    PyObject *token;
    Epoch told;
    Epoch told_of_write;
    Epoch refused_in;
    int refused;
} Mark;

static void mark_dealloc(PyObject *self)
{
    Py_CLEAR(((Mark *)self)->token);
    PyObject_Free(self);
}

static PyTypeObject Mark_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unknot.recorder.native._watch.Mark",
    .tp_basicsize = sizeof(Mark),
    .tp_dealloc = mark_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static Mark *mark_new(PyObject *token)
{
    Mark *mark = PyObject_New(Mark, &Mark_Type);
    if (mark != NULL) {
        mark->token = Py_NewRef(token);
        mark->told = 0;
        mark->told_of_write = 0;
        mark->refused_in = 0;
        mark->refused = 0;
    }
    return mark;
}

/* The mark of a key that cannot be compared without running the suite's code. */
typedef struct {
    const void *address;
    const void *type;
    int only_identity; /* Its class has neither `__eq__` nor `__hash__` of its own. */
    Mark *mark;
} LooseMark;

typedef struct Entry {
    struct Entry *next;
    PyObject *object;   /* Borrowed. */
    PyTypeObject *type; /* Its type while watched; an object that was given another class is no longer watched. */
    PyObject *keys;    /* dict: key of a builtin type -> Mark */
    Mark *whole;       /* For any read. */
    Mark *all;         /* For reads of everything, in place of the marks of many keys. */
    LooseMark *loose;
    Py_ssize_t loose_count;
    Epoch done;        /* The epoch in which every mark has been reported. */
    Epoch counted_in;
    Py_ssize_t counted;
} Entry;

static struct {
    Entry **buckets;
    size_t mask;
    size_t count;
} entries;

/* A bit for each watched key that is a string: nearly all reads of attributes and global names are of other names, and
 * end here. A false positive only costs a lookup. */
#define NAME_BITS 8192
typedef unsigned char Names[NAME_BITS / 8];
static Names watched_names;

static inline Py_hash_t name_hash(PyObject *name)
{
    Py_hash_t hash = ((PyASCIIObject *)name)->hash;
    return hash != -1 ? hash : PyUnicode_Type.tp_hash(name);
}

static inline int may_be_in(const Names names, PyObject *key)
{
    if (!PyUnicode_CheckExact(key)) {
        return 1;
    }
    size_t bit = (size_t)name_hash(key) % NAME_BITS;
    return names[bit / 8] >> (bit % 8) & 1;
}

static void remember_name(Names names, PyObject *name)
{
    size_t bit = (size_t)name_hash(name) % NAME_BITS;
    names[bit / 8] |= (unsigned char)(1 << (bit % 8));
}

static inline size_t hash_address(const void *address)
{
    uintptr_t number = (uintptr_t)address >> 4;
    return (size_t)(number ^ (number >> 9));
}

static inline Entry *entry_find(const void *object)
{
    if (entries.count == 0) {
        return NULL;
    }
    Entry *entry = entries.buckets[hash_address(object) & entries.mask];
    while (entry != NULL && entry->object != object) {
        entry = entry->next;
    }
    return entry;
}

static int entries_grow(void)
{
    size_t size = entries.buckets == NULL ? 256 : (entries.mask + 1) * 2;
    Entry **buckets = PyMem_RawCalloc(size, sizeof(Entry *));
    if (buckets == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; entries.buckets != NULL && i <= entries.mask; i++) {
        for (Entry *entry = entries.buckets[i]; entry != NULL;) {
            Entry *next = entry->next;
            Entry **place = &buckets[hash_address(entry->object) & (size - 1)];
            entry->next = *place;
            *place = entry;
            entry = next;
        }
    }
    PyMem_RawFree(entries.buckets);
    entries.buckets = buckets;
    entries.mask = size - 1;
    return 0;
}

static Entry *entry_make(PyObject *object)
{
    Entry *entry = entry_find(object);
    if (entry != NULL) {
        return entry;
    }
    if ((entries.buckets == NULL || entries.count > entries.mask) && entries_grow() < 0) {
        return NULL;
    }
    entry = PyMem_RawCalloc(1, sizeof(Entry));
    if (entry == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    entry->object = object;
    Entry **place = &entries.buckets[hash_address(object) & entries.mask];
    entry->next = *place;
    *place = entry;
    entries.count++;
    return entry;
}

/* Also called while the object dies. Tokens are ours; releasing one runs no code of the suite. */
static void entry_drop(const void *object)
{
    if (entries.count == 0) {
        return;
    }
    Entry **place = &entries.buckets[hash_address(object) & entries.mask];
    while (*place != NULL && (*place)->object != object) {
        place = &(*place)->next;
    }
    Entry *entry = *place;
    if (entry == NULL) {
        return;
    }
    *place = entry->next;
    entries.count--;
    Py_XDECREF(entry->keys);
    Py_XDECREF(entry->whole);
    Py_XDECREF(entry->all);
    for (Py_ssize_t i = 0; i < entry->loose_count; i++) {
        Py_DECREF(entry->loose[i].mark);
    }
    PyMem_RawFree(entry->loose);
    PyMem_RawFree(entry);
}

/* Before a type loses its hooks: its instances would die unnoticed. */
static void entries_drop_instances(const PyTypeObject *type)
{
    for (size_t i = 0; entries.buckets != NULL && i <= entries.mask; i++) {
        for (Entry *entry = entries.buckets[i]; entry != NULL;) {
            Entry *next = entry->next;
            if (entry->type == type) {
                entry_drop(entry->object);
            }
            entry = next;
        }
    }
}

static inline Py_ssize_t entry_marks(const Entry *entry)
{
    return (entry->keys ? PyDict_GET_SIZE(entry->keys) : 0) + (entry->whole != NULL) + (entry->all != NULL)
           + entry->loose_count;
}

/* A key that can be hashed and compared without running the suite's code and that keeps nothing of the suite alive:
 * the key itself, or its plain value if it is of a subclass of a builtin type. A new reference, or NULL (no error). */
static PyObject *plain_key(PyObject *key, int depth)
{
    if (PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyBytes_CheckExact(key) || PyFloat_CheckExact(key)
        || PyBool_Check(key) || key == Py_None || key == Py_Ellipsis) {
        return Py_NewRef(key);
    }
    PyObject *plain = NULL;
    if (PyUnicode_Check(key)) {
        plain = PyUnicode_FromObject(key);
    }
    else if (PyLong_Check(key)) {
        plain = PyLong_Type.tp_as_number->nb_int(key);
    }
    else if (PyBytes_Check(key)) {
        plain = PyBytes_FromStringAndSize(PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key));
    }
    else if (PyFloat_Check(key)) {
        plain = PyFloat_FromDouble(PyFloat_AS_DOUBLE(key));
    }
    else if (PyTuple_Check(key) && depth < 4 && PyTuple_GET_SIZE(key) <= 16) {
        Py_ssize_t size = PyTuple_GET_SIZE(key);
        plain = PyTuple_New(size);
        for (Py_ssize_t i = 0; plain != NULL && i < size; i++) {
            PyObject *item = plain_key(PyTuple_GET_ITEM(key, i), depth + 1);
            if (item == NULL) {
                Py_CLEAR(plain);
            }
            else {
                PyTuple_SET_ITEM(plain, i, item);
            }
        }
    }
    if (plain == NULL) {
        PyErr_Clear();
    }
    return plain;
}

static int is_compared_by_identity(PyObject *key)
{
    return Py_TYPE(key)->tp_hash == PyBaseObject_Type.tp_hash
           && Py_TYPE(key)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

/* Pending exceptions are set aside meanwhile. */
typedef struct {
    PyObject *type, *value, *traceback;
} Pending;

static void pending_take(Pending *pending)
{
    PyErr_Fetch(&pending->type, &pending->value, &pending->traceback);
}

static void pending_give_back(Pending *pending)
{
    PyErr_Restore(pending->type, pending->value, pending->traceback);
}

/* Adds the token to the list, which is made on demand, unless it was reported in this epoch. */
static void take_token(Entry *entry, Mark *mark, PyObject **tokens)
{
    if (mark->told == state.epoch) {
        return;
    }
    if (*tokens == NULL) {
        *tokens = PyList_New(0);
    }
    if (*tokens == NULL || PyList_Append(*tokens, (PyObject *)mark) < 0) {
        PyErr_Clear();
        return;
    }
    mark->told = state.epoch;
    if (entry->counted_in != state.epoch) {
        entry->counted_in = state.epoch;
        entry->counted = 0;
    }
    if (++entry->counted == entry_marks(entry)) {
        entry->done = state.epoch;
    }
}

/* A callback that returns False gets the next read in this epoch too, up to a limit: otherwise code that reads in a
 * loop would be slowed down. */
#define MOST_REFUSALS 100

static void take_back(Mark *mark, PyObject *object)
{
    if (mark->refused_in != state.epoch) {
        mark->refused_in = state.epoch;
        mark->refused = 0;
    }
    if (++mark->refused > MOST_REFUSALS) {
        return;
    }
    mark->told = 0;
    Entry *entry = entry_find(object);
    if (entry != NULL) {
        entry->done = 0;
        entry->counted_in = 0;
    }
}

/* The callback may unwatch: no entry may be used after this. `object` is only a number by then. Steals the list. */
static void tell(PyObject *marks, PyObject *object)
{
    state.telling = 1;
    PyObject *callback = Py_XNewRef(state.was_read);
    for (Py_ssize_t i = 0; callback != NULL && i < PyList_GET_SIZE(marks); i++) {
        Mark *mark = (Mark *)PyList_GET_ITEM(marks, i);
        PyObject *answer = PyObject_CallOneArg(callback, mark->token);
        if (answer == NULL) {
            PyErr_Clear();
        }
        else if (answer == Py_False) {
            take_back(mark, object);
        }
        Py_XDECREF(answer);
    }
    Py_XDECREF(callback);
    Py_DECREF(marks);
    state.telling = 0;
}

static void tell_key(Entry *entry, PyObject *key, int and_whole)
{
    PyObject *object = entry->object;
    Pending pending;
    pending_take(&pending);
    PyObject *tokens = NULL;
    if (entry->whole != NULL && and_whole) {
        take_token(entry, entry->whole, &tokens);
    }
    PyObject *plain = plain_key(key, 0);
    if (plain != NULL && entry->keys != NULL) {
        PyObject *mark = PyDict_GetItemWithError(entry->keys, plain);
        if (mark != NULL) {
            take_token(entry, (Mark *)mark, &tokens);
        }
    }
    for (Py_ssize_t i = 0; plain == NULL && i < entry->loose_count; i++) {
        LooseMark *loose = &entry->loose[i];
        if (loose->address == key || (!loose->only_identity && loose->type == Py_TYPE(key))) {
            take_token(entry, loose->mark, &tokens);
        }
    }
    Py_XDECREF(plain);
    if (tokens != NULL) {
        tell(tokens, object);
    }
    pending_give_back(&pending);
}

static void tell_all(Entry *entry)
{
    PyObject *object = entry->object;
    Pending pending;
    pending_take(&pending);
    PyObject *tokens = NULL, *mark;
    Py_ssize_t position = 0;
    if (entry->whole != NULL) {
        take_token(entry, entry->whole, &tokens);
    }
    if (entry->all != NULL) {
        take_token(entry, entry->all, &tokens);
    }
    while (entry->all == NULL && entry->keys != NULL && PyDict_Next(entry->keys, &position, NULL, &mark)) {
        take_token(entry, (Mark *)mark, &tokens);
    }
    for (Py_ssize_t i = 0; entry->all == NULL && i < entry->loose_count; i++) {
        take_token(entry, entry->loose[i].mark, &tokens);
    }
    if (tokens != NULL) {
        tell(tokens, object);
    }
    pending_give_back(&pending);
}

/* The entry of an object that may have something to report; NULL for nearly all. */
static inline Entry *entry_to_tell(PyObject *object)
{
    Entry *entry = entry_find(object);
    return entry != NULL && entry->done != state.epoch && entry->type == Py_TYPE(object) ? entry : NULL;
}

/* This key of the object is read, or all of it. Costs a few nanoseconds if there is nothing to report. */
static inline void note_key(PyObject *object, PyObject *key)
{
    if (LISTENING()) {
        Entry *entry = entry_to_tell(object);
        if (entry != NULL && (entry->whole != NULL || may_be_in(watched_names, key))) {
            tell_key(entry, key, 1);
        }
    }
}

static inline void note_all(PyObject *object)
{
    if (LISTENING()) {
        Entry *entry = entry_to_tell(object);
        if (entry != NULL) {
            tell_all(entry);
        }
    }
}

/* This key of the object was just written. Keys that are no plain ones are passed over. */
static void note_written(PyObject *object, PyObject *key)
{
    Entry *entry = LISTENING() ? entry_find(object) : NULL;
    if (entry == NULL || entry->keys == NULL || entry->type != Py_TYPE(object) || !may_be_in(watched_names, key)) {
        return;
    }
    Pending pending;
    pending_take(&pending);
    PyObject *plain = plain_key(key, 0);
    Mark *mark = plain != NULL ? (Mark *)PyDict_GetItemWithError(entry->keys, plain) : NULL;
    Py_XDECREF(plain);
    if (mark != NULL && mark->told_of_write != state.epoch && state.was_written != NULL) {
        mark->told_of_write = state.epoch;
        state.telling = 1;
        PyObject *callback = Py_NewRef(state.was_written), *token = Py_NewRef(mark->token);
        Py_XDECREF(PyObject_CallOneArg(callback, token));
        Py_DECREF(callback);
        Py_DECREF(token);
        state.telling = 0;
    }
    PyErr_Clear();
    pending_give_back(&pending);
}

/* Sets the mark for the key (None: the whole), replacing an earlier one. */
static int entry_put(Entry *entry, PyObject *key, Mark *mark)
{
    entry->done = 0;
    entry->counted_in = 0;
    if (key == Py_None) {
        Py_XSETREF(entry->whole, (Mark *)Py_NewRef(mark));
        return 0;
    }
    PyObject *plain = plain_key(key, 0);
    if (plain != NULL) {
        if (PyUnicode_CheckExact(plain)) {
            remember_name(watched_names, plain);
        }
        int failed = (entry->keys == NULL && (entry->keys = PyDict_New()) == NULL)
                     || PyDict_SetItem(entry->keys, plain, (PyObject *)mark) < 0;
        Py_DECREF(plain);
        return failed ? -1 : 0;
    }
    for (Py_ssize_t i = 0; i < entry->loose_count; i++) {
        if (entry->loose[i].address == key) {
            Py_SETREF(entry->loose[i].mark, (Mark *)Py_NewRef(mark));
            return 0;
        }
    }
    LooseMark *grown = PyMem_RawRealloc(entry->loose, (entry->loose_count + 1) * sizeof(LooseMark));
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    entry->loose = grown;
    grown[entry->loose_count++] = (LooseMark){key, Py_TYPE(key), is_compared_by_identity(key), (Mark *)Py_NewRef(mark)};
    return 0;
}

static void entry_take_away(Entry *entry, PyObject *key)
{
    entry->done = 0;
    entry->counted_in = 0;
    if (key == Py_None) {
        Py_CLEAR(entry->whole);
        return;
    }
    PyObject *plain = plain_key(key, 0);
    if (plain != NULL) {
        if (entry->keys != NULL && PyDict_DelItem(entry->keys, plain) < 0) {
            PyErr_Clear();
        }
        Py_DECREF(plain);
        return;
    }
    for (Py_ssize_t i = 0; i < entry->loose_count; i++) {
        if (entry->loose[i].address == key) {
            Mark *mark = entry->loose[i].mark;
            entry->loose[i] = entry->loose[--entry->loose_count];
            Py_DECREF(mark);
            return;
        }
    }
}

#endif
