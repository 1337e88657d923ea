/* Steps through the user's code line by line and finds the line after which the fingerprint of a location has changed.

   A trace function in C, for three reasons. It runs no Python code while nothing changes, so it adds no frame at the
   recursion limit, lets no signal handler or other thread run between a line and the check after it, and takes no
   snapshot of local variables, which would keep the suite's objects alive. It is an order of magnitude faster. And it
   gets the same events on every version of Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

/* Which code objects are the user's: determined once for each, then found by address. The table owns a reference to
   each code object, so that no address is reused. */

typedef struct {
    PyObject *code;
    int is_users;
} KnownCode;

typedef struct {
    KnownCode *slots;
    size_t size; /* a power of two */
    size_t used;
} CodeTable;

#define FIRST_SIZE 1024
#define LARGEST_SIZE (1 << 18) /* a suite that keeps creating code must not fill the memory */

/* The user's running frames, innermost last, of all threads: the line that each is executing. Frames are known by
   address only; one is added when it starts or resumes and removed when it returns or yields. */

typedef struct {
    PyFrameObject *frame;
    int line;
} Running;

/* In place of a line: before the frame began, that is, in its caller; or somewhere in the frame. */
#define BEFORE 0
#define SOMEWHERE (-1)

typedef enum { EVERY_LINE, RETURNS_ONLY, GIVEN_UP } Effort;

typedef struct {
    PyObject_HEAD
    PyObject *is_users; /* (file name) -> bool */
    PyObject *take;     /* (frame, line) -> stack */
    PyObject *own_file; /* the file whose returns are still checked after too many lines; or empty */
    PyObject *fingerprints;    /* tuple of callables */
    PyObject *seen;     /* list: each fingerprint at the last check */
    PyObject *found;    /* list: the stack at the last change, None if there was no change or its place is unknown */
    CodeTable codes;
    Running *running;
    size_t depth, room;
    long long lines, most_lines;
    Effort effort;
    int is_active;
} Steps;

/* --- errors during our own calls --- */

static int is_users_code(Steps *self, PyObject *code);

/* An error is pending after one of our calls. Our own errors are dropped. But a signal handler may have run meanwhile:
   what it raised (Ctrl-C, a time limit) is meant for the suite and is left pending; then returns -1. */
static int
drop_own_error(Steps *self)
{
    if (!PyErr_Occurred()) {
        return 0;
    }
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return -1;
    }
    PyObject *type, *value, *place;
    PyErr_Fetch(&type, &value, &place);
    PyTracebackObject *deepest = (PyTracebackObject *)place;
    while (deepest != NULL && deepest->tb_next != NULL) {
        deepest = deepest->tb_next;
    }
    int is_theirs = 0;
    if (deepest != NULL) {
        PyObject *code = (PyObject *)PyFrame_GetCode(deepest->tb_frame);
        is_theirs = is_users_code(self, code) == 1;
        Py_DECREF(code);
        PyErr_Clear();
    }
    if (is_theirs) {
        PyErr_Restore(type, value, place);
        return -1;
    }
    Py_DECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(place);
    return 0;
}

/* --- which code is the user's --- */

static size_t
slot_of(const CodeTable *table, PyObject *code)
{
    size_t slot = ((size_t)code >> 4) & (table->size - 1);
    while (table->slots[slot].code != NULL && table->slots[slot].code != code) {
        slot = (slot + 1) & (table->size - 1);
    }
    return slot;
}

static void
forget_codes(CodeTable *table)
{
    CodeTable former = *table;
    table->slots = NULL;
    table->size = table->used = 0;
    for (size_t i = 0; i < former.size; i++) {
        Py_XDECREF(former.slots[i].code);
    }
    PyMem_Free(former.slots);
}

static int
grow_codes(CodeTable *table)
{
    if (table->size >= LARGEST_SIZE) {
        forget_codes(table);
    }
    CodeTable larger = {NULL, table->size ? table->size * 4 : FIRST_SIZE, table->used};
    larger.slots = PyMem_Calloc(larger.size, sizeof(KnownCode));
    if (larger.slots == NULL) {
        return -1;
    }
    for (size_t i = 0; i < table->size; i++) {
        if (table->slots[i].code != NULL) {
            larger.slots[slot_of(&larger, table->slots[i].code)] = table->slots[i];
        }
    }
    PyMem_Free(table->slots);
    *table = larger;
    return 0;
}

/* 1, 0, or -1 with an error pending. */
static int
ask_is_users(Steps *self, PyObject *code)
{
    PyObject *answer = PyObject_CallOneArg(self->is_users, ((PyCodeObject *)code)->co_filename);
    if (answer == NULL) {
        return -1;
    }
    int is_users = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return is_users;
}

static int
is_users_code(Steps *self, PyObject *code)
{
    CodeTable *table = &self->codes;
    if (table->size) {
        KnownCode *known = &table->slots[slot_of(table, code)];
        if (known->code != NULL) {
            return known->is_users;
        }
    }
    int is_users = ask_is_users(self, code);
    if (is_users < 0 || ((table->used + 1) * 2 > table->size && grow_codes(table) < 0)) {
        return is_users;
    }
    /* Search again: the table may have changed during the call. */
    KnownCode *slot = &table->slots[slot_of(table, code)];
    if (slot->code == NULL) {
        slot->code = Py_NewRef(code);
        slot->is_users = is_users;
        table->used++;
    }
    return is_users;
}

static int
is_users_frame(Steps *self, PyFrameObject *frame)
{
    PyObject *code = (PyObject *)PyFrame_GetCode(frame);
    int is_users = is_users_code(self, code);
    Py_DECREF(code);
    return is_users;
}

/* --- the current line of each frame --- */

static Running *
find_running(Steps *self, PyFrameObject *frame)
{
    for (size_t i = self->depth; i > 0; i--) {
        if (self->running[i - 1].frame == frame) {
            return &self->running[i - 1];
        }
    }
    return NULL;
}

static void
at_line(Steps *self, PyFrameObject *frame, int line)
{
    Running *entry = find_running(self, frame);
    if (entry == NULL) {
        if (self->depth == self->room) {
            size_t room = self->room ? self->room * 2 : 64;
            Running *larger = PyMem_Realloc(self->running, room * sizeof(Running));
            if (larger == NULL) {
                return;
            }
            self->running = larger;
            self->room = room;
        }
        entry = &self->running[self->depth++];
        entry->frame = frame;
    }
    entry->line = line;
}

static void
leave(Steps *self, PyFrameObject *frame)
{
    Running *entry = find_running(self, frame);
    if (entry != NULL) {
        size_t after = self->depth - (size_t)(entry - self->running) - 1;
        memmove(entry, entry + 1, after * sizeof(Running));
        self->depth--;
    }
}

/* Frames that run while tracing is off are not followed: find their current lines. Steals the reference to `frame`. */
static void
enter_all(Steps *self, PyFrameObject *frame)
{
    while (frame != NULL) {
        int is_users = is_users_frame(self, frame);
        if (is_users == 1) {
            at_line(self, frame, PyFrame_GetLineNumber(frame));
        }
        else if (is_users < 0) {
            PyErr_Clear();
        }
        PyFrameObject *outer = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = outer;
    }
}

/* --- checking --- */

static int
remember(Steps *self, Py_ssize_t which, PyFrameObject *frame, int line)
{
    PyObject *stack = PyObject_CallFunction(self->take, "Oi", frame, line);
    int result = stack == NULL ? drop_own_error(self) : 0;
    /* An older stack would be wrong. */
    PyObject *known = stack != NULL ? stack : Py_NewRef(Py_None);
    if (result < 0) {
        PyObject *type, *value, *place;
        PyErr_Fetch(&type, &value, &place);
        PyList_SetItem(self->found, which, known);
        PyErr_Restore(type, value, place);
        return -1;
    }
    PyList_SetItem(self->found, which, known);
    return 0;
}

static int
check(Steps *self, PyFrameObject *frame, int line)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self->fingerprints); i++) {
        PyObject *now = PyObject_CallNoArgs(PyTuple_GET_ITEM(self->fingerprints, i));
        int is_same = 1;
        if (now != NULL) {
            PyObject *before = Py_NewRef(PyList_GET_ITEM(self->seen, i));
            is_same = PyObject_RichCompareBool(now, before, Py_EQ);
            Py_DECREF(before);
        }
        if (now == NULL || is_same < 0) {
            Py_XDECREF(now);
            if (drop_own_error(self) < 0) {
                return -1;
            }
        }
        else if (is_same) {
            Py_DECREF(now);
        }
        else {
            PyList_SetItem(self->seen, i, now);
            if (remember(self, i, frame, line) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int
is_own_file(Steps *self, PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    int is_own = PyUnicode_GET_LENGTH(self->own_file) == 0 || PyUnicode_Compare(code->co_filename, self->own_file) == 0;
    Py_DECREF(code);
    return is_own;
}

static int
step_by_lines(Steps *self, PyFrameObject *frame, int what)
{
    Running *entry = what == PyTrace_CALL ? NULL : find_running(self, frame);
    int line = what == PyTrace_CALL ? BEFORE : entry != NULL ? entry->line : SOMEWHERE;
    int result = check(self, frame, line);
    if (what == PyTrace_RETURN) {
        leave(self, frame);
        return result;
    }
    at_line(self, frame, PyFrame_GetLineNumber(frame));
    if (what == PyTrace_LINE && ++self->lines >= self->most_lines) {
        self->effort = RETURNS_ONLY;
        self->lines = 0;
        self->depth = 0;
    }
    return result;
}

static int
step_by_returns(Steps *self, PyFrameObject *frame, int what)
{
    if (what != PyTrace_RETURN || !is_own_file(self, frame)) {
        return 0;
    }
    int result = check(self, frame, SOMEWHERE);
    if (++self->lines >= self->most_lines) {
        self->effort = GIVEN_UP;
    }
    return result;
}

static int
trace(PyObject *object, PyFrameObject *frame, int what, PyObject *Py_UNUSED(argument))
{
    Steps *self = (Steps *)object;
    if (what != PyTrace_LINE && what != PyTrace_CALL && what != PyTrace_RETURN) {
        return 0;
    }
    PyObject *type, *value, *place;
    PyErr_Fetch(&type, &value, &place);
    if (!self->is_active || self->effort == GIVEN_UP) {
        PyEval_SetTrace(NULL, NULL); /* a thread that started while stepping was on and still runs */
        PyErr_Restore(type, value, place);
        return 0;
    }
    int result = is_users_frame(self, frame);
    if (result < 0) {
        result = drop_own_error(self);
    }
    else if (result == 1) {
        result = self->effort == EVERY_LINE ? step_by_lines(self, frame, what) : step_by_returns(self, frame, what);
    }
    if (result == 0) {
        PyErr_Restore(type, value, place);
        return 0;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(place);
    return -1;
}

/* --- the Python interface --- */

static PyObject *
steps_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords))
{
    PyObject *is_users, *take, *own_file, *fingerprints;
    long long most_lines;
    if (!PyArg_ParseTuple(arguments, "OOUO!L", &is_users, &take, &own_file, &PyTuple_Type, &fingerprints,
                          &most_lines)) {
        return NULL;
    }
    Steps *self = (Steps *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->is_users = Py_NewRef(is_users);
    self->take = Py_NewRef(take);
    self->own_file = Py_NewRef(own_file);
    self->fingerprints = Py_NewRef(fingerprints);
    self->most_lines = most_lines;
    self->effort = EVERY_LINE;
    Py_ssize_t count = PyTuple_GET_SIZE(fingerprints);
    self->seen = PyList_New(count);
    self->found = PyList_New(count);
    if (self->seen == NULL || self->found == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *now = PyObject_CallNoArgs(PyTuple_GET_ITEM(fingerprints, i));
        if (now == NULL) {
            PyErr_Clear();
            now = Py_NewRef(Py_None);
        }
        PyList_SET_ITEM(self->seen, i, now);
        PyList_SET_ITEM(self->found, i, Py_NewRef(Py_None));
    }
    return (PyObject *)self;
}

static PyObject *
steps_install(Steps *self, PyObject *Py_UNUSED(nothing))
{
    self->is_active = 1;
    enter_all(self, (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame()));
    PyEval_SetTrace(trace, (PyObject *)self);
    Py_RETURN_NONE;
}

static PyObject *
steps_finish(Steps *self, PyObject *Py_UNUSED(nothing))
{
    self->is_active = 0;
    self->depth = 0;
    /* What has changed since the last check was not changed by a traced line. */
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self->fingerprints); i++) {
        PyObject *now = PyObject_CallNoArgs(PyTuple_GET_ITEM(self->fingerprints, i));
        int is_same = now == NULL ? -1 : PyObject_RichCompareBool(now, PyList_GET_ITEM(self->seen, i), Py_EQ);
        Py_XDECREF(now);
        if (is_same != 1) {
            PyErr_Clear();
            PyList_SetItem(self->found, i, Py_NewRef(Py_None));
        }
    }
    forget_codes(&self->codes);
    return Py_NewRef(self->found);
}

/* Called like a trace function written in Python: a new thread starts, or code that traced meanwhile has restored this
   one. From the next event on it is called directly. */
static PyObject *
steps_call(Steps *self, PyObject *arguments, PyObject *Py_UNUSED(keywords))
{
    PyObject *frame, *event, *argument;
    if (!PyArg_ParseTuple(arguments, "O!UO", &PyFrame_Type, &frame, &event, &argument)) {
        return NULL;
    }
    if (!self->is_active || self->effort == GIVEN_UP) {
        Py_RETURN_NONE;
    }
    PyEval_SetTrace(trace, (PyObject *)self);
    enter_all(self, PyFrame_GetBack((PyFrameObject *)frame));
    if (PyUnicode_CompareWithASCIIString(event, "call") == 0) {
        if (trace((PyObject *)self, (PyFrameObject *)frame, PyTrace_CALL, argument) < 0) {
            return NULL;
        }
    }
    return Py_NewRef((PyObject *)self);
}

static PyObject *
steps_effort(Steps *self, void *Py_UNUSED(closure))
{
    const char *const names[] = {"every line", "returns only", "given up"};
    return PyUnicode_FromString(names[self->effort]);
}

static int
steps_traverse(Steps *self, visitproc visit, void *arg)
{
    Py_VISIT(self->is_users);
    Py_VISIT(self->take);
    Py_VISIT(self->fingerprints);
    Py_VISIT(self->seen);
    Py_VISIT(self->found);
    return 0;
}

static int
steps_clear(Steps *self)
{
    self->is_active = 0;
    Py_CLEAR(self->is_users);
    Py_CLEAR(self->take);
    Py_CLEAR(self->fingerprints);
    Py_CLEAR(self->seen);
    Py_CLEAR(self->found);
    return 0;
}

static void
steps_dealloc(Steps *self)
{
    PyObject_GC_UnTrack(self);
    steps_clear(self);
    Py_CLEAR(self->own_file);
    forget_codes(&self->codes);
    PyMem_Free(self->running);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef steps_methods[] = {
    {"install", (PyCFunction)steps_install, METH_NOARGS, PyDoc_STR("Begins to trace the calling thread.")},
    {"finish", (PyCFunction)steps_finish, METH_NOARGS,
     PyDoc_STR("Checks a last time; returns for each fingerprint the stack of its last change, or None.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef steps_properties[] = {
    {"effort", (getter)steps_effort, NULL, PyDoc_STR("'every line', 'returns only' or 'given up'"), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject StepsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "unknot.recorder.native._step.Steps",
    .tp_doc = PyDoc_STR("Steps(is_users, take, own_file, fingerprints, most_lines)"),
    .tp_basicsize = sizeof(Steps),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = steps_new,
    .tp_call = (ternaryfunc)steps_call,
    .tp_traverse = (traverseproc)steps_traverse,
    .tp_clear = (inquiry)steps_clear,
    .tp_dealloc = (destructor)steps_dealloc,
    .tp_methods = steps_methods,
    .tp_getset = steps_properties,
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "unknot.recorder.native._step",
    .m_doc = PyDoc_STR("Steps through the user's code line by line."),
    .m_size = -1,
};

PyMODINIT_FUNC
PyInit__step(void)
{
    if (PyType_Ready(&StepsType) < 0) {
        return NULL;
    }
    PyObject *made = PyModule_Create(&module);
    if (made != NULL && PyModule_AddObjectRef(made, "Steps", (PyObject *)&StepsType) < 0) {
        Py_CLEAR(made);
    }
    return made;
}
