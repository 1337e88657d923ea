/* A short text of a value, from exact builtin types only: runs no `__repr__` of the suite. */

#ifndef UNKNOT_HEAP_SHOWN_H
#define UNKNOT_HEAP_SHOWN_H

#include "heap_names.h"

#define DEEPEST_SHOWN 4

typedef struct {
    Heap *heap;
    _PyUnicodeWriter writer;
} Shown;

static bool show(Shown *shown, PyObject *object, int depth);

static bool
is_full(Shown *shown)
{
    return shown->writer.pos >= MOST_SHOWN;
}

static bool
show_text(Shown *shown, const char *text)
{
    return _PyUnicodeWriter_WriteASCIIString(&shown->writer, text, (Py_ssize_t)strlen(text)) == 0;
}

static bool
show_string(Shown *shown, PyObject *text)
{
    bool ok = text != NULL && _PyUnicodeWriter_WriteStr(&shown->writer, text) == 0;
    Py_XDECREF(text);
    PyErr_Clear();
    return ok;
}

static PyObject *
repr_of_head(PyObject *object)
{
    /* Of the first characters only, if there are many. */
    PyObject *head;
    if (PyUnicode_CheckExact(object) && PyUnicode_GET_LENGTH(object) > MOST_SHOWN) {
        head = PyUnicode_Substring(object, 0, MOST_SHOWN);
    }
    else if (PyBytes_CheckExact(object) && PyBytes_GET_SIZE(object) > MOST_SHOWN) {
        head = PyBytes_FromStringAndSize(PyBytes_AS_STRING(object), MOST_SHOWN);
    }
    else {
        return PyObject_Repr(object);
    }
    PyObject *text = head == NULL ? NULL : PyObject_Repr(head);
    Py_XDECREF(head);
    return text;
}

static bool
show_list(Shown *shown, PyObject **items, Py_ssize_t size, const char *open, const char *close, int depth)
{
    bool ok = show_text(shown, open);
    for (Py_ssize_t i = 0; ok && i < size && !is_full(shown); i++) {
        ok = (i == 0 || show_text(shown, ", ")) && show(shown, items[i], depth + 1);
    }
    return ok && show_text(shown, close);
}

static bool
show_dict(Shown *shown, PyObject *dict, int depth)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    bool is_first = true, ok = show_text(shown, "{");
    while (ok && !is_full(shown) && PyDict_Next(dict, &position, &key, &value)) {
        ok = (is_first || show_text(shown, ", ")) && show(shown, key, depth + 1) && show_text(shown, ": ") &&
             show(shown, value, depth + 1);
        is_first = false;
    }
    return ok && show_text(shown, "}");
}

static bool
show_set(Shown *shown, PyObject *set, int depth)
{
    PyObject *member;
    Py_ssize_t position = 0;
    Py_hash_t hash;
    bool is_first = true, ok = show_text(shown, PyFrozenSet_Check(set) ? "frozenset({" : "{");
    while (ok && !is_full(shown) && _PySet_NextEntry(set, &position, &member, &hash)) {
        ok = (is_first || show_text(shown, ", ")) && show(shown, member, depth + 1);
        is_first = false;
    }
    return ok && show_text(shown, PyFrozenSet_Check(set) ? "})" : "}");
}

static bool
take_shown(Sink *sink, How how, PyObject *key, uint64_t Py_UNUSED(number), PyObject *value, uint64_t Py_UNUSED(content))
{
    struct {
        Sink sink;
        Shown *shown;
        int depth;
        bool is_first;
    } *all = (void *)sink;
    bool is_content = how == BY_INDEX || how == BY_CACHE || (how == BY_PART && key == known.value);
    if (!is_content) {
        return true;
    }
    Shown *shown = all->shown;
    bool ok = (all->is_first || show_text(shown, ", ")) &&
              (how != BY_CACHE || (show(shown, key, all->depth + 1) && show_text(shown, ": "))) &&
              show(shown, value, all->depth + 1);
    all->is_first = false;
    return ok && !is_full(shown);
}

static void
ignore_length(Sink *Py_UNUSED(sink), Py_ssize_t Py_UNUSED(length))
{
}

static bool
show_expanded(Shown *shown, PyObject *object, const char *open, const char *close, int depth)
{
    struct {
        Sink sink;
        Shown *shown;
        int depth;
        bool is_first;
    } all = {{take_shown, ignore_length, shown->heap}, shown, depth, true};
    bool ok = show_text(shown, open);
    expand(&all.sink, object, *info_of_type(shown->heap, Py_TYPE(object)));
    return ok && show_text(shown, close);
}

static bool
show(Shown *shown, PyObject *object, int depth)
{
    if (is_full(shown)) {
        return true;
    }
    TypeInfo info = *info_of_type(shown->heap, Py_TYPE(object));
    if (depth > DEEPEST_SHOWN && info.kind > MODULE) {
        return show_text(shown, "...");
    }
    switch ((Kind)info.kind) {
    case NONE_LIKE:
    case BOOL:
    case INT:
    case FLOAT:
    case COMPLEX:
    case STRING:
    case BYTES: {
        PyObject *text = repr_of_head(object);
        if (text == NULL) {
            PyErr_Clear(); /* an integer with too many digits */
            return show_text(shown, "<int>");
        }
        return show_string(shown, text);
    }
    case HASHABLE:
        return show_string(shown, PyObject_Repr(object));
    case TUPLE:
        return show_list(shown, ((PyTupleObject *)object)->ob_item, PyTuple_GET_SIZE(object), "(",
                         PyTuple_GET_SIZE(object) == 1 ? ",)" : ")", depth);
    case LIST:
        return show_list(shown, ((PyListObject *)object)->ob_item, PyList_GET_SIZE(object), "[", "]", depth);
    case DICT:
        return show_dict(shown, object, depth);
    case SET:
    case FROZENSET:
        return show_set(shown, object, depth);
    case DEQUE:
        return show_expanded(shown, object, "deque([", "])", depth);
    case CACHE:
        return show_expanded(shown, object, "{", "}", depth);
    case CELL:
        return PyCell_GET(object) == NULL ? show_text(shown, "<empty>") : show(shown, PyCell_GET(object), depth);
    case CONTEXT_VARIABLE:
        return show_expanded(shown, object, "", "", depth);
    case BYTEARRAY: {
        PyObject *head = PyBytes_FromStringAndSize(PyByteArray_AS_STRING(object),
                                                   Py_MIN(PyByteArray_GET_SIZE(object), MOST_SHOWN));
        bool ok = head != NULL && show_text(shown, "bytearray(") && show_string(shown, PyObject_Repr(head)) &&
                  show_text(shown, ")");
        Py_XDECREF(head);
        return ok;
    }
    case FUNCTION: {
        PyFunctionObject *function = (PyFunctionObject *)object;
        if (function->func_module != NULL && PyUnicode_CheckExact(function->func_module)) {
            return show_string(
                shown, PyUnicode_FromFormat("<function %U.%U>", function->func_module, function->func_qualname));
        }
        return show_string(shown, PyUnicode_FromFormat("<function %U>", function->func_qualname));
    }
    case BUILTIN:
        return show_string(shown, PyUnicode_FromFormat("<built-in function %s>",
                                                       ((PyCFunctionObject *)object)->m_ml->ml_name));
    case CLASS: {
        PyObject *name = info_of_type(shown->heap, (PyTypeObject *)object)->name;
        return name != NULL && show_string(shown, PyUnicode_FromFormat("<class %U>", name));
    }
    case MODULE: {
        PyObject *name = name_of_module(object);
        return name == NULL ? show_text(shown, "<module>")
                            : show_string(shown, PyUnicode_FromFormat("<module %U>", name));
    }
    default: {
        /* Names of builtins are shown without "builtins.". */
        const char *full = info.name == NULL ? NULL : PyUnicode_AsUTF8(info.name);
        if (full == NULL) {
            PyErr_Clear();
            return show_text(shown, "<object>");
        }
        PyObject *name = strncmp(full, "builtins.", 9) == 0
                             ? PyUnicode_Substring(info.name, 9, PyUnicode_GET_LENGTH(info.name))
                             : Py_NewRef(info.name);
        bool ok = name != NULL && show_string(shown, PyUnicode_FromFormat("<%U object>", name));
        Py_XDECREF(name);
        return ok;
    }
    }
}

/* At most 200 characters. New reference. */
static PyObject *
shown_text(Heap *heap, PyObject *object)
{
    Shown shown = {.heap = heap};
    _PyUnicodeWriter_Init(&shown.writer);
    show(&shown, object, 0);
    PyErr_Clear();
    PyObject *text = _PyUnicodeWriter_Finish(&shown.writer);
    if (text != NULL && PyUnicode_GET_LENGTH(text) > MOST_SHOWN) {
        PyObject *head = PyUnicode_Substring(text, 0, MOST_SHOWN - 3);
        Py_DECREF(text);
        text = head == NULL ? NULL : PyUnicode_FromFormat("%U...", head);
        Py_XDECREF(head);
    }
    return text;
}

#endif
