/* Matching the entries of two snapshots, and whether everything below two nodes is equal. */

#ifndef UNKNOT_HEAP_EQUAL_H
#define UNKNOT_HEAP_EQUAL_H

#include "heap_digest.h"

typedef struct {
    uint32_t now, before;
} Pair;

typedef struct {
    Heap *heap;
    Snapshot *now, *before;
    uint32_t *partner; /* of each node now */
    Pair *queue;
    uint32_t queue_count, queue_room;
    uint64_t *equal; /* pairs with equal content, known or assumed so far; open addressing */
    uint32_t equal_count, equal_room;
    uint64_t *reported; /* node << 32 | entry */
    uint32_t reported_count, reported_room;
    int64_t trials_left;
    uint32_t *index; /* of the entries before, by key */
    uint32_t index_room;
    Digest digest_now, digest_before;
    PyObject *changes;
} Diff;

static uint64_t
hash_of_key(const Snapshot *snapshot, uint64_t key)
{
    if (key_is_object(key)) {
        /* Exact builtins: runs no `__hash__` of the suite. */
        return mixed((uint64_t)PyObject_Hash(key_object(key)) ^ (key & KEY_TAG) << 60);
    }
    if ((key & KEY_TAG) == SINGLE_KEY) {
        return mixed(snapshot->singles[number_of_key(key)].identity);
    }
    return mixed(key);
}

static bool
equal_keys(const Snapshot *now, uint64_t one, const Snapshot *before, uint64_t other)
{
    if ((one & KEY_TAG) != (other & KEY_TAG)) {
        return false;
    }
    if ((one & KEY_TAG) == SINGLE_KEY) {
        return now->singles[number_of_key(one)].identity == before->singles[number_of_key(other)].identity &&
               how_of_key(one) == how_of_key(other);
    }
    if (one == other) {
        return true;
    }
    if (!key_is_object(one)) {
        return false;
    }
    PyObject *a = key_object(one), *b = key_object(other);
    if (Py_TYPE(a) != Py_TYPE(b)) {
        return false;
    }
    return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
}

/* Successive calls of `match` give each current entry with the earlier one of the same key. */
typedef struct {
    uint32_t now, now_begin, now_end;
    uint32_t before_begin, before_end;
    uint32_t mask; /* of the index; 0 while there is none */
} Matching;

static Matching
begin_matching(Diff *diff, uint32_t now, uint32_t before)
{
    Matching matching = {diff->now->first[now], diff->now->first[now], entries_end(diff->now, now),
                         diff->before->first[before], entries_end(diff->before, before), 0};
    return matching;
}

static bool
index_before(Diff *diff, Matching *matching)
{
    uint32_t count = matching->before_end - matching->before_begin;
    uint32_t room = 16;
    while (room < count * 2) {
        room *= 2;
    }
    if (room > diff->index_room) {
        PyMem_Free(diff->index);
        diff->index = PyMem_Malloc((size_t)room * sizeof *diff->index);
        diff->index_room = diff->index == NULL ? 0 : room;
    }
    if (diff->index == NULL) {
        return false;
    }
    matching->mask = room - 1;
    memset(diff->index, 0xff, (size_t)room * sizeof *diff->index);
    for (uint32_t i = matching->before_begin; i < matching->before_end; i++) {
        uint32_t slot = (uint32_t)hash_of_key(diff->before, diff->before->entries[i].key) & matching->mask;
        while (diff->index[slot] != NO_NODE) {
            slot = (slot + 1) & matching->mask;
        }
        diff->index[slot] = i;
    }
    return true;
}

/* NO_NODE if there is none. */
static uint32_t
entry_before(Diff *diff, Matching *matching, uint32_t now)
{
    uint64_t key = diff->now->entries[now].key;
    uint32_t same_place = matching->before_begin + (now - matching->now_begin);
    if (same_place < matching->before_end &&
        equal_keys(diff->now, key, diff->before, diff->before->entries[same_place].key)) {
        return same_place;
    }
    if (matching->mask == 0 && !index_before(diff, matching)) {
        return NO_NODE;
    }
    uint32_t slot = (uint32_t)hash_of_key(diff->now, key) & matching->mask;
    while (diff->index[slot] != NO_NODE) {
        if (equal_keys(diff->now, key, diff->before, diff->before->entries[diff->index[slot]].key)) {
            return diff->index[slot];
        }
        slot = (slot + 1) & matching->mask;
    }
    return NO_NODE;
}

static bool
set_has(const uint64_t *set, uint32_t room, uint64_t number)
{
    uint32_t slot = (uint32_t)mixed(number) & (room - 1);
    while (room > 0 && set[slot] != 0) {
        if (set[slot] == number) {
            return true;
        }
        slot = (slot + 1) & (room - 1);
    }
    return false;
}

/* Numbers are not 0. False if it was there already, or if out of memory. */
static bool
set_add(uint64_t **set, uint32_t *count, uint32_t *room, uint64_t number)
{
    if (set_has(*set, *room, number)) {
        return false;
    }
    if (*count * 2 >= *room) {
        uint32_t bigger = *room ? *room * 2 : 256;
        uint64_t *moved = PyMem_Calloc(bigger, sizeof *moved);
        if (moved == NULL) {
            return false;
        }
        for (uint32_t i = 0; i < *room; i++) {
            if ((*set)[i] != 0) {
                uint32_t slot = (uint32_t)mixed((*set)[i]) & (bigger - 1);
                while (moved[slot] != 0) {
                    slot = (slot + 1) & (bigger - 1);
                }
                moved[slot] = (*set)[i];
            }
        }
        PyMem_Free(*set);
        *set = moved;
        *room = bigger;
    }
    uint32_t slot = (uint32_t)mixed(number) & (*room - 1);
    while ((*set)[slot] != 0) {
        slot = (slot + 1) & (*room - 1);
    }
    (*set)[slot] = number;
    (*count)++;
    return true;
}

static inline uint64_t
pair_number(uint32_t now, uint32_t before)
{
    return ((uint64_t)(now + 1) << 32) | (before + 1);
}

static bool
counts_by_identity(Diff *diff, uint32_t now)
{
    Kind kind = (Kind)info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[now]))->kind;
    return kind == FUNCTION || kind == CLASS || kind == MODULE;
}

typedef enum { SAME, DIFFERENT, BOTH_NODES } Verdict;

static Verdict
compare_values(Diff *diff, uint64_t now, uint64_t before)
{
    if ((now & VALUE_TAG) != (before & VALUE_TAG)) {
        return DIFFERENT;
    }
    switch (now & VALUE_TAG) {
    case CHILD: {
        uint32_t a = number_of_value(now), b = number_of_value(before);
        if (diff->now->type[a] != diff->before->type[b]) {
            return DIFFERENT;
        }
        return BOTH_NODES;
    }
    case SINGLE_VALUE:
        return diff->now->singles[number_of_value(now)].identity ==
                       diff->before->singles[number_of_value(before)].identity
                   ? SAME
                   : DIFFERENT;
    default:
        return now == before ? SAME : DIFFERENT;
    }
}

static bool
was_looked_into(Diff *diff, uint32_t now, uint32_t before)
{
    return now < diff->now->expanded && before < diff->before->expanded;
}

/* Whether everything below the two nodes is equal. Assumes equality for pairs that are being compared, and revokes it
   if wrong. Gives up and returns false after comparing as much as the snapshots hold. */
static bool
is_equal_below(Diff *diff, uint32_t now, uint32_t before)
{
    if (counts_by_identity(diff, now)) {
        return diff->now->address[now] == diff->before->address[before];
    }
    if (set_has(diff->equal, diff->equal_room, pair_number(now, before))) {
        return true;
    }
    uint64_t *pending = NULL;
    uint32_t pending_count = 0, pending_room = 0;
    bool equal = WITH_ROOM(diff->heap, pending, pending_count, pending_room, 1);
    if (equal) {
        pending[pending_count++] = (uint64_t)now << 32 | before;
        set_add(&diff->equal, &diff->equal_count, &diff->equal_room, pair_number(now, before));
    }
    while (equal && pending_count > 0) {
        uint64_t pair = pending[--pending_count];
        uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
        if (!was_looked_into(diff, a, b)) {
            continue;
        }
        Matching matching = begin_matching(diff, a, b);
        uint32_t count = matching.now_end - matching.now_begin;
        equal = count == matching.before_end - matching.before_begin && (diff->trials_left -= count + 1) > 0;
        for (uint32_t i = matching.now_begin; equal && i < matching.now_end; i++) {
            uint32_t j = entry_before(diff, &matching, i);
            if (j == NO_NODE) {
                equal = false;
                break;
            }
            uint64_t value = diff->now->entries[i].value, old = diff->before->entries[j].value;
            Verdict verdict = compare_values(diff, value, old);
            if (verdict != BOTH_NODES) {
                equal = verdict == SAME;
                continue;
            }
            uint32_t c = number_of_value(value), d = number_of_value(old);
            if (counts_by_identity(diff, c)) {
                equal = diff->now->address[c] == diff->before->address[d];
            }
            else if (diff->partner[c] != d &&
                     set_add(&diff->equal, &diff->equal_count, &diff->equal_room, pair_number(c, d))) {
                equal = WITH_ROOM(diff->heap, pending, pending_count, pending_room, 1);
                if (equal) {
                    pending[pending_count++] = (uint64_t)c << 32 | d;
                }
            }
        }
    }
    if (!equal) {
        /* It is unknown which of them were equal: discard all. */
        PyMem_Free(diff->equal);
        diff->equal = NULL;
        diff->equal_count = diff->equal_room = 0;
    }
    PyMem_Free(pending);
    return equal;
}

#endif
