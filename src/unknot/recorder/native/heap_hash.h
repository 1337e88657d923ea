/* Mixing numbers and bytes into 64 bits. The same in every process. */

#ifndef UNKNOT_HEAP_HASH_H
#define UNKNOT_HEAP_HASH_H

#include "heap_layout.h"

#define WHOLE_BYTES 65536
#define PART_BYTES 4096

static inline uint64_t
mixed(uint64_t number)
{
    number ^= number >> 32;
    number *= 0xd6e8feb86659fd93ULL;
    number ^= number >> 32;
    number *= 0xd6e8feb86659fd93ULL;
    number ^= number >> 32;
    return number;
}

static inline uint64_t
joined(uint64_t one, uint64_t other)
{
    return mixed(one * 0x9e3779b97f4a7c15ULL + other + 0x7f4a7c15ULL);
}

static uint64_t
hash_of_all(const char *bytes, Py_ssize_t count)
{
    uint64_t hash = (uint64_t)count;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = joined(hash, word);
        bytes += 8;
        count -= 8;
    }
    uint64_t rest = 0;
    memcpy(&rest, bytes, (size_t)count);
    return joined(hash, rest);
}

/* Beyond 64 KB only the length, the head and the tail count. */
static uint64_t
hash_of_bytes(const char *bytes, Py_ssize_t count)
{
    if (count <= WHOLE_BYTES) {
        return hash_of_all(bytes, count);
    }
    uint64_t head = hash_of_all(bytes, PART_BYTES);
    uint64_t tail = hash_of_all(bytes + count - PART_BYTES, PART_BYTES);
    return joined(joined(head, tail), (uint64_t)count);
}

static inline uint64_t
hash_of_text(const char *text)
{
    return hash_of_all(text, (Py_ssize_t)strlen(text));
}

/* Strings cache their hash, so that an unchanged one costs nothing the next time. */
static inline uint64_t
hash_of_string(PyObject *string)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(string);
    Py_ssize_t size = length * (Py_ssize_t)PyUnicode_KIND(string);
    if (size > WHOLE_BYTES) {
        return hash_of_bytes((const char *)PyUnicode_DATA(string), size);
    }
    return (uint64_t)PyUnicode_Type.tp_hash(string);
}

static uint64_t
hash_of_int(PyObject *number)
{
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        return mixed((uint64_t)value);
    }
    uint64_t low = PyLong_AsUnsignedLongLongMask(number);
    return joined(joined((uint64_t)PyLong_Type.tp_hash(number), low), (uint64_t)_PyLong_NumBits(number));
}

static inline uint64_t
hash_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mixed(bits);
}

#endif
