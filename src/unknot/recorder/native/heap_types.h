/* What is known of a type: how its instances are compared and where their content is. */

#ifndef UNKNOT_HEAP_TYPES_H
#define UNKNOT_HEAP_TYPES_H

#include "heap_state.h"

/* Found once, when the module is loaded. */
static struct {
    destructor made_by_class_statement;
    PyTypeObject *deque, *random, *cache, *thread_local_type, *context_variable, *pattern, *decimal, *timezone;
    PyTypeObject *bytes_stream, *text_stream, *partial, *lock, *rlock;
    /* Names. */
    PyObject *tracks, *module, *dunder_name, *args, *wrapped, *value, *getvalue, *enum_name, *enum_value;
    bool streams_known;
} known;

static const struct {
    PyTypeObject *type;
    Kind kind;
} exact_kinds[] = {
    {&_PyNone_Type, NONE_LIKE},
    {&_PyNotImplemented_Type, NONE_LIKE},
    {&PyEllipsis_Type, NONE_LIKE},
    {&PyBool_Type, BOOL},
    {&PyLong_Type, INT},
    {&PyFloat_Type, FLOAT},
    {&PyComplex_Type, COMPLEX},
    {&PyUnicode_Type, STRING},
    {&PyBytes_Type, BYTES},
    {&PyTuple_Type, TUPLE},
    {&PyFrozenSet_Type, FROZENSET},
    {&PyCode_Type, CODE},
    {&PyFunction_Type, FUNCTION},
    {&PyCFunction_Type, BUILTIN},
    {&PyCMethod_Type, BUILTIN},
    {&PyMethodDescr_Type, SINGLE},
    {&PyMemberDescr_Type, INDIFFERENT},
    {&PyGetSetDescr_Type, INDIFFERENT},
    {&PyWrapperDescr_Type, SINGLE},
    {&PyClassMethodDescr_Type, SINGLE},
    {&PyFrame_Type, INDIFFERENT},
    {&PyTraceBack_Type, INDIFFERENT},
    {&PyBaseObject_Type, SINGLE},
    {&PyCapsule_Type, SINGLE},
    {&PyCell_Type, CELL},
    {&PyGen_Type, GENERATOR},
    {&PyCoro_Type, GENERATOR},
    {&PyAsyncGen_Type, GENERATOR},
    {&PyMethod_Type, PARTS},
    {&PyProperty_Type, PARTS},
    {&PyStaticMethod_Type, PARTS},
    {&PyClassMethod_Type, PARTS},
    {&PySlice_Type, PARTS},
    {&PyRange_Type, PARTS},
    {&PyMemoryView_Type, INDIFFERENT},
};

/* C types of these modules represent resources outside the heap: they count by identity. */
static const char *const outside_modules[] = {"_io", "_socket", "_ssl", "sqlite3", "_sqlite3", "select", "_asyncio",
                                              "mmap", "_multiprocessing", "_ctypes", "pyexpat", "zlib", NULL};

static inline uint64_t
check_of_type(PyTypeObject *type)
{
    uint64_t check = (uint64_t)type->tp_name ^ ((uint64_t)type->tp_mro << 1) ^ ((uint64_t)type->tp_dict << 2);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        check ^= (uint64_t)((PyHeapTypeObject *)type)->ht_qualname << 3;
    }
    return check;
}

static PyTypeObject *
tracked_type(PyTypeObject *type)
{
    /* The read watch changes the type of a container in place; it counts as its original type. */
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) && type->tp_dict != NULL && PyDict_CheckExact(type->tp_dict) &&
        has_only_string_keys(type->tp_dict)) {
        PyObject *base = PyDict_GetItemWithError(type->tp_dict, known.tracks);
        if (base != NULL && PyType_Check(base)) {
            return (PyTypeObject *)base;
        }
    }
    return type;
}

static PyObject *
module_of_class(PyTypeObject *type)
{
    /* Borrowed; NULL if unknown. */
    PyObject *dict = dict_of_class(type);
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) && dict != NULL && has_only_string_keys(dict)) {
        PyObject *module = PyDict_GetItemWithError(dict, known.module);
        return module != NULL && PyUnicode_CheckExact(module) ? module : NULL;
    }
    return NULL;
}

static PyObject *
full_name_of_type(PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return strchr(type->tp_name, '.') ? PyUnicode_FromString(type->tp_name)
                                          : PyUnicode_FromFormat("builtins.%s", type->tp_name);
    }
    PyObject *module = module_of_class(type);
    PyObject *name = ((PyHeapTypeObject *)type)->ht_qualname;
    if (name == NULL || !PyUnicode_CheckExact(name)) {
        return PyUnicode_FromFormat("?.%s", type->tp_name);
    }
    return module ? PyUnicode_FromFormat("%U.%U", module, name) : PyUnicode_FromFormat("?.%U", name);
}

static bool
has_base_named(PyTypeObject *type, const char *name, const char *module)
{
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (PyType_Check(base) && strcmp(base->tp_name, name) == 0) {
            PyObject *where = module_of_class(base);
            if (where != NULL && PyUnicode_CompareWithASCIIString(where, module) == 0) {
                return true;
            }
        }
    }
    return false;
}

static Kind
kind_of_c_type(PyTypeObject *type, const char *name)
{
    /* By the nearest C base; subclasses of builtins are known by their flags. */
    for (size_t i = 0; i < sizeof exact_kinds / sizeof *exact_kinds; i++) {
        if (exact_kinds[i].type == type) {
            return exact_kinds[i].kind;
        }
    }
    if (PyType_IsSubtype(type, &PyDict_Type)) {
        return DICT;
    }
    if (PyType_IsSubtype(type, &PyList_Type)) {
        return LIST;
    }
    if (PyType_IsSubtype(type, &PySet_Type)) {
        return SET;
    }
    if (PyType_IsSubtype(type, &PyTuple_Type)) {
        return TUPLE; /* struct sequences */
    }
    if (PyType_IsSubtype(type, &PyModule_Type)) {
        return MODULE;
    }
    if (PyType_IsSubtype(type, &PyType_Type)) {
        return CLASS;
    }
    if (PyType_IsSubtype(type, (PyTypeObject *)PyExc_BaseException)) {
        return EXCEPTION;
    }
    if (type == &PyByteArray_Type) {
        return BYTEARRAY;
    }
    if (type == known.deque) {
        return DEQUE;
    }
    if (type == known.random) {
        return RANDOM;
    }
    if (type == known.cache) {
        return CACHE;
    }
    if (type == known.thread_local_type) {
        return THREAD_LOCAL;
    }
    if (type == known.context_variable) {
        return CONTEXT_VARIABLE;
    }
    if (type == known.pattern) {
        return PATTERN;
    }
    if (type == known.decimal || type == known.timezone) {
        return HASHABLE;
    }
    if (type == PyDateTimeAPI->DateType || type == PyDateTimeAPI->DateTimeType || type == PyDateTimeAPI->TimeType ||
        type == PyDateTimeAPI->DeltaType) {
        return DATE;
    }
    if (type == known.bytes_stream || type == known.text_stream) {
        return known.streams_known ? STREAM : SINGLE;
    }
    if (type == known.partial) {
        return PARTS;
    }
    if (type == known.lock || type == known.rlock || PyType_IsSubtype(type, &_PyWeakref_RefType) ||
        type == &_PyWeakref_ProxyType || type == &_PyWeakref_CallableProxyType) {
        return INDIFFERENT;
    }
    for (const char *const *module = outside_modules; *module != NULL; module++) {
        size_t length = strlen(*module);
        if (strncmp(name, *module, length) == 0 && name[length] == '.') {
            return SINGLE;
        }
    }
    bool of_the_interpreter = strncmp(name, "builtins.", 9) == 0 || strncmp(name, "itertools.", 10) == 0 ||
                              strncmp(name, "collections.", 12) == 0 || strncmp(name, "_collections.", 13) == 0;
    if (type->tp_iternext != NULL && of_the_interpreter) {
        return ITERATOR;
    }
    if (type->tp_as_buffer != NULL && type->tp_as_buffer->bf_getbuffer != NULL) {
        return MEMORY;
    }
    return type->tp_traverse != NULL ? OPAQUE : SINGLE;
}

static void
add_member(TypeInfo *info, Py_ssize_t offset, PyObject *name)
{
    Member *members = PyMem_Realloc(info->members, (info->member_count + 1) * sizeof(Member));
    if (members != NULL && name != NULL) {
        info->members = members;
        info->members[info->member_count++] = (Member){offset, Py_NewRef(name)};
    }
}

/* The slots of all classes up to the C base. */
static void
find_slots(TypeInfo *info, PyTypeObject *type)
{
    for (; type != NULL && type != info->c_base; type = type->tp_base) {
        PyObject *names = ((PyHeapTypeObject *)type)->ht_slots;
        if (names == NULL || !PyTuple_CheckExact(names) || type->tp_members == NULL) {
            continue;
        }
        Py_ssize_t count = Py_MIN(PyTuple_GET_SIZE(names), Py_SIZE(type));
        for (Py_ssize_t i = 0; i < count; i++) {
            PyMemberDef *member = &type->tp_members[i];
            PyObject *name = PyTuple_GET_ITEM(names, i);
            if (member->name != NULL && member->type == T_OBJECT_EX && PyUnicode_CheckExact(name)) {
                add_member(info, member->offset, name);
            }
        }
    }
}

static void
find_parts(TypeInfo *info, PyTypeObject *type)
{
    for (PyMemberDef *member = type->tp_members; member != NULL && member->name != NULL; member++) {
        if ((member->type == T_OBJECT || member->type == T_OBJECT_EX) && strcmp(member->name, "__doc__") != 0) {
            PyObject *name = PyUnicode_InternFromString(member->name);
            add_member(info, member->offset, name);
            Py_XDECREF(name);
        }
    }
}

static void
forget_type(TypeInfo *info)
{
    for (uint32_t i = 0; i < info->member_count; i++) {
        Py_DECREF(info->members[i].name);
    }
    PyMem_Free(info->members);
    Py_XDECREF(info->name);
    memset(info, 0, sizeof *info);
}

static void
learn_type(Heap *heap, TypeInfo *info, PyTypeObject *seen)
{
    PyTypeObject *type = tracked_type(seen);
    PyTypeObject *base = type;
    /* (The C type of random.Random has the same deallocator as Python classes.) */
    while (base->tp_dealloc == known.made_by_class_statement && base->tp_base != NULL && base != known.random) {
        base = base->tp_base;
    }
    info->type = seen;
    info->check = check_of_type(seen);
    info->c_base = base;
    info->name = full_name_of_type(type);
    info->is_users = -1;
    info->is_stopped = -1;
    const char *name = info->name == NULL ? NULL : PyUnicode_AsUTF8(info->name);
    if (name == NULL) {
        PyErr_Clear();
        name = "?";
    }
    info->hash = (uint32_t)hash_of_text(name) & 0x7fffffff;
    PyObject *base_name = full_name_of_type(base);
    const char *c_name = base_name == NULL ? "?" : PyUnicode_AsUTF8(base_name);
    Kind kind = kind_of_c_type(base, c_name == NULL ? "?" : c_name);
    Py_XDECREF(base_name);
    info->kind = (uint8_t)kind;
    info->content = (uint8_t)kind;
    if (type != base) {
        /* Made by a class statement. Classes and modules count as such whatever their metaclass or class. */
        info->kind = (uint8_t)(kind == MODULE || kind == CLASS || kind == INDIFFERENT ? kind : INSTANCE);
        if (kind == SINGLE && base == &PyBaseObject_Type) {
            info->content = INSTANCE;
        }
        if (has_base_named(type, "Enum", "enum")) {
            info->kind = ENUM_MEMBER;
        }
        info->is_path =
            has_base_named(type, "PurePath", "pathlib") || has_base_named(type, "PurePath", "pathlib._local");
        info->is_environ = strcmp(name, "os._Environ") == 0;
        find_slots(info, type);
    }
    else if (kind == PARTS || kind == PATTERN) {
        find_parts(info, type);
    }
    info->has_attributes = (seen->tp_flags & Py_TPFLAGS_MANAGED_DICT) || seen->tp_dictoffset != 0;
    if (info->name != NULL) {
        PyObject *hash = PyLong_FromUnsignedLongLong(mixed(info->hash));
        if (hash == NULL || PyDict_SetItem(heap->type_names, hash, info->name) < 0) {
            PyErr_Clear();
        }
        Py_XDECREF(hash);
    }
}

static inline uint32_t
slot_for(uint64_t address, uint32_t room)
{
    return (uint32_t)((address >> 4) * 0x9e3779b97f4a7c15ULL >> 32) & (room - 1);
}

static bool
more_room_for_types(Heap *heap)
{
    uint32_t room = heap->type_room ? heap->type_room * 2 : 512;
    TypeInfo *types = PyMem_Calloc(room, sizeof(TypeInfo));
    if (types == NULL) {
        heap->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < heap->type_room; i++) {
        if (heap->types[i].type != NULL) {
            uint32_t slot = slot_for((uint64_t)heap->types[i].type, room);
            while (types[slot].type != NULL) {
                slot = (slot + 1) & (room - 1);
            }
            types[slot] = heap->types[i];
        }
    }
    PyMem_Free(heap->types);
    heap->types = types;
    heap->type_room = room;
    return true;
}

/* NULL only if out of memory. Valid until the next call. */
static inline TypeInfo *
info_of_type(Heap *heap, PyTypeObject *type)
{
    if (heap->type_count * 2 >= heap->type_room && !more_room_for_types(heap)) {
        return NULL;
    }
    uint32_t slot = slot_for((uint64_t)type, heap->type_room);
    while (heap->types[slot].type != NULL && heap->types[slot].type != type) {
        slot = (slot + 1) & (heap->type_room - 1);
    }
    TypeInfo *info = &heap->types[slot];
    if (info->type == NULL) {
        heap->type_count++;
        learn_type(heap, info, type);
    }
    else if (info->check != check_of_type(type)) {
        forget_type(info);
        learn_type(heap, info, type);
    }
    return info;
}

/* The result of one of the two callables, or -1 if it is to be called after this walk. */
static int
remembered_answer(PyObject *answers, PyObject *unasked, PyObject *name)
{
    PyObject *answer = PyDict_GetItemWithError(answers, name);
    if (answer != NULL) {
        return answer == Py_True;
    }
    if (PyDict_SetItem(unasked, name, Py_None) < 0) {
        PyErr_Clear();
    }
    return -1;
}

static inline bool
is_users_name(Heap *heap, PyObject *module)
{
    return module != NULL && PyUnicode_CheckExact(module) &&
           remembered_answer(heap->users_answers, heap->unasked_modules, module) == 1;
}

static bool
is_users_class(Heap *heap, TypeInfo *info)
{
    if (info->is_users < 0) {
        PyObject *module = module_of_class(tracked_type(info->type));
        int answer = module == NULL ? 0 : remembered_answer(heap->users_answers, heap->unasked_modules, module);
        info->is_users = (int8_t)answer;
    }
    return info->is_users == 1;
}

static bool
is_stopped_type(Heap *heap, TypeInfo *info)
{
    if (info->is_stopped < 0 && info->name != NULL) {
        info->is_stopped = (int8_t)remembered_answer(heap->stopped_answers, heap->unasked_types, info->name);
    }
    return info->is_stopped != 0;
}

#endif
