/* What was not examined, in words. */

#ifndef UNKNOT_HEAP_NOTES_H
#define UNKNOT_HEAP_NOTES_H

#include "heap_names.h"

static PyObject *
with_commas(Py_ssize_t number)
{
    PyObject *value = PyLong_FromSsize_t(number), *format = PyUnicode_FromString(",");
    PyObject *text = value == NULL || format == NULL ? NULL : PyObject_Format(value, format);
    Py_XDECREF(value);
    Py_XDECREF(format);
    return text;
}

static bool
say_once(Heap *heap, PyObject *where, PyObject *text)
{
    int said = text == NULL || where == NULL ? -1 : PySet_Contains(heap->noted, where);
    bool ok = said >= 0;
    if (said == 0) {
        ok = PySet_Add(heap->noted, where) == 0 && PyList_Append(heap->notes, text) == 0;
    }
    Py_XDECREF(text);
    return ok;
}

static bool
note_one(Heap *heap, const Snapshot *snapshot, uint32_t node, uint32_t entry)
{
    PyObject *object = (PyObject *)snapshot->address[node], *name, *path, *piece = NULL;
    if (!name_node(heap, snapshot, node, &name, &path)) {
        Py_XDECREF(name);
        return false;
    }
    Py_DECREF(path);
    Py_ssize_t length, examined;
    const char *of = "entries";
    if (entry != NO_NODE) {
        EntryFinder found = find_entry(heap, object, entry - snapshot->first[node]);
        piece = text_of_entry(heap, snapshot, node, found.how, found.key, found.number);
        PyUnicode_Append(&name, piece);
        Py_XDECREF(piece);
        object = found.value;
        length = PyUnicode_CheckExact(object) ? PyUnicode_GET_LENGTH(object) : PyBytes_GET_SIZE(object);
        of = PyUnicode_CheckExact(object) ? "characters" : "bytes";
        examined = PART_BYTES * 2 / (PyUnicode_CheckExact(object) ? (Py_ssize_t)PyUnicode_KIND(object) : 1);
    }
    else {
        TypeInfo info = *info_of_type(heap, Py_TYPE(object));
        length = find_entry(heap, object, NO_NODE).length;
        bool of_bytes = info.content == MEMORY || info.content == BYTEARRAY || info.content == STREAM;
        of = of_bytes ? "bytes" : of;
        examined = of_bytes ? PART_BYTES * 2 : heap->most_of_one;
    }
    PyObject *type = info_of_type(heap, Py_TYPE(object))->name;
    PyObject *brief = type == NULL ? NULL : short_type_name(type);
    PyObject *all = with_commas(length), *some = with_commas(examined);
    bool ok = name != NULL && brief != NULL && all != NULL && some != NULL;
    if (ok) {
        bool is_vowel = strchr("aeiouAEIOU", (int)PyUnicode_READ_CHAR(brief, 0)) != NULL;
        ok = say_once(heap, name,
                      PyUnicode_FromFormat("%U: a%s %U of %U %s, of which %U were compared", name, is_vowel ? "n" : "",
                                           brief, all, of, some));
    }
    Py_XDECREF(name);
    Py_XDECREF(brief);
    Py_XDECREF(all);
    Py_XDECREF(some);
    return ok;
}

static bool
make_notes(Heap *heap, const Snapshot *snapshot)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < heap->to_note_count; i++) {
        ok = note_one(heap, snapshot, (uint32_t)(heap->to_note[i] >> 32), (uint32_t)heap->to_note[i]);
    }
    heap->to_note_count = 0;
    if (ok && snapshot->expanded < snapshot->nodes) {
        PyObject *most = with_commas(heap->most_entries);
        ok = most != NULL && say_once(heap, Py_None,
                                      PyUnicode_FromFormat("more than %U entries in all: what lies farthest from the "
                                                           "modules was not examined",
                                                           most));
        Py_XDECREF(most);
    }
    return ok;
}

#endif
