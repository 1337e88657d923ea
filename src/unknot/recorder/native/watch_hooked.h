/* Hooked types: a watched object that is not an exact builtin container keeps its type, whose slots note the reads.
 *
 * Instances, classes, deques, and instances of subclasses of dict, list, set. The interpreter reads these through the
 * slots alone once the type's version has changed. Python code cannot notice: `__dict__`, `__mro__` and the methods
 * stay as they are. All instances of a hooked type pay about 10 ns for each attribute.
 * `tp_free` is the last call for an object, so it is where a watched one is forgotten. */

#ifndef UNKNOT_WATCH_HOOKED_H
#define UNKNOT_WATCH_HOOKED_H

#include "watch_methods.h"

static destructor class_statement_dealloc; /* The `tp_dealloc` of every class made by Python code. */
static PyObject *name_dict, *name_reduce, *name_getstate, *subclasses_of;

static int hooked_ready(void)
{
    PyObject *trial = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "trial");
    if (trial == NULL) {
        return -1;
    }
    class_statement_dealloc = ((PyTypeObject *)trial)->tp_dealloc;
    Py_DECREF(trial);
    name_dict = PyUnicode_InternFromString("__dict__");
    name_reduce = PyUnicode_InternFromString("__reduce__");
    name_getstate = PyUnicode_InternFromString("__getstate__");
    subclasses_of = PyObject_GetAttrString((PyObject *)&PyType_Type, "__subclasses__");
    return name_dict && name_reduce && name_getstate && subclasses_of ? 0 : -1;
}

/* Names that read the whole object. */
static void remember_names_of_all(void)
{
    remember_name(watched_names, name_dict);
    remember_name(watched_names, name_reduce);
    remember_name(watched_names, name_getstate);
}

/* Attributes of instances. */

/* The value under the name in the classes, without calling a descriptor. Borrowed; NULL without an error. */
static PyObject *class_value(PyTypeObject *type, PyObject *name)
{
    return PyUnicode_CheckExact(name) ? _PyType_Lookup(type, name) : NULL;
}

static void note_attribute(PyObject *self, PyObject *name, TypeRecord *record)
{
    Entry *entry = entry_to_tell(self);
    if (entry == NULL || (entry->whole == NULL && !may_be_in(watched_names, name))) {
        return;
    }
    if (name == name_dict || name == name_reduce || name == name_getstate) {
        tell_all(entry);
    }
    else {
        PyObject *method = entry->whole != NULL ? class_value(Py_TYPE(self), name) : NULL;
        int is_method = method != NULL && (PyFunction_Check(method) || Py_IS_TYPE(method, &PyMethodDescr_Type));
        tell_key(entry, name, !record->has_content && !is_method);
    }
}

/* Attributes of classes, read on the classes, their subclasses, and instances of both. */

/* Whether the instance has its own attribute that hides the class's. */
static int is_hidden(PyObject *in_class, PyObject *result)
{
    if (result == NULL || in_class == NULL) {
        return 0;
    }
    if (PyFunction_Check(in_class)) {
        return !(PyMethod_Check(result) && PyMethod_GET_FUNCTION(result) == in_class);
    }
    return Py_TYPE(in_class)->tp_descr_get == NULL && result != in_class;
}

static Names watched_class_names;
static int any_whole_class; /* A class is watched for any read at all. */

static void note_class_attribute(PyTypeObject *type, PyObject *name, PyObject *instance, PyObject *result)
{
    if (!any_whole_class && !may_be_in(watched_class_names, name)) {
        return;
    }
    if (!PyUnicode_CheckExact(name) || type->tp_mro == NULL) {
        return;
    }
    Pending pending;
    pending_take(&pending);
    PyObject *mro = Py_NewRef(type->tp_mro);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *holder = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *dict = type_dict(holder);
        PyObject *value = dict != NULL ? PyDict_GetItemWithError(dict, name) : NULL;
        Py_XDECREF(dict);
        Entry *entry = entry_to_tell((PyObject *)holder);
        if (entry != NULL && !(instance != NULL && is_hidden(value, result))) {
            tell_key(entry, name, 1);
        }
        if (value != NULL || PyErr_Occurred()) {
            break;
        }
    }
    Py_DECREF(mro);
    PyErr_Clear();
    pending_give_back(&pending);
}

static void hook_slots(TypeRecord *record);

static PyObject *hooked_getattro(PyObject *self, PyObject *name)
{
    PyTypeObject *type = (PyTypeObject *)Py_NewRef(Py_TYPE(self));
    TypeRecord *record = record_of(type);
    int is_class = PyType_Check(self);
    if (LISTENING()) {
        if (!is_class) {
            note_attribute(self, name, record);
        }
        else if (name == name_dict) {
            note_all(self);
        }
    }
    PyObject *result = record->getattro(self, name);
    if (type->tp_getattro != hooked_getattro && record->type == type && record->hooked) {
        /* CPython's slot function for `__getattribute__` replaces itself by a faster one. */
        hook_slots(record);
    }
    if (LISTENING()) {
        if (record->below_watched) {
            note_class_attribute(type, name, self, result);
        }
        if (is_class) {
            TypeRecord *own = record_find((PyTypeObject *)self);
            if (own != NULL && own->below_watched) {
                note_class_attribute((PyTypeObject *)self, name, NULL, result);
            }
        }
    }
    Py_DECREF(type);
    return result;
}

static void hooked_free(void *self)
{
    entry_drop(self);
    record_of(Py_TYPE((PyObject *)self))->free(self);
}

static int hook_below(PyTypeObject *type);

/* Of a metaclass: a new class may be a subclass of a watched one. */
static int hooked_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    int failed = record_of(Py_TYPE(self))->init(self, arguments, keywords);
    if (!failed && PyType_Check(self) && ((PyTypeObject *)self)->tp_mro != NULL) {
        PyObject *mro = ((PyTypeObject *)self)->tp_mro;
        for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(mro); i++) {
            if (entry_find(PyTuple_GET_ITEM(mro, i)) != NULL) {
                if (hook_below((PyTypeObject *)self) < 0) {
                    PyErr_Clear();
                }
                break;
            }
        }
    }
    return failed;
}

/* Slots on and off. */

/* Dict reads another dict directly if that has dict's own `tp_iter`, and otherwise calls `keys` and reads the items.
 * For a class that overrides these, both ways give different results: it keeps its own. */
static int may_hook_iter(PyTypeObject *type)
{
    if (type->tp_iter != PyDict_Type.tp_iter) {
        return type->tp_iter != NULL;
    }
    PyObject *keys = PyUnicode_InternFromString("keys");
    PyObject *items = PyUnicode_InternFromString("__getitem__");
    int same = keys != NULL && items != NULL && class_value(type, keys) == class_value(&PyDict_Type, keys)
               && class_value(type, items) == class_value(&PyDict_Type, items);
    Py_XDECREF(keys);
    Py_XDECREF(items);
    return same;
}

#define HOOK(FORMER, SLOT, OURS)                  \
    if ((SLOT) != NULL && (SLOT) != (OURS)) {     \
        FORMER = SLOT;                            \
        SLOT = OURS;                              \
    }
#define UNHOOK(FORMER, SLOT, OURS)                \
    if ((SLOT) == (OURS)) {                       \
        SLOT = FORMER;                            \
    }

/* A static type may share its tables with its base. */
#define OWN_TABLE(FIELD, SLOTS)                                                                              \
    if (type->SLOTS != NULL && !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) && type->SLOTS != record->copied_##FIELD) { \
        if (record->copied_##FIELD == NULL) {                                                                \
            record->copied_##FIELD = PyMem_RawMalloc(sizeof(*type->SLOTS));                                  \
        }                                                                                                    \
        if (record->copied_##FIELD != NULL) {                                                                \
            *record->copied_##FIELD = *type->SLOTS;                                                          \
            record->shared_##FIELD = type->SLOTS;                                                            \
            type->SLOTS = record->copied_##FIELD;                                                            \
        }                                                                                                    \
    }

#define CONTENT_SLOTS(X, MAPPING, SEQUENCE, SUBSCRIPT, CONTAINS)                       \
    X(record->repr, type->tp_repr, noting_repr)                                        \
    X(record->richcompare, type->tp_richcompare, noting_richcompare)                   \
    if (MAPPING != NULL) {                                                             \
        X(record->mapping.mp_subscript, MAPPING->mp_subscript, SUBSCRIPT)              \
        X(record->mapping.mp_length, MAPPING->mp_length, noting_mapping_length)        \
        X(record->mapping.mp_ass_subscript, MAPPING->mp_ass_subscript, noting_assignment) \
    }                                                                                  \
    if (SEQUENCE != NULL) {                                                            \
        X(record->sequence.sq_length, SEQUENCE->sq_length, noting_length)              \
        X(record->sequence.sq_item, SEQUENCE->sq_item, noting_item)                    \
        X(record->sequence.sq_contains, SEQUENCE->sq_contains, CONTAINS)               \
        X(record->sequence.sq_concat, SEQUENCE->sq_concat, noting_concat)              \
        X(record->sequence.sq_repeat, SEQUENCE->sq_repeat, noting_repeat)              \
        X(record->sequence.sq_inplace_repeat, SEQUENCE->sq_inplace_repeat, noting_repeat_in_place) \
    }

#define OPERATOR_SLOTS(X) X(nb_or) X(nb_and) X(nb_xor) X(nb_subtract)

static int has_keys(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_DICT_SUBCLASS) || PyType_IsSubtype(type, &PySet_Type);
}

static void hook_content(TypeRecord *record)
{
    PyTypeObject *type = record->type;
    int hooks_iter = may_hook_iter(type);
    OWN_TABLE(mapping, tp_as_mapping)
    OWN_TABLE(sequence, tp_as_sequence)
    OWN_TABLE(number, tp_as_number)
    if (hooks_iter) {
        HOOK(record->iter, type->tp_iter, noting_iter)
    }
    if (has_keys(type)) {
        CONTENT_SLOTS(HOOK, type->tp_as_mapping, type->tp_as_sequence, noting_subscript, noting_contains)
    }
    else {
        CONTENT_SLOTS(HOOK, type->tp_as_mapping, type->tp_as_sequence, noting_subscript_of_all, noting_contains_in_all)
    }
    if (type->tp_as_number != NULL) {
        HOOK(record->number.nb_bool, type->tp_as_number->nb_bool, noting_bool)
        /* Only the C operators of dict and set: the slots of those written in Python check for themselves. */
#define HOOK_OPERATOR(SLOT)                                                                              \
    if (type->tp_as_number->SLOT != NULL                                                                 \
        && (type->tp_as_number->SLOT == PyDict_Type.tp_as_number->SLOT                                   \
            || type->tp_as_number->SLOT == PySet_Type.tp_as_number->SLOT)) {                             \
        HOOK(record->number.SLOT, type->tp_as_number->SLOT, noting_##SLOT)                               \
    }
        OPERATOR_SLOTS(HOOK_OPERATOR)
#undef HOOK_OPERATOR
    }
}

static void unhook_content(TypeRecord *record)
{
    PyTypeObject *type = record->type;
    UNHOOK(record->iter, type->tp_iter, noting_iter)
    CONTENT_SLOTS(UNHOOK, type->tp_as_mapping, type->tp_as_sequence, noting_subscript, noting_contains)
    CONTENT_SLOTS(UNHOOK, type->tp_as_mapping, type->tp_as_sequence, noting_subscript_of_all, noting_contains_in_all)
    if (type->tp_as_number != NULL) {
        UNHOOK(record->number.nb_bool, type->tp_as_number->nb_bool, noting_bool)
#define UNHOOK_OPERATOR(SLOT) UNHOOK(record->number.SLOT, type->tp_as_number->SLOT, noting_##SLOT)
        OPERATOR_SLOTS(UNHOOK_OPERATOR)
#undef UNHOOK_OPERATOR
    }
#define SHARED_TABLE(FIELD, SLOTS)                                                      \
    if (record->copied_##FIELD != NULL && type->SLOTS == record->copied_##FIELD) {      \
        type->SLOTS = record->shared_##FIELD;                                           \
    }
    SHARED_TABLE(mapping, tp_as_mapping)
    SHARED_TABLE(sequence, tp_as_sequence)
    SHARED_TABLE(number, tp_as_number)
#undef SHARED_TABLE
}

/* Also if other code has set a slot since: then call what it holds now. */
static void hook_slots(TypeRecord *record)
{
    PyTypeObject *type = record->type;
    HOOK(record->getattro, type->tp_getattro, hooked_getattro)
    HOOK(record->free, type->tp_free, hooked_free)
    if (PyType_HasFeature(type, Py_TPFLAGS_TYPE_SUBCLASS)) {
        HOOK(record->init, type->tp_init, hooked_init)
    }
    if (record->has_content) {
        hook_content(record);
    }
    record->hooked = 1;
    /* The interpreter discards its caches for this type and uses the slots. */
    PyType_Modified(type);
}

static void unhook_slots(TypeRecord *record)
{
    if (!record->hooked || record->alive == NULL) {
        return;
    }
    PyTypeObject *type = record->type;
    UNHOOK(record->getattro, type->tp_getattro, hooked_getattro)
    UNHOOK(record->free, type->tp_free, hooked_free)
    UNHOOK(record->init, type->tp_init, hooked_init)
    if (record->has_content) {
        unhook_content(record);
    }
    record->hooked = 0;
    record->below_watched = 0;
    PyType_Modified(type);
}

/* The type is about to die, perhaps before its last instances: they must find its own slots. */
static PyObject *forget_type(PyObject *Py_UNUSED(self), PyObject *reference)
{
    for (size_t i = 0; i < TYPE_BUCKETS; i++) {
        for (TypeRecord **place = &type_records[i]; *place != NULL; place = &(*place)->next) {
            TypeRecord *record = *place;
            if (record->alive == reference) {
                unhook_slots(record);
                entries_drop_instances(record->type);
                entry_drop(record->type);
                *place = record->next;
                Py_DECREF(record->alive);
                PyMem_RawFree(record->copied_mapping);
                PyMem_RawFree(record->copied_sequence);
                PyMem_RawFree(record->copied_number);
                PyMem_RawFree(record);
                Py_RETURN_NONE;
            }
        }
    }
    Py_RETURN_NONE;
}

static PyMethodDef forget_type_definition = {"forget_type", forget_type, METH_O, NULL};

static TypeRecord *hook_type(PyTypeObject *type, int has_content)
{
    TypeRecord *record = record_find(type);
    if (record == NULL) {
        PyObject *forget = PyCFunction_New(&forget_type_definition, NULL);
        PyObject *alive = forget != NULL ? PyWeakref_NewRef((PyObject *)type, forget) : NULL;
        Py_XDECREF(forget);
        record = alive != NULL ? record_make(type) : NULL;
        if (record == NULL) {
            Py_XDECREF(alive);
            return NULL;
        }
        record->alive = alive;
    }
    if (!record->hooked || (has_content && !record->has_content)) {
        record->has_content |= has_content;
        hook_slots(record);
    }
    return record;
}

static int is_made_by_python(PyTypeObject *type)
{
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) && type->tp_dealloc == class_statement_dealloc
           && type->tp_getattro != NULL;
}

/* Watching, and whether an object can be watched. */

static int is_content_type(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_DICT_SUBCLASS | Py_TPFLAGS_LIST_SUBCLASS)
           || PyType_IsSubtype(type, &PySet_Type) || PyType_IsSubtype(type, deque_type);
}

/* 1: its reads will be noted; 0: cannot be watched; -1: error. */
static int hook_instance(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (!is_made_by_python(type) && type != deque_type && type != defaultdict_type && type != &PyODict_Type) {
        return 0;
    }
    return hook_type(type, is_content_type(type)) != NULL ? 1 : -1;
}

/* The class and all its subclasses, for their instances, and their metaclasses, for the classes themselves. */
static int hook_below(PyTypeObject *type)
{
    PyTypeObject *meta = Py_TYPE(type);
    if (meta != &PyType_Type && !is_made_by_python(meta)) {
        return 0;
    }
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || type->tp_getattro == NULL) {
        return 0;
    }
    TypeRecord *record = hook_type(meta, 0) != NULL ? hook_type(type, 0) : NULL;
    if (record == NULL) {
        return -1;
    }
    record->below_watched = 1;
    PyObject *below = PyObject_CallOneArg(subclasses_of, (PyObject *)type);
    if (below == NULL) {
        return -1;
    }
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(below); i++) {
        failed = hook_below((PyTypeObject *)PyList_GET_ITEM(below, i)) < 0;
    }
    Py_DECREF(below);
    return failed ? -1 : 1;
}

/* `x.__class__ = …` and `C.__bases__ = …` compare the `tp_free` of the types: during that call they have their own.
 * An object that dies meanwhile is not forgotten, but no longer used either: an entry knows its object's type. */

static void hook_frees(int ours)
{
    for (size_t i = 0; i < TYPE_BUCKETS; i++) {
        for (TypeRecord *record = type_records[i]; record != NULL; record = record->next) {
            if (record->alive != NULL && record->hooked && record->free != NULL) {
                record->type->tp_free = ours ? hooked_free : record->free;
            }
        }
    }
}

typedef struct {
    PyGetSetDescrObject *descriptor; /* Strong. */
    PyGetSetDef *former;
    PyGetSetDef ours;
} Attribute;

static Attribute class_of_object, bases_of_class;

static int set_bases(PyObject *self, PyObject *value, void *closure)
{
    hook_frees(0);
    int failed = bases_of_class.former->set(self, value, closure);
    hook_frees(1);
    return failed;
}

static int set_class(PyObject *self, PyObject *value, void *closure)
{
    hook_frees(0);
    int failed = class_of_object.former->set(self, value, closure);
    hook_frees(1);
    Entry *entry = failed ? NULL : entry_find(self);
    if (entry != NULL && entry->type != Py_TYPE(self)) {
        int able = PyType_Check(self) ? hook_below((PyTypeObject *)self) : hook_instance(self);
        if (able > 0) {
            entry->type = Py_TYPE(self);
        }
        else {
            PyErr_Clear();
            entry_drop(self);
        }
    }
    return failed;
}

static int attribute_ready(Attribute *attribute, PyTypeObject *type, const char *name, setter ours)
{
    PyObject *dict = type_dict(type);
    PyObject *found = dict != NULL ? PyDict_GetItemString(dict, name) : NULL;
    Py_XDECREF(dict);
    if (found == NULL || !Py_IS_TYPE(found, &PyGetSetDescr_Type)) {
        PyErr_Format(PyExc_ImportError, "%s of %s is not what it was", name, type->tp_name);
        return -1;
    }
    attribute->descriptor = (PyGetSetDescrObject *)Py_NewRef(found);
    attribute->former = attribute->descriptor->d_getset;
    attribute->ours = *attribute->former;
    attribute->ours.set = ours;
    return 0;
}

static int attributes_ready(void)
{
    return attribute_ready(&class_of_object, &PyBaseObject_Type, "__class__", set_class) < 0
                   || attribute_ready(&bases_of_class, &PyType_Type, "__bases__", set_bases) < 0
               ? -1
               : 0;
}

static void attributes_take(void)
{
    class_of_object.descriptor->d_getset = &class_of_object.ours;
    bases_of_class.descriptor->d_getset = &bases_of_class.ours;
}

static void attributes_give_back(void)
{
    class_of_object.descriptor->d_getset = class_of_object.former;
    bases_of_class.descriptor->d_getset = bases_of_class.former;
}

/* The suite may have set `__getattribute__` or `__getattr__` of a hooked class: then the slot is no longer ours. */
static void hook_again(void)
{
    for (size_t i = 0; i < TYPE_BUCKETS; i++) {
        for (TypeRecord *record = type_records[i]; record != NULL; record = record->next) {
            if (record->alive != NULL && record->hooked && record->type->tp_getattro != hooked_getattro) {
                hook_slots(record);
            }
        }
    }
}

static void unhook_all(void)
{
    for (size_t i = 0; i < TYPE_BUCKETS; i++) {
        for (TypeRecord *record = type_records[i]; record != NULL; record = record->next) {
            unhook_slots(record);
        }
    }
}

#endif
