/* What differs between two snapshots.

   The nodes of the two are paired along equal paths from equal roots. The same object (by its address) is compared
   entry by entry. If a slot holds another object, the slot was written if the content below it differs; an equal object
   of the same shape is no change. So an address that is reused can at worst make a change appear one step deeper, but
   neither hide nor invent one. */

#ifndef UNKNOT_HEAP_DIFF_H
#define UNKNOT_HEAP_DIFF_H

#include "heap_report.h"

#define MOST_OF_ONE_CHANGED 200

static bool
pair_up(Diff *diff, uint32_t now, uint32_t before)
{
    diff->partner[now] = before;
    if (!WITH_ROOM(diff->heap, diff->queue, diff->queue_count, diff->queue_room, 1)) {
        return false;
    }
    diff->queue[diff->queue_count++] = (Pair){now, before};
    return true;
}

static bool
differs(Diff *diff, uint64_t now, uint64_t before)
{
    Verdict verdict = compare_values(diff, now, before);
    if (verdict != BOTH_NODES) {
        return verdict == DIFFERENT;
    }
    uint32_t a = number_of_value(now), b = number_of_value(before);
    if (diff->partner[a] == b) {
        return false;
    }
    if (diff->partner[a] == NO_NODE &&
        (diff->now->address[a] == diff->before->address[b] ||
         is_passed_through(info_of_type(diff->heap, Py_TYPE((PyObject *)diff->now->address[a]))))) {
        pair_up(diff, a, b);
        return false;
    }
    return !is_equal_below(diff, a, b);
}

/* Entry by entry, if the keys are in the same order, as they nearly always are. */
static bool
is_aligned(Diff *diff, const Matching *matching)
{
    uint32_t count = matching->now_end - matching->now_begin;
    if (count != matching->before_end - matching->before_begin) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = diff->now->entries[matching->now_begin + i].key;
        uint64_t key_before = diff->before->entries[matching->before_begin + i].key;
        if ((key != key_before || (key & KEY_TAG) == SINGLE_KEY) &&
            !equal_keys(diff->now, key, diff->before, key_before)) {
            return false;
        }
    }
    return true;
}

/* Reports changes up to a limit; beyond it, the object has changed as a whole. */
static bool
report_one_of_many(Diff *diff, Difference where, uint32_t *said)
{
    if (++*said > MOST_OF_ONE_CHANGED) {
        return report_whole(diff, where.node, where.node_before);
    }
    return report(diff, where);
}

static bool
compare_aligned(Diff *diff, Pair pair, const Matching *matching)
{
    bool ok = true;
    uint32_t said = 0;
    for (uint32_t i = matching->now_begin; ok && i < matching->now_end && said <= MOST_OF_ONE_CHANGED; i++) {
        uint32_t j = matching->before_begin + (i - matching->now_begin);
        if (differs(diff, diff->now->entries[i].value, diff->before->entries[j].value)) {
            ok = report_one_of_many(diff, (Difference){pair.now, pair.before, i, j}, &said);
        }
    }
    return ok;
}

static bool
compare_pair(Diff *diff, Pair pair)
{
    if (!was_looked_into(diff, pair.now, pair.before)) {
        return true;
    }
    Matching matching = begin_matching(diff, pair.now, pair.before);
    if (is_aligned(diff, &matching)) {
        return compare_aligned(diff, pair, &matching);
    }
    /* Match all entries first: the next step uses the same scratch memory. */
    uint32_t count = matching.now_end - matching.now_begin, count_before = matching.before_end - matching.before_begin;
    uint32_t *match = PyMem_Malloc((count + 1) * sizeof *match);
    bool *is_matched = PyMem_Calloc(count_before + 1, sizeof *is_matched);
    bool ok = match != NULL && is_matched != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        match[i] = entry_before(diff, &matching, matching.now_begin + i);
        if (match[i] != NO_NODE) {
            is_matched[match[i] - matching.before_begin] = true;
        }
    }
    uint32_t said = 0;
    for (uint32_t i = 0; ok && i < count && said <= MOST_OF_ONE_CHANGED; i++) {
        uint32_t now = matching.now_begin + i;
        if (match[i] == NO_NODE ||
            differs(diff, diff->now->entries[now].value, diff->before->entries[match[i]].value)) {
            ok = report_one_of_many(diff, (Difference){pair.now, pair.before, now, match[i]}, &said);
        }
    }
    for (uint32_t i = 0; ok && i < count_before && said <= MOST_OF_ONE_CHANGED; i++) {
        if (!is_matched[i]) {
            Difference where = {pair.now, pair.before, NO_NODE, matching.before_begin + i};
            ok = report_one_of_many(diff, where, &said);
        }
    }
    PyMem_Free(match);
    PyMem_Free(is_matched);
    return ok;
}

static bool
is_all_equal(const Snapshot *now, const Snapshot *before)
{
    return now->nodes == before->nodes && now->count == before->count && now->single_count == before->single_count &&
           now->roots == before->roots && now->expanded == before->expanded &&
           memcmp(now->entries, before->entries, now->count * sizeof(Entry)) == 0 &&
           memcmp(now->first, before->first, now->nodes * sizeof(uint32_t)) == 0 &&
           memcmp(now->last, before->last, now->nodes * sizeof(uint32_t)) == 0 &&
           memcmp(now->type, before->type, now->nodes * sizeof(uint32_t)) == 0 &&
           memcmp(now->address, before->address, now->nodes * sizeof(uint64_t)) == 0 &&
           memcmp(now->singles, before->singles, now->single_count * sizeof(Single)) == 0;
}

static bool
pair_roots(Diff *diff)
{
    uint32_t hint = 0;
    for (uint32_t i = 0; i < diff->now->roots; i++) {
        for (uint32_t k = 0; k < diff->before->roots; k++) {
            uint32_t j = (hint + k) % diff->before->roots;
            if (PyUnicode_Compare(diff->now->root_names[i], diff->before->root_names[j]) == 0) {
                if (diff->now->type[i] == diff->before->type[j] && !pair_up(diff, i, j)) {
                    return false;
                }
                hint = j + 1;
                break;
            }
        }
    }
    return true;
}

static bool
compare_queued(Diff *diff, uint32_t *done)
{
    bool ok = true;
    for (; ok && *done < diff->queue_count; ++*done) {
        ok = compare_pair(diff, diff->queue[*done]);
    }
    return ok;
}

/* Pairs nodes whose first path is gone, but that other objects still hold as before. */
static bool
pair_by_other_paths(Diff *diff)
{
    const Snapshot *now = diff->now;
    for (uint32_t node = 0; node < diff->before->nodes; node++) {
        if ((now->flags[node] & (GONE | RENEWED)) || diff->partner[node] != node) {
            continue;
        }
        for (uint32_t i = now->first[node]; i < now->last[node]; i++) {
            uint32_t child = number_of_value(now->entries[i].value);
            if ((now->entries[i].value & VALUE_TAG) == CHILD && diff->partner[child] == NO_NODE &&
                !pair_up(diff, child, child)) {
                return false;
            }
        }
    }
    return true;
}

/* After an update in place: nodes have the same numbers in both snapshots, and only RENEWED nodes differ. They are
   still paired along their paths: another object may now have the address of one that is gone. */
static bool
compare_updated(Diff *diff)
{
    Snapshot *now = diff->now;
    bool ok = true, is_any_left = false;
    uint32_t done = 0;
    for (uint32_t node = 0; ok && node < diff->before->nodes; node++) {
        uint32_t parent = now->parent[node];
        if (now->flags[node] & GONE) {
            continue;
        }
        if (parent == NO_NODE || (diff->partner[parent] == parent && !(now->flags[parent] & RENEWED))) {
            diff->partner[node] = node;
        }
        if (diff->partner[node] == node && (now->flags[node] & RENEWED)) {
            now->flags[node] |= COMPARED;
            ok = compare_pair(diff, (Pair){node, node});
        }
        is_any_left = is_any_left || diff->partner[node] == NO_NODE;
    }
    /* Those that the loop has already compared are skipped. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < diff->queue_count; i++) {
        Pair pair = diff->queue[i];
        if (pair.now != pair.before || !(now->flags[pair.now] & COMPARED)) {
            diff->queue[kept++] = pair;
        }
    }
    diff->queue_count = kept;
    ok = ok && compare_queued(diff, &done);
    return ok && (!is_any_left || (pair_by_other_paths(diff) && compare_queued(diff, &done)));
}

static bool
compare_all(Diff *diff)
{
    uint32_t done = 0;
    return pair_roots(diff) && compare_queued(diff, &done);
}

/* Appends to `changes`. False with an exception if out of memory. `is_update`: `now` is `before`, updated. */
static bool
find_changes(Heap *heap, Snapshot *now, Snapshot *before, bool is_update, PyObject *changes)
{
    if (!is_update && is_all_equal(now, before)) {
        return true;
    }
    Diff diff = {.heap = heap, .now = now, .before = before, .changes = changes};
    diff.trials_left = (int64_t)now->count * 4 + 100000;
    diff.partner = PyMem_Malloc((now->nodes + 1) * sizeof *diff.partner);
    bool ok = begin_digest(&diff.digest_now, heap, now) && begin_digest(&diff.digest_before, heap, before) &&
              diff.partner != NULL;
    if (ok) {
        memset(diff.partner, 0xff, now->nodes * sizeof *diff.partner);
        ok = is_update ? compare_updated(&diff) : compare_all(&diff);
    }
    end_digest(&diff.digest_now);
    end_digest(&diff.digest_before);
    PyMem_Free(diff.partner);
    PyMem_Free(diff.queue);
    PyMem_Free(diff.equal);
    PyMem_Free(diff.reported);
    PyMem_Free(diff.index);
    if (!ok && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return ok;
}

#endif
