// Names of functions that the compiler gives a meaning of its own.
#ifndef TANDEM_COMPILER_IR_NAMES_H
#define TANDEM_COMPILER_IR_NAMES_H

#include <llvm-c/Core.h>

#include "compiler/base/memory.h"

// Names of functions that selection turns into instructions. Those of the first three have no side effects.
#define NAME_SPECIAL "tandem.special"  // i32 (i32 number): special register
#define NAME_TURN "tandem.turn"        // i32 (): which of its thread's items a work-item is; gone behind turns_take()
#define NAME_TURN_MEET "tandem_turn_meet"  // void (): of the library: the warp's threads are together behind it
#define NAME_CONSTANT "tandem.constant"    // i32 (i32 offset): word of constant buffer 0
#define NAME_UMULHI "tandem.umulhi"        // i32 (i32, i32)
#define NAME_SMULHI "tandem.smulhi"
#define NAME_IABSD "tandem.iabsd"
#define NAME_UABSD "tandem.uabsd"
#define NAME_PRINTF "tandem.printf"  // gone behind printf_lower()
// For the library's OpenCL C, by these names.
#define NAME_YIELD "__tandem_yield"                // the loop around it gets a YIELD: it waits for others
#define NAME_YIELD_NTH "__tandem_yield_nth"        // one that fires at every so many executions
#define NAME_YIELD_RANDOM "__tandem_yield_random"  // with a probability, in 65536ths
#define NAME_CLOCK "__tandem_clock"                // low word of the cycle counter, read anew at every call
#define NAME_CLOCK_HI "__tandem_clock_hi"
#define NAME_EXEC_LO "__tandem_exec_lo"  // the warp's active mask, its halves
#define NAME_EXEC_HI "__tandem_exec_hi"
#define NAME_VOTE "__tandem_vote"            // i64 (i32): the active threads whose operand is not 0, halves as of EXEC
#define NAME_SHUFFLE "__tandem_shuffle"      // i32 (i32 value, i32 lane): that thread's value
#define NAME_TEAM_LANE "__tandem_team_lane"  // the thread's number in its warp, read anew at every call
#define NAME_TEAM_THREADS "__tandem_team_threads"  // threads of a warp, likewise
// The same for the loops of programs, which all find them declared; gone behind yields_place().
#define NAME_ASKS "tandem_yield"
#define NAME_ASKS_NTH "tandem_yield_nth"
#define NAME_ASKS_RANDOM "tandem_yield_random"
// Child tasks: TMDs that the host has built, by their addresses (TU-8). Each thread launches its own.
#define NAME_LAUNCH "tandem_launch"
#define NAME_LAUNCH_WAIT "tandem_launch_wait"  // the warp goes on when these have ended
// What all programs find declared; those that append to queue tasks are in library/queue_task.cl,
// those that copy tasks in library/child_task.cl.
#define DECLARED_FUNCTIONS                                                                              \
    "void tandem_yield(void); void tandem_yield_nth(unsigned n); void tandem_yield_random(unsigned p);" \
    "void tandem_launch(unsigned task); void tandem_launch_wait(unsigned task);"                        \
    "__global void *tandem_queue_take(unsigned task); void tandem_queue_close(unsigned task);"          \
    "void tandem_queue_put(unsigned task, __global void *entry);"                                       \
    "void tandem_task_copy(unsigned to, unsigned from); __global void *tandem_task_arguments(unsigned task);"
// A program that captures profiling information calls it.
#define NAME_ADD "tandem_work_enqueue"
#define NAME_ADD_LIST "tandem_work_enqueue_list"
#define NAME_CAPTURE "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v"
// Names of the device library's own helpers begin so (NAME_ functions of selection: with "tandem.").
#define LIBRARY_PREFIX "tandem_"

// Single instructions on one register that the library calls by name: opcode and modifier.
struct instruction_name {
    const char *name;
    uint8_t op, mod;
};
// NULL: it is none.
const struct instruction_name *find_instruction_name(const char *name);

const char *name_of(LLVMValueRef value);
// Itanium's "_Z13get_global_idj" as the name inside, for messages.
void readable_name(const char *name, char *to, size_t size);

// Whether an instruction is a call of one of OpenCL's barriers.
bool is_barrier(LLVMValueRef i);
// Of NAME_VOTE, NAME_SHUFFLE and what belongs to them: threads of a warp ask each other.
bool is_team(LLVMValueRef i);
// Of NAME_YIELD and its like.
bool is_yield(LLVMValueRef i);
// Of NAME_ASKS and its like.
bool asks_yield(LLVMValueRef i);

#endif
