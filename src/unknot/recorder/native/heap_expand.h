/* What an object consists of, entry by entry, in the same order as long as nothing changes.

   Reads the memory of the builtin type directly. Calls no code of the suite: no `__getattr__`, `__iter__`, `__len__`,
   `__eq__`, `__hash__`, no property. */

#ifndef UNKNOT_HEAP_EXPAND_H
#define UNKNOT_HEAP_EXPAND_H

#include "heap_types.h"

#define LAST_OF_MANY 1000

typedef struct Sink Sink;

struct Sink {
    /* `key` for BY_KEY, BY_ATTRIBUTE, BY_KWDEFAULT, BY_CACHE, BY_PART; otherwise `number`. AS_VALUE has no value but
       `content` (IDENTITY: the object itself). Returns false to stop. All objects are borrowed. */
    bool (*take)(Sink *sink, How how, PyObject *key, uint64_t number, PyObject *value, uint64_t content);
    void (*too_long)(Sink *sink, Py_ssize_t length);
    Heap *heap;
};

#define TAKE(how, key, number, value)                                                                                  \
    do {                                                                                                               \
        if (!sink->take(sink, (how), (key), (number), (value), 0)) {                                                   \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

#define TAKE_VALUE(number, content)                                                                                    \
    do {                                                                                                               \
        if (!sink->take(sink, AS_VALUE, NULL, (number), NULL, (content))) {                                            \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

enum { LENGTH, POSITION, CONTENT, STATE, IDENTITY };


static bool
is_dead_weakref(PyObject *object)
{
    return PyWeakref_CheckRef(object) && ((PyWeakReference *)object)->wr_object == Py_None;
}

static bool
names_itself(PyObject *module_name, PyObject *name, PyObject *value)
{
    /* `shop.cart` in `shop`: made by the import system, and no state. */
    if (!PyModule_Check(value) || module_name == NULL) {
        return false;
    }
    PyObject *dict = dict_of_module(value);
    PyObject *whole = dict == NULL ? NULL : PyDict_GetItemWithError(dict, known.dunder_name);
    if (whole == NULL || !PyUnicode_CheckExact(whole) || !PyUnicode_CheckExact(name)) {
        return false;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(module_name);
    return PyUnicode_GET_LENGTH(whole) == length + 1 + PyUnicode_GET_LENGTH(name) &&
           PyUnicode_Tailmatch(whole, module_name, 0, length, -1) == 1 && PyUnicode_READ_CHAR(whole, length) == '.' &&
           PyUnicode_Tailmatch(whole, name, length + 1, PY_SSIZE_T_MAX, 1) == 1;
}

static int
flags_of_name(Heap *heap, PyObject *name)
{
    uint32_t slot = slot_for((uint64_t)name, NAME_SLOTS);
    while (heap->names[slot].name != NULL) {
        if (heap->names[slot].name == name) {
            return heap->names[slot].flags;
        }
        slot = (slot + 1) & (NAME_SLOTS - 1);
    }
    int flags = 0;
    if (!PyUnicode_CheckExact(name) || PyUnicode_GET_LENGTH(name) == 0) {
        return flags;
    }
    /* The interpreter has its own copies of some names, equal to the interned ones: `__annotations__`. */
    if (!PyUnicode_CHECK_INTERNED(name) || PyUnicode_READ_CHAR(name, 0) == '_') {
        PyObject *number = PyDict_GetItemWithError(heap->flags_by_name, name);
        flags = number == NULL ? 0 : (int)PyLong_AsLong(number);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(heap->stop_prefixes); i++) {
        PyObject *prefix = PyTuple_GET_ITEM(heap->stop_prefixes, i);
        if (PyUnicode_READ_CHAR(name, 0) == PyUnicode_READ_CHAR(prefix, 0) &&
            PyUnicode_Tailmatch(name, prefix, 0, PY_SSIZE_T_MAX, -1) == 1) {
            flags |= STOP_NAME;
        }
    }
    return flags;
}

static bool
expand_dict(Sink *sink, PyObject *dict, How how)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    Py_ssize_t length = ((PyDictObject *)dict)->ma_used;
    Py_ssize_t most = sink->heap->most_of_one;
    if (length > most) {
        sink->too_long(sink, length);
        TAKE_VALUE(LENGTH, (uint64_t)length);
        Py_ssize_t last = Py_MIN(LAST_OF_MANY, most);
        for (Py_ssize_t i = 0; i < most - last && PyDict_Next(dict, &position, &key, &value); i++) {
            TAKE(how, key, 0, value);
        }
        position = Py_MAX(position, position_before_last(dict, last));
    }
    while (PyDict_Next(dict, &position, &key, &value)) {
        /* Entries of weak dictionaries whose objects are dying. */
        bool is_gone = is_dead_weakref(key) || (is_dead_weakref(value) && !PyWeakref_CheckRefExact(value));
        if (how != BY_KEY || !is_gone) {
            TAKE(how, key, 0, value);
        }
    }
    return true;
}

static bool
expand_items(Sink *sink, PyObject **items, Py_ssize_t length)
{
    Py_ssize_t most = sink->heap->most_of_one;
    Py_ssize_t head = length;
    TAKE_VALUE(LENGTH, (uint64_t)length);
    if (length > most) {
        sink->too_long(sink, length);
        head = most - Py_MIN(LAST_OF_MANY, most);
    }
    for (Py_ssize_t i = 0; i < head; i++) {
        if (items[i] != NULL) {
            TAKE(BY_INDEX, NULL, (uint64_t)i, items[i]);
        }
    }
    for (Py_ssize_t i = head < length ? length - (most - head) : length; i < length; i++) {
        TAKE(BY_INDEX, NULL, (uint64_t)i, items[i]);
    }
    return true;
}

static bool
expand_set(Sink *sink, PyObject *set)
{
    PyObject *member;
    Py_ssize_t position = 0;
    Py_hash_t hash;
    Py_ssize_t length = PySet_GET_SIZE(set);
    uint64_t number = 0;
    if (length > sink->heap->most_of_one) {
        sink->too_long(sink, length);
        TAKE_VALUE(LENGTH, (uint64_t)length);
    }
    while (number < (uint64_t)sink->heap->most_of_one && _PySet_NextEntry(set, &position, &member, &hash)) {
        if (!is_dead_weakref(member)) {
            TAKE(BY_MEMBER, member, number, member);
        }
        number++;
    }
    return true;
}

static bool
expand_deque(Sink *sink, PyObject *deque)
{
    Py_ssize_t length = Py_SIZE(deque);
    Py_ssize_t most = sink->heap->most_of_one;
    TAKE_VALUE(LENGTH, (uint64_t)length);
    if (length > most) {
        sink->too_long(sink, length);
    }
    PyObject *iterator = known.deque->tp_iter(deque);
    if (iterator == NULL) {
        PyErr_Clear();
        return true;
    }
    bool goes_on = true;
    PyObject *item;
    for (Py_ssize_t i = 0; goes_on && i < most && (item = Py_TYPE(iterator)->tp_iternext(iterator)) != NULL; i++) {
        goes_on = sink->take(sink, BY_INDEX, NULL, (uint64_t)i, item, 0);
        Py_DECREF(item);
    }
    PyErr_Clear();
    Py_DECREF(iterator);
    if (goes_on && length > most) {
        PyObject *last = known.deque->tp_as_sequence->sq_item(deque, length - 1);
        if (last == NULL) {
            PyErr_Clear();
            return true;
        }
        goes_on = sink->take(sink, BY_INDEX, NULL, (uint64_t)(length - 1), last, 0);
        Py_DECREF(last);
    }
    return goes_on;
}

static bool
expand_attributes(Sink *sink, PyObject *object, const TypeInfo *info)
{
    if (info->has_attributes) {
        Attributes found = attributes_of(object);
        if (found.values != NULL) {
            Py_ssize_t count = shared_keys_count(found.keys);
            for (Py_ssize_t i = 0; i < count; i++) {
                if (found.values[i] != NULL) {
                    TAKE(BY_ATTRIBUTE, shared_key(found.keys, i), 0, found.values[i]);
                }
            }
        }
        else if (found.dict != NULL && !expand_dict(sink, found.dict, BY_ATTRIBUTE)) {
            return false;
        }
    }
    if (info->kind == INSTANCE) {
        for (uint32_t i = 0; i < info->member_count; i++) {
            PyObject *value = *(PyObject **)((char *)object + info->members[i].offset);
            if (value != NULL) {
                TAKE(BY_ATTRIBUTE, info->members[i].name, 0, value);
            }
        }
    }
    return true;
}

static bool
expand_path(Sink *sink, PyObject *object, const TypeInfo *info)
{
    /* Paths cache their text, hash and parts in slots; these slots hold the content itself. */
    static const char *const made_of[] = {"_drv", "_root", "_parts", "_raw_paths"};
    for (uint32_t i = 0; i < info->member_count; i++) {
        PyObject *value = *(PyObject **)((char *)object + info->members[i].offset);
        bool counts = false;
        for (size_t j = PY_VERSION_HEX >= 0x030C0000 ? 3 : 0; j < 4; j++) {
            counts = counts || PyUnicode_CompareWithASCIIString(info->members[i].name, made_of[j]) == 0;
        }
        if (counts && value != NULL) {
            TAKE(BY_ATTRIBUTE, info->members[i].name, 0, value);
        }
    }
    return true;
}

static int
remember_referent(PyObject *object, void *argument)
{
    Heap *heap = argument;
    if (object != NULL && WITH_ROOM(heap, heap->referents, heap->referent_count, heap->referent_room, 1)) {
        heap->referents[heap->referent_count++] = object;
    }
    return 0;
}

/* What the object refers to, according to its C base's tp_traverse; from `heap->referents[begin]` on. */
static uint32_t
find_referents(Heap *heap, PyObject *object, const TypeInfo *info)
{
    uint32_t begin = heap->referent_count;
    if (info->c_base->tp_traverse != NULL) {
        info->c_base->tp_traverse(object, remember_referent, heap);
    }
    return begin;
}

static bool
expand_referents(Sink *sink, PyObject *object, const TypeInfo *info)
{
    Heap *heap = sink->heap;
    PyObject *own = info->has_attributes ? attributes_of(object).dict : NULL;
    uint32_t begin = find_referents(heap, object, info);
    uint32_t end = heap->referent_count;
    bool goes_on = true;
    for (uint32_t i = begin; goes_on && i < end; i++) {
        PyObject *referent = heap->referents[i];
        if (referent != own && referent != (PyObject *)Py_TYPE(object) && !PyFrame_Check(referent)) {
            goes_on = sink->take(sink, BY_NUMBER, NULL, i - begin, referent, 0);
        }
    }
    heap->referent_count = begin;
    return goes_on;
}

/* The numbers in an iterator's memory: everything that is neither a referenced object nor another address. */
static uint64_t
position_of_iterator(Heap *heap, PyObject *object, const TypeInfo *info)
{
    uint64_t position = 0;
    uint32_t begin = find_referents(heap, object, info);
    size_t words = (size_t)info->c_base->tp_basicsize / 8;
    for (size_t i = sizeof(PyObject) / 8; i < words; i++) {
        int64_t word;
        memcpy(&word, (char *)object + i * 8, 8);
        bool is_referent = false;
        for (uint32_t j = begin; j < heap->referent_count && !is_referent; j++) {
            is_referent = heap->referents[j] == (PyObject *)word;
        }
        if (!is_referent && word < (1LL << 32) && word > -(1LL << 32)) {
            position = joined(position, (uint64_t)word + i * 0x100000000ULL);
        }
    }
    heap->referent_count = begin;
    return position;
}

static bool
expand_iterator(Sink *sink, PyObject *object, const TypeInfo *info)
{
    TAKE_VALUE(POSITION, position_of_iterator(sink->heap, object, info));
    return expand_referents(sink, object, info);
}

/* The cache's C type visits, in this order: its type, then key, result and link type of each link (if it is
   bounded), then the cache's dictionary, the function and what is the same for all caches. */
static bool
expand_cache(Sink *sink, PyObject *object, const TypeInfo *info)
{
    Heap *heap = sink->heap;
    PyObject *own = attributes_of(object).dict;
    uint32_t begin = find_referents(heap, object, info);
    uint32_t end = heap->referent_count;
    uint32_t after = own != NULL ? 6 : 5;
    bool goes_on = true;
    if (end - begin > after && PyDict_CheckExact(heap->referents[end - after])) {
        PyObject *results = heap->referents[end - after];
        uint32_t links = end - after - begin - 1;
        if (links == 0) {
            goes_on = expand_dict(sink, results, BY_CACHE);
        }
        for (uint32_t i = 0; goes_on && i + 2 < links; i += 3) {
            PyObject **link = &heap->referents[begin + 1 + i];
            goes_on = sink->take(sink, BY_CACHE, link[0], 0, link[1], 0);
        }
        if (goes_on) {
            goes_on = sink->take(sink, BY_PART, known.wrapped, 0, heap->referents[end - after + 1], 0);
        }
    }
    heap->referent_count = begin;
    return goes_on && expand_attributes(sink, object, info);
}

static bool
expand_function(Sink *sink, PyObject *object)
{
    PyFunctionObject *function = (PyFunctionObject *)object;
    PyObject *cells = function->func_closure;
    for (Py_ssize_t i = 0; cells != NULL && i < PyTuple_GET_SIZE(cells); i++) {
        TAKE(BY_CELL, NULL, (uint64_t)i, PyTuple_GET_ITEM(cells, i));
    }
    PyObject *defaults = function->func_defaults;
    for (Py_ssize_t i = 0; defaults != NULL && PyTuple_Check(defaults) && i < PyTuple_GET_SIZE(defaults); i++) {
        TAKE(BY_DEFAULT, NULL, (uint64_t)i, PyTuple_GET_ITEM(defaults, i));
    }
    if (function->func_kwdefaults != NULL && PyDict_Check(function->func_kwdefaults) &&
        !expand_dict(sink, function->func_kwdefaults, BY_KWDEFAULT)) {
        return false;
    }
    return function->func_dict == NULL || expand_dict(sink, function->func_dict, BY_ATTRIBUTE);
}

static bool
expand_memory(Sink *sink, PyObject *object, const TypeInfo *info)
{
    Py_buffer view;
    if (info->c_base->tp_as_buffer->bf_getbuffer(object, &view, PyBUF_CONTIG_RO | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return expand_referents(sink, object, info);
    }
    uint64_t content = hash_of_bytes(view.buf, view.len);
    if (view.format != NULL) {
        content = joined(content, hash_of_text(view.format));
    }
    Py_ssize_t length = view.len;
    PyBuffer_Release(&view);
    if (length > WHOLE_BYTES) {
        sink->too_long(sink, length);
    }
    TAKE_VALUE(CONTENT, content);
    return true;
}

static bool
expand_stream(Sink *sink, PyObject *object, const TypeInfo *info)
{
    Buffer *stream = (Buffer *)object;
    TAKE_VALUE(POSITION, (uint64_t)stream->position);
    TAKE_VALUE(LENGTH, (uint64_t)stream->size);
    if (stream->size > WHOLE_BYTES) {
        sink->too_long(sink, stream->size);
    }
    if (info->c_base == known.bytes_stream) {
        PyObject *bytes = stream->buffer;
        if (bytes != NULL && PyBytes_CheckExact(bytes) && PyBytes_GET_SIZE(bytes) >= stream->size) {
            TAKE_VALUE(CONTENT, hash_of_bytes(PyBytes_AS_STRING(bytes), stream->size));
        }
    }
    else if (stream->size <= WHOLE_BYTES) {
        PyObject *method = PyDict_GetItemWithError(dict_of_class(known.text_stream), known.getvalue);
        PyObject *text = method == NULL ? NULL : PyObject_CallOneArg(method, object);
        uint64_t content = 0;
        if (text != NULL && PyUnicode_CheckExact(text)) {
            content = hash_of_string(text);
        }
        PyErr_Clear();
        Py_XDECREF(text);
        TAKE_VALUE(CONTENT, content);
    }
    return true;
}

/* This thread's part: a dictionary maps a token of each thread to that thread's dictionary. */
static PyObject *
dict_of_thread_local(Heap *heap, PyObject *object, const TypeInfo *info)
{
    PyObject *found = NULL, *mine = token_of_thread(object);
    uint32_t begin = find_referents(heap, object, info);
    for (uint32_t i = begin; mine != NULL && i < heap->referent_count; i++) {
        PyObject *token, *dict;
        Py_ssize_t position = 0;
        while (PyDict_CheckExact(heap->referents[i]) && PyDict_Next(heap->referents[i], &position, &token, &dict)) {
            PyObject *held = PyWeakref_CheckRef(token) ? ((PyWeakReference *)token)->wr_object : token;
            if (held == mine && PyDict_Check(dict)) {
                found = dict;
            }
        }
    }
    heap->referent_count = begin;
    return found;
}

static uint64_t hash_of_base_value(PyObject *object, Kind kind);

/* The content that an instance inherits from a builtin base. */
static bool
expand_content(Sink *sink, PyObject *object, const TypeInfo *info)
{
    switch ((Kind)info->content) {
    case DICT:
        return expand_dict(sink, object, BY_KEY);
    case LIST:
        return expand_items(sink, ((PyListObject *)object)->ob_item, PyList_GET_SIZE(object));
    case TUPLE:
        return expand_items(sink, ((PyTupleObject *)object)->ob_item, PyTuple_GET_SIZE(object));
    case SET:
    case FROZENSET:
        return expand_set(sink, object);
    case DEQUE:
        return expand_deque(sink, object);
    case BYTEARRAY:
        TAKE_VALUE(CONTENT, hash_of_bytes(PyByteArray_AS_STRING(object), PyByteArray_GET_SIZE(object)));
        if (PyByteArray_GET_SIZE(object) > WHOLE_BYTES) {
            sink->too_long(sink, PyByteArray_GET_SIZE(object));
        }
        return true;
    case MEMORY:
        return expand_memory(sink, object, info);
    case INT:
    case FLOAT:
    case COMPLEX:
    case STRING:
    case BYTES:
    case DATE:
    case HASHABLE:
        TAKE_VALUE(CONTENT, hash_of_base_value(object, (Kind)info->content));
        return true;
    case CELL:
        if (PyCell_GET(object) != NULL) {
            TAKE(BY_CONTENT, NULL, 0, PyCell_GET(object));
        }
        return true;
    case GENERATOR:
        TAKE_VALUE(POSITION, (uint64_t)position_of_generator(object));
        return expand_referents(sink, object, info);
    case ITERATOR:
        return expand_iterator(sink, object, info);
    case STREAM:
        return expand_stream(sink, object, info);
    case RANDOM:
        TAKE_VALUE(STATE, hash_of_all((char *)object + sizeof(PyObject),
                                      known.random->tp_basicsize - (Py_ssize_t)sizeof(PyObject)));
        return true;
    case PARTS:
        for (uint32_t i = 0; info->kind == PARTS && i < info->member_count; i++) {
            PyObject *value = *(PyObject **)((char *)object + info->members[i].offset);
            if (value != NULL) {
                TAKE(BY_PART, info->members[i].name, 0, value);
            }
        }
        return info->kind == PARTS || expand_referents(sink, object, info);
    case THREAD_LOCAL: {
        PyObject *dict = dict_of_thread_local(sink->heap, object, info);
        return dict == NULL || expand_dict(sink, dict, BY_ATTRIBUTE);
    }
    case CONTEXT_VARIABLE: {
        PyObject *value = NULL;
        if (PyContextVar_Get(object, NULL, &value) == 0 && value != NULL) {
            Py_DECREF(value); /* The context holds it. */
            TAKE(BY_PART, known.value, 0, value);
        }
        PyErr_Clear();
        return true;
    }
    case EXCEPTION: {
        PyObject *arguments = ((PyBaseExceptionObject *)object)->args;
        if (arguments != NULL) {
            TAKE(BY_PART, known.args, 0, arguments);
        }
        return true;
    }
    case OPAQUE:
        return expand_referents(sink, object, info);
    default:
        return true;
    }
}

/* `info` is a copy: handling an entry may move the table of types. Returns false if the sink stopped it. */
static bool
expand(Sink *sink, PyObject *object, const TypeInfo info)
{
    if (info.kind == FUNCTION || info.kind == CLASS || info.kind == MODULE) {
        /* Everything that counts about it in its holder. */
        if (!sink->take(sink, AS_VALUE, NULL, IDENTITY, object, 0)) {
            return false;
        }
    }
    switch ((Kind)info.kind) {
    case DICT:
        return expand_dict(sink, object, BY_KEY) &&
               (!info.has_attributes || expand_attributes(sink, object, &info));
    case MODULE: {
        PyObject *dict = dict_of_module(object);
        return dict == NULL || expand_dict(sink, dict, BY_ATTRIBUTE);
    }
    case CLASS: {
        PyObject *dict = dict_of_class((PyTypeObject *)object);
        return dict == NULL || expand_dict(sink, dict, BY_ATTRIBUTE);
    }
    case FUNCTION:
        return expand_function(sink, object);
    case CACHE:
        return expand_cache(sink, object, &info);
    default:
        if (info.is_path) {
            return expand_path(sink, object, &info);
        }
        if (!expand_content(sink, object, &info)) {
            return false;
        }
        return (!info.has_attributes && info.kind != INSTANCE) || expand_attributes(sink, object, &info);
    }
}

#endif
