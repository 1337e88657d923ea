/* The heap walk: what is reachable from some roots, and what of it differs from the last snapshot.

   The parts, each in its own file, bottom up: heap_layout (CPython's memory), heap_hash, heap_state (what is
   kept), heap_types, heap_expand (what an object consists of), heap_classify (by content, by identity, or entered),
   heap_walk, heap_digest (fingerprints), heap_names and heap_shown (for people), heap_equal, heap_report, heap_diff,
   heap_update, heap_follow, heap_shallow, heap_notes.

   The GIL is held throughout and the cyclic collector is off during a snapshot, so that borrowed references stay
   valid. No code of the suite is run. */

#include "heap_notes.h"
#include "heap_shallow.h"
#include "heap_update.h"

static const char *const stop_names_by_default[] = {
    "__builtins__", "__cached__",  "__warningregistry__", "__spec__", "__loader__", "__pytest*",
    "@py_*",        "@pytest_*",   "__unknot*",           NULL,
};

static const char *const class_noise[] = {
    "__dict__", "__weakref__", "__doc__", "__abstractmethods__", "_abc_impl",
    "__annotations__", "__static_attributes__", "__firstlineno__", "__slotnames__", "_value2member_map_", NULL,
};

static PyObject *default_stop_names;

static bool
know_name(Heap *heap, PyObject *name, int flags)
{
    /* The table keeps a reference: the address of an interned string that dies would be reused. */
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    uint32_t slot = slot_for((uint64_t)name, NAME_SLOTS);
    while (heap->names[slot].name != NULL && heap->names[slot].name != name) {
        slot = (slot + 1) & (NAME_SLOTS - 1);
    }
    if (heap->names[slot].name == NULL) {
        heap->names[slot].name = Py_NewRef(name);
    }
    heap->names[slot].flags |= flags;
    PyObject *number = PyLong_FromLong(heap->names[slot].flags);
    bool ok = number != NULL && PyDict_SetItem(heap->flags_by_name, name, number) == 0;
    Py_XDECREF(number);
    Py_DECREF(name);
    return ok;
}

static bool
know_stop_name(Heap *heap, PyObject *name, PyObject *prefixes)
{
    Py_ssize_t length = PyUnicode_CheckExact(name) ? PyUnicode_GET_LENGTH(name) : 0;
    if (length == 0) {
        PyErr_SetString(PyExc_TypeError, "stop_names are strings that are not empty");
        return false;
    }
    if (length == 1 || PyUnicode_READ_CHAR(name, length - 1) != '*') {
        return know_name(heap, name, STOP_NAME);
    }
    PyObject *prefix = PyUnicode_Substring(name, 0, length - 1);
    bool ok = prefix != NULL && PyList_Append(prefixes, prefix) == 0;
    Py_XDECREF(prefix);
    return ok;
}

static bool
know_names(Heap *heap, PyObject *stop_names)
{
    PyObject *prefixes = PyList_New(0), *iterator = PyObject_GetIter(stop_names), *name;
    bool ok = prefixes != NULL && iterator != NULL;
    int count = 0;
    while (ok && (name = PyIter_Next(iterator)) != NULL) {
        ok = know_stop_name(heap, name, prefixes);
        Py_DECREF(name);
        if (ok && ++count > MOST_NAMES) {
            PyErr_Format(PyExc_ValueError, "more than %d stop_names", MOST_NAMES);
            ok = false;
        }
    }
    ok = ok && !PyErr_Occurred();
    for (const char *const *text = class_noise; ok && *text != NULL; text++) {
        name = PyUnicode_FromString(*text);
        ok = name != NULL && know_name(heap, name, CLASS_NOISE);
        Py_XDECREF(name);
    }
    Py_XSETREF(heap->stop_prefixes, ok ? PyList_AsTuple(prefixes) : NULL);
    Py_XDECREF(prefixes);
    Py_XDECREF(iterator);
    return ok && heap->stop_prefixes != NULL;
}

static PyObject *
heap_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    Heap *heap = (Heap *)type->tp_alloc(type, 0);
    if (heap == NULL) {
        return NULL;
    }
    heap->users_answers = PyDict_New();
    heap->stopped_answers = PyDict_New();
    heap->unasked_modules = PyDict_New();
    heap->unasked_types = PyDict_New();
    heap->notes = PyList_New(0);
    heap->noted = PySet_New(NULL);
    heap->type_names = PyDict_New();
    heap->flags_by_name = PyDict_New();
    if (!heap->users_answers || !heap->stopped_answers || !heap->unasked_modules || !heap->unasked_types ||
        !heap->notes || !heap->noted || !heap->type_names || !heap->flags_by_name) {
        Py_DECREF(heap);
        return NULL;
    }
    return (PyObject *)heap;
}

static int
heap_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"is_users_module", "is_stopped", "stop_names", "most_entries", "most_of_one", NULL};
    Heap *heap = (Heap *)self;
    PyObject *is_users_module, *is_stopped, *stop_names = default_stop_names;
    Py_ssize_t most_entries = 1000000, most_of_one = 20000;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$Onn", keywords, &is_users_module, &is_stopped, &stop_names,
                                     &most_entries, &most_of_one)) {
        return -1;
    }
    if (heap->is_users_module != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a Heap is made once");
        return -1;
    }
    if (most_entries < 1 || most_entries > 500000000 || most_of_one < 1) {
        PyErr_SetString(PyExc_ValueError, "most_entries and most_of_one are at least 1");
        return -1;
    }
    if (!know_names(heap, stop_names)) {
        return -1;
    }
    heap->is_users_module = Py_NewRef(is_users_module);
    heap->is_stopped = Py_NewRef(is_stopped);
    heap->most_entries = most_entries;
    heap->most_of_one = most_of_one;
    return 0;
}

static int
heap_traverse(PyObject *self, visitproc visit, void *arg)
{
    Heap *heap = (Heap *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(heap->is_users_module);
    Py_VISIT(heap->is_stopped);
    Py_VISIT(heap->users_answers);
    Py_VISIT(heap->stopped_answers);
    Py_VISIT(heap->unasked_modules);
    Py_VISIT(heap->unasked_types);
    Py_VISIT(heap->flags_by_name);
    Py_VISIT(heap->stop_prefixes);
    Py_VISIT(heap->notes);
    Py_VISIT(heap->noted);
    Py_VISIT(heap->type_names);
    return 0;
}

static int
heap_clear(PyObject *self)
{
    Heap *heap = (Heap *)self;
    Py_CLEAR(heap->is_users_module);
    Py_CLEAR(heap->is_stopped);
    Py_CLEAR(heap->users_answers);
    Py_CLEAR(heap->stopped_answers);
    Py_CLEAR(heap->unasked_modules);
    Py_CLEAR(heap->unasked_types);
    Py_CLEAR(heap->flags_by_name);
    Py_CLEAR(heap->stop_prefixes);
    Py_CLEAR(heap->notes);
    Py_CLEAR(heap->noted);
    Py_CLEAR(heap->type_names);
    return 0;
}

static void
heap_dealloc(PyObject *self)
{
    Heap *heap = (Heap *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    heap_clear(self);
    free_snapshot(&heap->now);
    free_snapshot(&heap->before);
    free_snapshot(&heap->scratch);
    free_shallow(heap);
    for (uint32_t i = 0; i < heap->type_room; i++) {
        forget_type(&heap->types[i]);
    }
    for (int i = 0; i < NAME_SLOTS; i++) {
        Py_XDECREF(heap->names[i].name);
    }
    PyMem_Free(heap->types);
    PyMem_Free(heap->visited);
    PyMem_Free(heap->small_visited);
    PyMem_Free(heap->deferred);
    PyMem_Free(heap->to_note);
    PyMem_Free(heap->referents);
    type->tp_free(self);
    Py_DECREF(type);
}

/* A list or tuple of (str, object) tuples. */
static PyObject *
checked_roots(PyObject *roots)
{
    PyObject *fast = PySequence_Fast(roots, "roots are a sequence of (name, object)");
    for (Py_ssize_t i = 0; fast != NULL && i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *pair = PySequence_Fast_GET_ITEM(fast, i);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2 || !PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 0))) {
            PyErr_SetString(PyExc_TypeError, "roots are a sequence of (name, object)");
            Py_CLEAR(fast);
        }
    }
    return fast;
}

static bool
add_roots(Heap *heap, Snapshot *snapshot, PyObject *roots)
{
    uint32_t room = 0;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(roots);
    PyMem_Free(snapshot->root_names);
    snapshot->root_names = NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PySequence_Fast_GET_ITEM(roots, i);
        PyObject *object = PyTuple_GET_ITEM(pair, 1);
        TypeInfo *info = info_of_type(heap, Py_TYPE(object));
        if (info == NULL || !WITH_ROOM(heap, snapshot->root_names, snapshot->roots, room, 1)) {
            return false;
        }
        uint32_t before = snapshot->nodes;
        node_of(heap, snapshot, object, info->hash, NO_NODE);
        if (heap->failed) {
            return false;
        }
        if (snapshot->nodes > before) {
            snapshot->root_names[snapshot->roots++] = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
        }
    }
    return true;
}

/* Walks until no name is left to resolve. */
static bool
walk_all(Heap *heap, PyObject *roots)
{
    int asked = 1;
    while (asked == 1) {
        if (!begin_walk(heap, &heap->now) || !add_roots(heap, &heap->now, roots)) {
            PyErr_NoMemory();
            return false;
        }
        walk_on(heap, &heap->now, heap->most_entries);
        if (heap->failed) {
            PyErr_NoMemory();
            return false;
        }
        asked = ask_what_was_unknown(heap);
    }
    return asked == 0;
}

static void
shrink(void **array, uint32_t count, size_t size)
{
    void *moved = PyMem_Realloc(*array, (size_t)count * size);
    *array = moved == NULL ? *array : moved;
}

/* Keeps of a big snapshot only what is needed to compare it with the next. */
static void
forget_what_helps_to_update(Heap *heap)
{
    Snapshot *snapshot = &heap->before;
    void *all[] = {heap->visited, snapshot->stamp, snapshot->parent, snapshot->flags};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        PyMem_Free(all[i]);
    }
    heap->visited = snapshot->parent = NULL;
    snapshot->stamp = NULL;
    snapshot->flags = NULL;
    heap->visited_room = 0;
    shrink((void **)&snapshot->entries, snapshot->count, sizeof *snapshot->entries);
    snapshot->entry_room = snapshot->count;
    shrink((void **)&snapshot->address, snapshot->nodes, sizeof *snapshot->address);
    shrink((void **)&snapshot->type, snapshot->nodes, sizeof *snapshot->type);
    shrink((void **)&snapshot->first, snapshot->nodes, sizeof *snapshot->first);
    shrink((void **)&snapshot->last, snapshot->nodes, sizeof *snapshot->last);
    snapshot->node_room = snapshot->nodes;
}

/* Walks everything into a new snapshot, which is compared with the last one and replaces it. */
static bool
walk_afresh(Heap *heap, PyObject *roots, PyObject *changes)
{
    if (!walk_all(heap, roots) || !make_notes(heap, &heap->now) ||
        (heap->has_before && !find_changes(heap, &heap->now, &heap->before, false, changes))) {
        PyMem_Free(heap->visited); /* it belongs to no kept snapshot */
        heap->visited = NULL;
        return false;
    }
    heap->walks++;
    Snapshot former = heap->before;
    heap->before = heap->now;
    heap->now = former;
    heap->has_before = true;
    empty_snapshot(&heap->now);
    give_back_room(&heap->now);
    if (heap->visited_room > MOST_KEPT / 16) {
        /* Too big to be kept; the next snapshot walks from scratch, too. */
        forget_what_helps_to_update(heap);
    }
    return true;
}

static PyObject *
compare_with_last(Heap *heap, PyObject *roots, PyObject *shallow)
{
    PyObject *changes = PyList_New(0);
    if (changes == NULL) {
        return NULL;
    }
    Update update;
    Outcome outcome = begin_update(&update, heap, roots);
    bool ok;
    if (outcome == TO_BE_WALKED) {
        ok = walk_afresh(heap, roots, changes);
    }
    else {
        ok = make_notes(heap, update.snapshot);
        if (outcome == UPDATED) {
            Snapshot before = snapshot_before(&update);
            ok = ok && find_changes(heap, update.snapshot, &before, true, changes);
            close_gaps(&update);
        }
    }
    end_update(&update);
    ok = ok && compare_others(heap, shallow, changes);
    if (!ok) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        Py_CLEAR(changes);
    }
    return changes;
}

static PyObject *
heap_compare(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"roots", "shallow", NULL};
    Heap *heap = (Heap *)self;
    PyObject *roots, *shallow = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", keywords, &roots, &shallow)) {
        return NULL;
    }
    if (heap->is_users_module == NULL || heap->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "a comparison is already running");
        return NULL;
    }
    PyObject *deep = checked_roots(roots);
    PyObject *others = deep == NULL ? NULL : shallow == NULL ? PyTuple_New(0) : checked_roots(shallow);
    PyObject *changes = NULL;
    if (others != NULL) {
        heap->is_busy = true;
        int was_collecting = PyGC_Disable();
        changes = compare_with_last(heap, deep, others);
        if (was_collecting) {
            PyGC_Enable();
        }
        heap->is_busy = false;
    }
    Py_XDECREF(deep);
    Py_XDECREF(others);
    return changes;
}

static PyObject *
fingerprint_object(Heap *heap, PyObject *value)
{
    if (heap->is_users_module == NULL || heap->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "a comparison is already running");
        return NULL;
    }
    heap->is_busy = true;
    int was_collecting = PyGC_Disable();
    uint64_t fingerprint = fingerprint_of(heap, value);
    if (was_collecting) {
        PyGC_Enable();
    }
    heap->is_busy = false;
    return PyErr_Occurred() ? NULL : PyLong_FromUnsignedLongLong(fingerprint);
}

static PyObject *
heap_fingerprint(PyObject *self, PyObject *value)
{
    return fingerprint_object((Heap *)self, value);
}

static PyObject *
heap_follow(PyObject *self, PyObject *args)
{
    PyObject *root, *path;
    if (!PyArg_ParseTuple(args, "OO", &root, &path)) {
        return NULL;
    }
    PyObject *found = follow_path((Heap *)self, root, path);
    if (found == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_LookupError, "nothing is at the end of this path");
    }
    return found;
}

static PyObject *
heap_fingerprint_at(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "fingerprint_at takes a root and a path");
        return NULL;
    }
    PyObject *found = follow_path((Heap *)self, args[0], args[1]);
    if (found == NULL) {
        return PyErr_Occurred() ? NULL : PyLong_FromLong(0);
    }
    PyObject *fingerprint = fingerprint_object((Heap *)self, found);
    Py_DECREF(found);
    return fingerprint;
}

static PyObject *
get_notes(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((Heap *)self)->notes);
}

static PyObject *
get_entries(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLong(((Heap *)self)->before.count - ((Heap *)self)->before.unused);
}

static PyObject *
get_memory(PyObject *self, void *Py_UNUSED(closure))
{
    Heap *heap = (Heap *)self;
    size_t bytes = heap->visited_room * sizeof(uint32_t);
    Snapshot *snapshots[] = {&heap->now, &heap->before};
    for (int i = 0; i < 2; i++) {
        bytes += snapshots[i]->entry_room * sizeof(Entry) + snapshots[i]->single_room * sizeof(Single) +
                 snapshots[i]->node_room * (snapshots[i]->stamp == NULL ? NODE_BYTES_AT_LEAST : NODE_BYTES);
    }
    return PyLong_FromSize_t(bytes);
}

static PyObject *
get_walks(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((Heap *)self)->walks);
}

static PyMethodDef heap_methods[] = {
    {"compare", (PyCFunction)(void (*)(void))heap_compare, METH_VARARGS | METH_KEYWORDS,
     "compare(roots, shallow=())\n--\n\nWhat differs from the last snapshot, which it replaces. The first gives []."},
    {"fingerprint", heap_fingerprint, METH_O, "fingerprint(value)\n--\n\nA number for the content of a value."},
    {"follow", heap_follow, METH_VARARGS,
     "follow(root, path)\n--\n\nThe object at the end of a path. Raises LookupError if there is none."},
    {"fingerprint_at", (PyCFunction)(void (*)(void))heap_fingerprint_at, METH_FASTCALL,
     "fingerprint_at(root, path)\n--\n\nThe fingerprint of the object at the end of a path; 0 if there is none."},
    {NULL},
};

static PyGetSetDef heap_getset[] = {
    {"notes", get_notes, NULL, "What was not examined, each reported once.", NULL},
    {"entries", get_entries, NULL, "How many entries the last snapshot has.", NULL},
    {"walks", get_walks, NULL, "How many snapshots walked everything from scratch.", NULL},
    {"memory", get_memory, NULL, "Bytes that the records of the two snapshots take.", NULL},
    {NULL},
};

static PyType_Slot heap_slots[] = {
    {Py_tp_doc, "Heap(is_users_module, is_stopped, *, stop_names=..., most_entries=1000000, most_of_one=20000)\n--\n\n"
                "Compares what some roots reach with what they reached in the last snapshot."},
    {Py_tp_new, heap_new},
    {Py_tp_init, heap_init},
    {Py_tp_dealloc, heap_dealloc},
    {Py_tp_traverse, heap_traverse},
    {Py_tp_clear, heap_clear},
    {Py_tp_methods, heap_methods},
    {Py_tp_getset, heap_getset},
    {0, NULL},
};

static PyType_Spec heap_spec = {
    .name = "unknot.recorder.native._heap.Heap",
    .basicsize = sizeof(Heap),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = heap_slots,
};

static PyStructSequence_Field change_fields[] = {
    {"container", "what holds the changed entry"},
    {"key", "the key or the attribute's name; None: the whole"},
    {"holder", "the nearest object up the path that can be watched for reads"},
    {"holder_key", "the key or the attribute's name in it; None: the whole"},
    {"name", "the location, for people"},
    {"root", "the name of the root"},
    {"path", "steps (how, key) from the root, for follow"},
    {"how", "added, changed or removed"},
    {"shown", "short text of the current content"},
    {"fingerprint", "fingerprint of the current content; 0: none"},
    {"fingerprint_before", "fingerprint of the content in the last snapshot; 0: none"},
    {NULL},
};

static PyStructSequence_Desc change_description = {
    "unknot.recorder.native._heap.Change", "One location that differs from the last snapshot.", change_fields, 11};

/* A new reference to module.name; NULL without an exception if it does not exist. */
static PyObject *
found_in(const char *module, const char *name)
{
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *found = imported == NULL ? NULL : PyObject_GetAttrString(imported, name);
    Py_XDECREF(imported);
    PyErr_Clear();
    return found;
}

static PyTypeObject *
type_in(const char *module, const char *name)
{
    PyObject *found = found_in(module, name);
    if (found != NULL && !PyType_Check(found)) {
        Py_CLEAR(found);
    }
    return (PyTypeObject *)found;
}

static PyTypeObject *
type_of_lock(void)
{
    PyObject *make = found_in("_thread", "allocate_lock");
    PyObject *lock = make == NULL ? NULL : PyObject_CallNoArgs(make);
    PyTypeObject *type = lock == NULL ? NULL : (PyTypeObject *)Py_NewRef(Py_TYPE(lock));
    Py_XDECREF(lock);
    Py_XDECREF(make);
    PyErr_Clear();
    return type;
}

/* Whether the streams have the memory layout of `Buffer`. */
static bool
streams_are_known(void)
{
    bool known_both = true;
    PyObject *contents[] = {PyBytes_FromString("abc"), PyUnicode_FromString("abc")};
    PyTypeObject *types[] = {known.bytes_stream, known.text_stream};
    for (int i = 0; i < 2; i++) {
        PyObject *stream = types[i] == NULL || contents[i] == NULL
                               ? NULL
                               : PyObject_CallOneArg((PyObject *)types[i], contents[i]);
        PyObject *where = stream == NULL ? NULL : PyObject_CallMethod(stream, "seek", "i", 2);
        known_both = known_both && where != NULL && ((Buffer *)stream)->position == 2 && ((Buffer *)stream)->size == 3;
        Py_XDECREF(where);
        Py_XDECREF(stream);
        Py_XDECREF(contents[i]);
    }
    PyErr_Clear();
    return known_both;
}

static bool
know_types(void)
{
    PyObject *made = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Made");
    if (made == NULL) {
        return false;
    }
    known.made_by_class_statement = ((PyTypeObject *)made)->tp_dealloc;
    Py_DECREF(made);
    known.deque = type_in("collections", "deque");
    known.random = type_in("_random", "Random");
    known.cache = type_in("functools", "_lru_cache_wrapper");
    known.thread_local_type = type_in("_thread", "_local");
    known.context_variable = type_in("contextvars", "ContextVar");
    known.pattern = type_in("re", "Pattern");
    known.decimal = type_in("decimal", "Decimal");
    known.timezone = type_in("datetime", "timezone");
    known.bytes_stream = type_in("io", "BytesIO");
    known.text_stream = type_in("io", "StringIO");
    known.partial = type_in("functools", "partial");
    known.lock = type_of_lock();
    known.rlock = type_in("_thread", "RLock");
    known.streams_known = streams_are_known();
    const struct {
        PyObject **where;
        const char *text;
    } names[] = {{&known.tracks, "__unknot_tracks__"}, {&known.module, "__module__"}, {&known.dunder_name, "__name__"},
                 {&known.args, "args"},                {&known.wrapped, "__wrapped__"},
                 {&known.value, "<value>"},            {&known.getvalue, "getvalue"}, {&known.enum_name, "_name_"},
                 {&known.enum_value, "_value_"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *names[i].where = PyUnicode_InternFromString(names[i].text);
        if (*names[i].where == NULL) {
            return false;
        }
    }
    return known.deque != NULL && known.random != NULL && known.cache != NULL;
}

static PyObject *
make_default_stop_names(void)
{
    PyObject *names = PyList_New(0);
    for (const char *const *text = stop_names_by_default; names != NULL && *text != NULL; text++) {
        PyObject *name = PyUnicode_FromString(*text);
        if (name == NULL || PyList_Append(names, name) < 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(name);
    }
    PyObject *set = names == NULL ? NULL : PyFrozenSet_New(names);
    Py_XDECREF(names);
    return set;
}

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_heap", .m_size = -1};

PyMODINIT_FUNC
PyInit__heap(void)
{
    PyDateTime_IMPORT;
    if (PyDateTimeAPI == NULL || !know_types()) {
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    PyObject *heap = PyType_FromSpec(&heap_spec);
    change_type = PyStructSequence_NewType(&change_description);
    default_stop_names = make_default_stop_names();
    if (module == NULL || heap == NULL || change_type == NULL || default_stop_names == NULL ||
        PyModule_AddObjectRef(module, "Heap", heap) < 0 ||
        PyModule_AddObjectRef(module, "Change", (PyObject *)change_type) < 0 ||
        PyModule_AddObjectRef(module, "STOP_NAMES", default_stop_names) < 0) {
        Py_XDECREF(module);
        module = NULL;
    }
    Py_XDECREF(heap);
    return module;
}
