/* The order of the operands of the current instruction.
 *
 * For `a == b` CPython calls the slot of a type without saying on which side its object was. The running frame still
 * has both on its value stack, side by side. */

#ifndef UNKNOT_WATCH_OPERANDS_H
#define UNKNOT_WATCH_OPERANDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

/* Whether they are on the stack as (one, other) and not as (other, one). Compares addresses only, because above its top
 * the stack holds stale values. */
static int stands_left_of(const PyObject *one, const PyObject *other)
{
    PyThreadState *thread = PyThreadState_Get();
#if PY_VERSION_HEX >= 0x030D0000
    _PyInterpreterFrame *frame = thread->current_frame;
    PyObject *executable = frame != NULL ? frame->f_executable : NULL;
#else
    _PyInterpreterFrame *frame = thread->cframe->current_frame;
    PyObject *executable = frame != NULL ? (PyObject *)frame->f_code : NULL;
#endif
    if (executable == NULL || !PyCode_Check(executable)) {
        return 0;
    }
    PyCodeObject *code = (PyCodeObject *)executable;
    PyObject **stack = frame->localsplus + code->co_nlocalsplus;
    int as_asked = 0, other_way_round = 0;
    for (int i = 0; i + 1 < code->co_stacksize; i++) {
        as_asked |= stack[i] == one && stack[i + 1] == other;
        other_way_round |= stack[i] == other && stack[i + 1] == one;
    }
    return as_asked && !other_way_round;
}

#endif
