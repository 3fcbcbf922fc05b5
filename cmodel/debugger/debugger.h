// A debugger for kernels: stops a device where it should stop, and knows where a place of the program stands in the
// source. It prints nothing and asks nobody: command lines and editors are its faces (cmodel/cli).
//
// It watches the model (tandem_watch): of devices model: the device itself, of tandem: the model that follows the RTL.
// A device that has stopped is one whose watcher has not returned: nothing was added to what it does, so a program that
// is debugged does what it does alone, to the cycle.
//
// Threads: that which runs the device, but debugger_interrupt(), which a signal handler or another thread may call.
#ifndef TANDEM_DEBUGGER_H
#define TANDEM_DEBUGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"
#include "isa/code_object.h"
#include "ppu.h"

#define DEBUGGER_TEXT_MAX 512u
#define DEBUGGER_BREAKPOINTS_MAX 256u

struct debugger;
struct debugger_stop;

// Everything outlives the debugger and stays its owner's.
struct debugger_options {
    struct tandem_device *device;      // model: or tandem:
    const struct code_object *object;  // the one program that is loaded
    // Called by what runs the device. It looks, says by debugger_go() what is next, and returns; nothing goes on before.
    void (*stopped)(void *context, const struct debugger_stop *stop);
    void *context;
};

// NULL: why says in one line what is wrong. The caller owns it, and destroys it before the device is closed.
struct debugger *debugger_create(const struct debugger_options *options, char *why, size_t why_size);
void debugger_destroy(struct debugger *debugger);
const struct ppu *debugger_ppu(const struct debugger *debugger);  // to be looked at

// ---- places: addresses are bytes from the program's start, multiples of 8
// A breakpoint where the text says: LINE, FILE:LINE, the name of a kernel or function, *ADDRESS. Returns its number, from
// 1 on; 0: why says what is wrong. A line has one place in each kernel: its first instruction there.
unsigned debugger_break(struct debugger *debugger, const char *where, char *why, size_t why_size);
bool debugger_delete(struct debugger *debugger, unsigned number);
void debugger_delete_all(struct debugger *debugger);

struct debugger_breakpoint {
    char where[96];  // as it was asked for
    uint32_t line;   // of its first address, 0: none is known
    uint32_t address;
    size_t addresses;  // how many it has
    uint64_t hits;
};
// False: there is no such breakpoint.
bool debugger_breakpoint_of(const struct debugger *debugger, unsigned number, struct debugger_breakpoint *to);

uint32_t debugger_line(const struct debugger *debugger, uint32_t address);  // 0: none is known
// "steps+0x18", or the address alone.
void debugger_symbol(const struct debugger *debugger, uint32_t address, char *to, size_t size);
// The kernel that the address is in, or NULL.
const struct code_kernel *debugger_kernel(const struct debugger *debugger, uint32_t address);

const char *debugger_fault_name(uint32_t code);  // of a fault, as channel_look and the ISA number them

// ---- running
enum debugger_goal {
    DEBUGGER_CONTINUE,
    DEBUGGER_INSTRUCTION,  // until the warp has executed an instruction
    DEBUGGER_LINE,         // until the warp stands on another line
    DEBUGGER_THREAD,       // until an instruction has been executed with the thread active
    DEBUGGER_LEAVE,        // the device is interrupted (tandem_interrupt), and nothing stops it any more
};
enum debugger_event {
    DEBUGGER_BREAKPOINT,   // the warp stands before an instruction with a breakpoint
    DEBUGGER_STEPPED,      // the goal is reached
    DEBUGGER_WARP_ENDED,   // the warp that was stepped has ended
    DEBUGGER_FAULT,        // the warp has faulted
    DEBUGGER_STANDS,       // no warp has executed anything for long
    DEBUGGER_INTERRUPTED,  // debugger_interrupt()
    DEBUGGER_LIMIT,        // so many cycles have passed
};
struct debugger_stop {
    enum debugger_event event;
    unsigned sm, warp;    // of the event; those of the goal where it has none
    unsigned breakpoint;  // its number
    uint64_t cycles;      // since debugger_go()
};
struct debugger_thread {
    unsigned sm, warp, thread;
};
// What the device does next: all warps run towards the goal, which is that of `who`, for at most so many cycles (of the
// model: steps). Whatever else stops stops it before. When no warp runs yet, a step ends when the first one has started.
void debugger_go(struct debugger *debugger, enum debugger_goal goal, const struct debugger_thread *who,
                 uint64_t cycles);
// The device soon stops, if it runs.
void debugger_interrupt(struct debugger *debugger);

#endif
