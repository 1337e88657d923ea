/* What a Heap keeps: the last snapshot, the current one, and its knowledge of types and names. */

#ifndef UNKNOT_HEAP_STATE_H
#define UNKNOT_HEAP_STATE_H

#include "heap_hash.h"

/* How an object is attached to its holder. */
typedef enum {
    BY_KEY,       /* an entry of a dictionary */
    BY_ATTRIBUTE, /* of an instance, class, module or function */
    BY_INDEX,     /* of a list, tuple or deque */
    BY_MEMBER,    /* of a set */
    BY_CELL,      /* a function's closure */
    BY_CONTENT,   /* of a cell: no step of its own */
    BY_DEFAULT,
    BY_KWDEFAULT,
    BY_CACHE,  /* a result kept by lru_cache */
    BY_PART,   /* a named part of a builtin object: __func__, fget, args */
    BY_NUMBER, /* the nth object that an object of an unknown C type refers to */
    AS_VALUE,  /* not an object, but a number that belongs to it: length, position, content */
} How;

typedef enum {
    /* Compared by content; immutable and without parts that can change. */
    NONE_LIKE,
    BOOL,
    INT,
    FLOAT,
    COMPLEX,
    STRING,
    BYTES,
    DATE,
    HASHABLE, /* exact C types whose hash depends on the content and runs no other code: Decimal, timezone */
    PATTERN,
    /* Content that never matters: locks, weak references, frames. */
    INDIFFERENT,
    /* Compared by identity. */
    SINGLE,
    BUILTIN,
    CODE,
    ENUM_MEMBER,
    FUNCTION,
    CLASS,
    MODULE,
    /* Entered. */
    TUPLE,
    FROZENSET,
    PARTS, /* property, staticmethod, bound method, partial, slice, range: members of their C type */
    DICT,
    LIST,
    SET,
    DEQUE,
    BYTEARRAY,
    MEMORY, /* array.array, numpy arrays: any type that exports its bytes */
    CELL,
    CACHE,
    GENERATOR,
    ITERATOR,
    STREAM,
    RANDOM,
    THREAD_LOCAL,
    CONTEXT_VARIABLE,
    EXCEPTION,
    OPAQUE, /* of an unknown C type: the objects it refers to */
    INSTANCE,
} Kind;

typedef struct {
    Py_ssize_t offset;
    PyObject *name; /* ours */
} Member;

/* What is known of a type. Types die and their addresses are reused: `check` detects it. Keeps no reference. */
typedef struct {
    PyTypeObject *type;
    uint64_t check;
    PyObject *name;         /* "shop.cart.Cart", ours */
    PyTypeObject *c_base;   /* the nearest base that is not made by a class statement */
    Member *members;        /* slots of instances, parts of builtins */
    uint32_t member_count;
    uint32_t hash;          /* of the name */
    uint8_t kind;           /* of its instances */
    uint8_t content;        /* of an instance: the kind of the builtin it derives from, or INSTANCE */
    int8_t is_stopped;      /* -1: not known yet */
    int8_t is_users;        /* as a class; -1: not known yet */
    bool has_attributes;
    bool is_path;
    bool is_environ;
} TypeInfo;

typedef struct {
    uint64_t key;
    uint64_t value;
} Entry;

/* For objects compared by identity: `identity` within this process, `content` equal in all processes. */
typedef struct {
    uint64_t identity;
    uint64_t content;
} Single;

/* What is known of a node, besides its entries. */
#define GONE 1    /* its object is no longer reached, and not touched again */
#define SHARED 2  /* reached by more than one path */
#define CERTAIN 4 /* its stamp is unchanged: it holds the same objects, not others at their addresses */
#define HELD 8    /* temporarily: by the node that is being expanded again */
#define RENEWED 16  /* expanded again in this snapshot */
#define COMPARED 32 /* with its earlier state */

/* One snapshot. The entries of node n are first[n] up to last[n]; a node's parent has a lower number. */
typedef struct {
    uint64_t *address;
    uint64_t *stamp; /* unchanged as long as the entries are; 0 if there is no such number */
    uint32_t *type;  /* hash of the type's name */
    uint32_t *first, *last;
    uint32_t *parent; /* through which it was reached first */
    uint8_t *flags;
    uint32_t nodes, node_room;
    Entry *entries;
    uint32_t count, entry_room;
    uint32_t unused; /* entries that belong to no node any more */
    Single *singles;
    uint32_t single_count, single_room;
    uint32_t expanded;     /* nodes from here on were not entered: too many */
    PyObject **root_names; /* ours; node n is root n */
    uint32_t roots;
} Snapshot;

/* Key and value of an entry are numbers whose lowest bits give the meaning of the rest. */
#define KEY_TAG 7ULL
#define KEY_OBJECT 0ULL    /* a key of a simple builtin type, with a strong reference */
#define ATTRIBUTE_NAME 1ULL
#define ORDINAL 2ULL       /* number << 8 | how */
#define SINGLE_KEY 3ULL    /* index into singles << 8 | how */
#define KWDEFAULT_NAME 4ULL
#define CACHE_KEY 5ULL
#define MEMBER_OBJECT 6ULL

#define VALUE_TAG 3ULL
#define ATOM 0ULL
#define CHILD 1ULL
#define SINGLE_VALUE 2ULL

static inline bool
key_is_object(uint64_t key)
{
    uint64_t tag = key & KEY_TAG;
    return tag != ORDINAL && tag != SINGLE_KEY;
}

static inline PyObject *
key_object(uint64_t key)
{
    return (PyObject *)(key & ~KEY_TAG);
}

static inline How
how_of_key(uint64_t key)
{
    switch (key & KEY_TAG) {
    case KEY_OBJECT:
        return BY_KEY;
    case ATTRIBUTE_NAME:
        return BY_ATTRIBUTE;
    case KWDEFAULT_NAME:
        return BY_KWDEFAULT;
    case CACHE_KEY:
        return BY_CACHE;
    case MEMBER_OBJECT:
        return BY_MEMBER;
    default:
        return (How)((key >> 3) & 255);
    }
}

static inline uint64_t
number_of_key(uint64_t key)
{
    return key >> 11;
}

static inline uint32_t
number_of_value(uint64_t value)
{
    return (uint32_t)(value >> 2);
}

typedef struct {
    uint32_t entry;
    PyObject *object; /* borrowed: alive as long as the snapshot lasts */
} Deferred;

/* Ignored names: by pointer if interned, as nearly all are. */
#define NAME_SLOTS 1024
#define MOST_NAMES 400
#define STOP_NAME 1
#define CLASS_NOISE 2

typedef struct {
    PyObject *name;
    int flags;
} KnownName;

typedef struct ShallowModule ShallowModule;

#define MOST_KEPT (4 << 20)

typedef struct {
    PyObject_HEAD
    PyObject *is_users_module, *is_stopped;
    PyObject *users_answers, *stopped_answers; /* name: bool */
    PyObject *unasked_modules, *unasked_types; /* names found during a walk, resolved after it */
    PyObject *flags_by_name, *stop_prefixes;
    PyObject *notes, *noted;
    PyObject *type_names; /* hash: name, so that a dead object's type can still be named */
    Py_ssize_t most_entries, most_of_one;
    KnownName names[NAME_SLOTS];
    TypeInfo *types;
    uint32_t type_count, type_room;
    Snapshot now, before, scratch;
    bool has_before;
    uint64_t walks; /* snapshots that could not be made by updating the last one */
    /* Scratch memory of a walk. */
    uint32_t *visited;
    uint32_t visited_room;
    uint32_t *small_visited;
    uint32_t small_room;
    uint32_t visited_used;
    Deferred *deferred;
    uint32_t deferred_count, deferred_room;
    uint64_t *to_note; /* node << 32 | entry in the snapshot */
    uint32_t to_note_count, to_note_room;
    PyObject **referents;
    uint32_t referent_count, referent_room;
    bool is_for_fingerprint; /* a fingerprint: classes, modules and functions are not entered */
    bool failed;
    bool is_busy;
    ShallowModule *modules;
    uint32_t module_count, module_room;
} Heap;

/* Room for more, growing by a quarter. Sets `failed` if out of memory. */
#define WITH_ROOM(heap, array, count, room, extra)                                                                     \
    ((count) + (extra) <= (room) || grow((heap), (void **)&(array), &(room), (count) + (extra), sizeof *(array)))

static bool
grow(Heap *heap, void **array, uint32_t *room, uint32_t wanted, size_t size)
{
    uint32_t bigger = *room + *room / 4 + 64;
    bigger = bigger < wanted ? wanted : bigger;
    void *moved = PyMem_Realloc(*array, (size_t)bigger * size);
    if (moved == NULL) {
        heap->failed = true;
        return false;
    }
    *array = moved;
    *room = bigger;
    return true;
}

static void
empty_snapshot(Snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->count; i++) {
        if (key_is_object(snapshot->entries[i].key)) {
            Py_DECREF(key_object(snapshot->entries[i].key));
        }
    }
    for (uint32_t i = 0; i < snapshot->roots; i++) {
        Py_DECREF(snapshot->root_names[i]);
    }
    snapshot->nodes = snapshot->count = snapshot->single_count = snapshot->roots = snapshot->unused = 0;
    snapshot->expanded = UINT32_MAX;
}

static void
free_snapshot(Snapshot *snapshot)
{
    empty_snapshot(snapshot);
    PyMem_Free(snapshot->address);
    PyMem_Free(snapshot->stamp);
    PyMem_Free(snapshot->type);
    PyMem_Free(snapshot->first);
    PyMem_Free(snapshot->last);
    PyMem_Free(snapshot->parent);
    PyMem_Free(snapshot->flags);
    PyMem_Free(snapshot->entries);
    PyMem_Free(snapshot->singles);
    PyMem_Free(snapshot->root_names);
    memset(snapshot, 0, sizeof *snapshot);
}

#define NODE_BYTES_AT_LEAST (sizeof(uint64_t) + 3 * sizeof(uint32_t))
#define NODE_BYTES (NODE_BYTES_AT_LEAST + sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint8_t))

/* Between comparisons only one snapshot is needed; the memory of a big one is freed, that of a small one reused. */
static void
give_back_room(Snapshot *snapshot)
{
    size_t bytes = snapshot->entry_room * sizeof(Entry) + snapshot->node_room * NODE_BYTES +
                   snapshot->single_room * sizeof(Single);
    if (bytes > MOST_KEPT || snapshot->stamp == NULL) {
        free_snapshot(snapshot);
        snapshot->expanded = UINT32_MAX;
    }
}

static inline uint32_t
entries_end(const Snapshot *snapshot, uint32_t node)
{
    return snapshot->last[node];
}

#endif
