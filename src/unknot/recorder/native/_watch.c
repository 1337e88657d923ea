/* Reports when any code reads or writes one of a few objects. See _watch.pyi for what it guarantees. */

#include "watch_hooked.h"

static PyObject *install(PyObject *Py_UNUSED(self), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "install() takes 2 arguments, not %zd", count);
    }
    Py_XSETREF(state.was_read, Py_NewRef(arguments[0]));
    Py_XSETREF(state.was_written, Py_NewRef(arguments[1]));
    Py_RETURN_NONE;
}

/* Sets the mark and watches the object's type. 1: done; 0: cannot be watched; -1: error. */
static int watch_object(PyObject *object, PyObject *key, Mark *mark)
{
    int able = 1;
    if (PyType_Check(object)) {
        able = hook_below((PyTypeObject *)object);
        if (PyUnicode_CheckExact(key)) {
            remember_name(watched_class_names, key);
        }
        else {
            any_whole_class = 1;
        }
    }
    else if (tracker_with_type(Py_TYPE(object)) == NULL && tracker_for(Py_TYPE(object)) == NULL) {
        able = hook_instance(object);
    }
    if (able <= 0) {
        return able;
    }
    Entry *entry = entry_make(object);
    if (entry == NULL || entry_put(entry, key, mark) < 0) {
        return -1;
    }
    track(object);
    entry->type = Py_TYPE(object);
    return 1;
}

static PyObject *watch(PyObject *Py_UNUSED(self), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 3) {
        return PyErr_Format(PyExc_TypeError, "watch() takes 3 arguments, not %zd", count);
    }
    PyObject *object = arguments[0], *key = arguments[1];
    Mark *mark = mark_new(arguments[2]);
    if (mark == NULL) {
        return NULL;
    }
    int able = watch_object(object, key, mark);
    if (able > 0 && PyModule_Check(object)) {
        /* Its functions find their global names in the dict, all other code through the module. */
        able = watch_object(PyModule_GetDict(object), key, mark);
    }
    Py_DECREF(mark);
    if (able < 0) {
        return NULL;
    }
    if (able) {
        remember_names_of_all();
        methods_take();
        attributes_take();
    }
    return PyBool_FromLong(able);
}

static PyObject *watch_all(PyObject *Py_UNUSED(self), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "watch_all() takes 2 arguments, not %zd", count);
    }
    Entry *entry = entry_find(arguments[0]);
    if (entry != NULL) {
        Mark *mark = mark_new(arguments[1]);
        if (mark == NULL) {
            return NULL;
        }
        Py_XSETREF(entry->all, mark);
        entry->done = 0;
        entry->counted_in = 0;
    }
    Py_RETURN_NONE;
}

static PyObject *entries_of(PyObject *Py_UNUSED(self), PyObject *container)
{
    Entry *entry = entry_find(container);
    return PyLong_FromSsize_t(entry != NULL ? entry_marks(entry) : 0);
}

static void unwatch_object(PyObject *object, PyObject *key)
{
    Entry *entry = entry_find(object);
    if (entry != NULL) {
        entry_take_away(entry, key);
        if (entry_marks(entry) == (entry->all != NULL)) {
            untrack(object);
            entry_drop(object);
        }
    }
}

static PyObject *unwatch(PyObject *Py_UNUSED(self), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "unwatch() takes 2 arguments, not %zd", count);
    }
    unwatch_object(arguments[0], arguments[1]);
    if (PyModule_Check(arguments[0])) {
        unwatch_object(PyModule_GetDict(arguments[0]), arguments[1]);
    }
    Py_RETURN_NONE;
}

static PyObject *unwatch_all(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(nothing))
{
    types_of_all(0);
    for (size_t i = 0; entries.buckets != NULL && i <= entries.mask; i++) {
        while (entries.buckets[i] != NULL) {
            entry_drop(entries.buckets[i]->object);
        }
    }
    unhook_all();
    methods_give_back();
    attributes_give_back();
    any_whole_class = 0;
    memset(watched_names, 0, sizeof(watched_names));
    memset(watched_class_names, 0, sizeof(watched_class_names));
    Py_RETURN_NONE;
}

static PyObject *next_epoch(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(nothing))
{
    state.epoch++;
    spare_error_clean();
    hook_again();
    Py_RETURN_NONE;
}

static PyObject *set_active(PyObject *Py_UNUSED(self), PyObject *active)
{
    int truth = PyObject_IsTrue(active);
    if (truth < 0) {
        return NULL;
    }
    state.active = truth;
    Py_RETURN_NONE;
}

static PyObject *watched(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(nothing))
{
    Py_ssize_t count = 0;
    for (size_t i = 0; entries.buckets != NULL && i <= entries.mask; i++) {
        for (Entry *entry = entries.buckets[i]; entry != NULL; entry = entry->next) {
            /* A module's marks are in its dict's entry too. */
            count += PyType_IsSubtype(entry->type, &PyModule_Type) ? 0 : entry_marks(entry);
        }
    }
    return PyLong_FromSsize_t(count);
}

static PyMethodDef functions[] = {
    {"install", ANY_FUNCTION(install), METH_FASTCALL, NULL},
    {"watch", ANY_FUNCTION(watch), METH_FASTCALL, NULL},
    {"watch_all", ANY_FUNCTION(watch_all), METH_FASTCALL, NULL},
    {"entries_of", entries_of, METH_O, NULL},
    {"unwatch", ANY_FUNCTION(unwatch), METH_FASTCALL, NULL},
    {"unwatch_all", unwatch_all, METH_NOARGS, NULL},
    {"next_epoch", next_epoch, METH_NOARGS, NULL},
    {"set_active", set_active, METH_O, NULL},
    {"watched", watched, METH_NOARGS, NULL},
    {NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_watch",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__watch(void)
{
    if (PyType_Ready(&Mark_Type) < 0 || trackers_ready() < 0 || methods_ready() < 0 || hooked_ready() < 0
        || attributes_ready() < 0) {
        return NULL;
    }
    return PyModule_Create(&definition);
}
