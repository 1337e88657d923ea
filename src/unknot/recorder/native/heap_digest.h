/* A number for the content below an entry: equal contents give equal numbers, in any process and at any addresses.
   Computed from the records of a snapshot, so that it is available for the last snapshot too. */

#ifndef UNKNOT_HEAP_DIGEST_H
#define UNKNOT_HEAP_DIGEST_H

#include "heap_walk.h"

#define MOST_DIGESTED 50000
#define IDENTITY_KEY (((uint64_t)IDENTITY << 8 | AS_VALUE) << 3 | ORDINAL)
#define OPEN_NODE 1 /* being digested: a cycle leads back to it */

typedef struct {
    uint32_t node, entry, end;
    uint64_t sum;
} DigestFrame;

typedef struct {
    Heap *heap;
    const Snapshot *snapshot;
    uint64_t *known_nodes; /* per node; 0: not digested yet */
    uint32_t *touched;
    uint32_t touched_count, touched_room;
    DigestFrame *stack;
    uint32_t depth, room;
} Digest;

static bool
begin_digest(Digest *digest, Heap *heap, const Snapshot *snapshot)
{
    memset(digest, 0, sizeof *digest);
    digest->heap = heap;
    digest->snapshot = snapshot;
    digest->known_nodes = PyMem_Calloc(snapshot->nodes + 1, sizeof *digest->known_nodes);
    return digest->known_nodes != NULL;
}

static void
end_digest(Digest *digest)
{
    PyMem_Free(digest->known_nodes);
    PyMem_Free(digest->touched);
    PyMem_Free(digest->stack);
}

static uint64_t
content_of_key(Heap *heap, const Snapshot *snapshot, uint64_t key)
{
    uint64_t content = 0;
    if (key_is_object(key)) {
        is_atom(heap, key_object(key), 0, &content);
        return joined(content, key & KEY_TAG);
    }
    if ((key & KEY_TAG) == SINGLE_KEY) {
        return joined(snapshot->singles[number_of_key(key)].content, how_of_key(key));
    }
    return mixed(key);
}

static inline uint64_t
digest_of_atom(uint64_t value)
{
    return mixed(value + 1) | 2;
}

/* For objects compared by identity: functions and classes, whether a snapshot has entered them or not. */
static inline uint64_t
digest_of_single(uint64_t content)
{
    return digest_of_atom(mixed(content) & ~VALUE_TAG);
}

/* Without entering a node; 0 if a node must be entered. */
static uint64_t
shallow_digest(Digest *digest, uint64_t value)
{
    const Snapshot *snapshot = digest->snapshot;
    switch (value & VALUE_TAG) {
    case CHILD: {
        uint32_t node = number_of_value(value);
        if (digest->known_nodes[node] == OPEN_NODE) {
            return mixed(snapshot->type[node]);
        }
        uint32_t first = snapshot->first[node];
        if (first < entries_end(snapshot, node) && snapshot->entries[first].key == IDENTITY_KEY) {
            return digest_of_single(snapshot->singles[number_of_value(snapshot->entries[first].value)].content);
        }
        return digest->known_nodes[node];
    }
    case SINGLE_VALUE:
        return digest_of_single(snapshot->singles[number_of_value(value)].content);
    default:
        return digest_of_atom(value);
    }
}

static bool
open_node(Digest *digest, uint32_t node)
{
    const Snapshot *snapshot = digest->snapshot;
    if (!WITH_ROOM(digest->heap, digest->stack, digest->depth, digest->room, 1) ||
        !WITH_ROOM(digest->heap, digest->touched, digest->touched_count, digest->touched_room, 1)) {
        return false;
    }
    uint32_t end = node < snapshot->expanded ? entries_end(snapshot, node) : snapshot->first[node];
    digest->stack[digest->depth++] = (DigestFrame){node, snapshot->first[node], end, 0};
    digest->known_nodes[node] = OPEN_NODE;
    digest->touched[digest->touched_count++] = node;
    return true;
}

/* Never 0, and within the range of a signed 64-bit number. */
static inline uint64_t
as_fingerprint(uint64_t digest)
{
    return digest >> 1 == 0 ? 1 : digest >> 1;
}

/* The fingerprint of a value. */
static uint64_t
digest_of(Digest *digest, uint64_t value)
{
    const Snapshot *snapshot = digest->snapshot;
    uint64_t whole = shallow_digest(digest, value);
    uint32_t left = MOST_DIGESTED;
    if (whole == 0 && open_node(digest, number_of_value(value))) {
        while (digest->depth > 0) {
            DigestFrame *frame = &digest->stack[digest->depth - 1];
            if (frame->entry < frame->end && left > 0) {
                Entry entry = snapshot->entries[frame->entry];
                uint64_t below = shallow_digest(digest, entry.value);
                if (below == 0) {
                    if (!open_node(digest, number_of_value(entry.value))) {
                        break;
                    }
                    continue; /* and return to this entry when it is known */
                }
                frame->sum += joined(content_of_key(digest->heap, snapshot, entry.key), below);
                frame->entry++;
                left--;
                continue;
            }
            whole = joined(frame->sum, snapshot->type[frame->node]) | 2;
            digest->known_nodes[frame->node] = whole;
            digest->depth--;
        }
    }
    for (uint32_t i = 0; i < digest->touched_count; i++) {
        digest->known_nodes[digest->touched[i]] = 0;
    }
    digest->touched_count = digest->depth = 0;
    return as_fingerprint(whole);
}

#endif
