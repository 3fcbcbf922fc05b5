// What a PPU-owned work queue looks like in memory: read by the driver (C), which sets it up, and by the PPU's own
// threads (OpenCL C, work_queue.cl). Words of 32 bits only; an address is a word. cmodel/driver/work_queue.md says how
// it works.
#ifndef TANDEM_WORK_QUEUE_H
#define TANDEM_WORK_QUEUE_H

#ifdef __OPENCL_C_VERSION__
#define WORK_WORD uint
#else
#include <stdint.h>
#define WORK_WORD uint32_t
#endif

// Entries of the ring: an adder takes two or more and may never have all but two of them. More than an index of
// GP_PUT can say are no use.
#define WORK_ENTRIES_MIN 4u
#define WORK_ENTRIES_MAX 65536u
// Command memory of an entry of the ring. The driver writes it once, threads write only what changes: words of the release
// that gives entries back, of the launch, of the acquire of the entry's own semaphore. A launch begins at one of three
// words. Behind the entries' there are two for the block that ends a launch, which take turns.
#define WORK_BLOCK_BYTES 128u
#define WORK_LAUNCH_FIRST 0u   // the entry before becomes unwritten again (an acquire), and this one,
#define WORK_LAUNCH_ERASE 5u   // only this one,
#define WORK_LAUNCH_PLAIN 10u  // none
#define WORK_GIVE_BACK 13u     // payload: the first position that is not free then
#define WORK_REGION 17u
#define WORK_LOCAL 20u
#define WORK_TASK_NUMBER 22u  // address of the TMD / 256
#define WORK_LAUNCH_END 25u
#define WORK_ACQUIRE_BEGIN 25u
#define WORK_ACQUIRE_PAYLOAD 28u
#define WORK_ACQUIRE_END 30u
// What stands in an entry that no thread has written: a control entry with the opcode ILLEGAL, so that a channel that
// comes to it stops with the fault GPENTRY.
#define WORK_UNWRITTEN0 0u
#define WORK_UNWRITTEN1 GP_ENTRY1_OPCODE(GP_ENTRY1_OPCODE_ILLEGAL)  // gen/methods.h
// Where positions are taken back to the second lap (they must never come near 2^32; entries * 2 < this).
#define WORK_REBASE 0x80000000u

// flags: each entry is made unwritten again while it is passed, so that an entry of the lap before is found out.
#define WORK_ERASE 1u
// The CPU moves GP_PUT and shadow GP_PUT behind it, now and then: so an entry that was passed is free some time later.
#define WORK_PUT_SOFTWARE 2u

// Straight pieces: memory of launches that need nothing but the task unit (work_straight.cl). The driver fills them in, the
// TMD's release among them, by which the task unit puts the piece back into its place; threads write what changes.
#define WORK_STRAIGHT 64u  // a power of two
#define WORK_STRAIGHT_BYTES 512u
#define WORK_STRAIGHT_CONSTANTS 256u  // constant buffer 0: offset in the piece
#define WORK_STRAIGHT_LITERAL (WORK_STRAIGHT_CONSTANTS + 0x50u)
#define WORK_STRAIGHT_LITERAL_BYTES (WORK_STRAIGHT_BYTES - WORK_STRAIGHT_LITERAL)
// In a place, and so in the TMD's release, beside the piece's address: the kernel it is filled in for, 0: for none.
#define WORK_STRAIGHT_TAG (WORK_STRAIGHT_BYTES - 1u)
#define WORK_STRAIGHT_NO_TAG \
    WORK_STRAIGHT_BYTES  // what a kernel has when all tags are given: its pieces are filled in anew

// A position counts entries over all laps, from `entries` on (so none is 0); its place in the ring is position modulo
// entries, and the semaphore of that place has the value `position` once the entry behind it is written.
struct work_queue {
    WORK_WORD entries, ring, blocks, semaphores;  // addresses: GP entries, command memory, a word for each entry
    WORK_WORD flags, rebase;
    WORK_WORD pieces, piece_bytes;  // a power of two of them, a multiple of 256 bytes each

    WORK_WORD soft_put;  // the next position to be taken
    WORK_WORD fill0[7];
    WORK_WORD shadow_put;  // the first position that is not free; written by the channel itself or by the CPU
    WORK_WORD given_back;  // where blocks tell what is free: address of shadow_put, or of `unread`
    WORK_WORD unread;
    WORK_WORD fill1[5];
    WORK_WORD x;  // semaphore X: the number of the launch whose work may run
    WORK_WORD fill2[7];
    WORK_WORD y;  // semaphore Y: the number of the last launch all of whose work is done
    WORK_WORD fill3[7];

    WORK_WORD launch;       // the number of this launch, from 1 on
    WORK_WORD outstanding;  // pieces of work that have not ended, the launch from the CPU among them
    WORK_WORD parked;       // list of pieces that found no room in the ring
    WORK_WORD stopped;      // not 0: the channel is being reset, nobody waits any more and nothing is added
    // At a multiple of 16, read by all who have to do with events:
    WORK_WORD events, event_bytes;  // address of `pieces` events, a power of two of bytes
    WORK_WORD references;  // of an event: this + its address / 64 is the address of their number; 0: it is free
    WORK_WORD pool;        // address of the pieces
    WORK_WORD places;      // address of `pieces` words: of each piece its address, 0: in use
    WORK_WORD ns_per_cycle;
    WORK_WORD fill4[6];
    WORK_WORD straight_next, linked_next;  // the next place to look at, modulo WORK_STRAIGHT
    WORK_WORD fill5[6];
    WORK_WORD straight[WORK_STRAIGHT];  // of each place its straight piece and the tag, 0: in use
    WORK_WORD linked[WORK_STRAIGHT];    // the same for launches that others wait for, or that wait for others
};
#define WORK_QUEUE_ALIGNMENT (4 * WORK_STRAIGHT)  // of the record, so also of `straight` and `linked` in it

// Flags of enqueue_kernel: a level is 1 more than itself from this bit on, 0 stands for the parent's (the front end
// defines TANDEM_ENQUEUE_LEVEL(n) for programs).
#define TANDEM_ENQUEUE_LEVEL_LOW 8

// Events that a launch can wait for.
#define WORK_WAITS_MAX 16u

// A piece: memory of one launch: its TMD, then constant buffer 0. What threads know of the task stands in words of the TMD in
// which the task unit sees constant buffers that are not there, and at its end in those of cmodel/task/tmd.tbl.
#define WORK_CONSTANTS 256u  // offset in the piece
struct work_task {
    WORK_WORD tmd0[35];
    WORK_WORD leaves;    // in a program that profiles: event that its end is counted off from, 0: none
    WORK_WORD warps;     // that have not ended
    WORK_WORD children;  // list of pieces that wait for the end of this task; with WORK_CHILD_FREE for nothing else
    WORK_WORD counted;   // 1: in `outstanding`
    WORK_WORD link;      // the next piece of a list
    WORK_WORD event;     // that this task completes, 0: none
    WORK_WORD unclean;   // bits of RELEASE_PAYLOAD that a launch which is given up clears: a tag
    WORK_WORD level;     // of the task; what its threads launch has the same, unless they ask for another
    // Event that stands for this task and all that it launches, its own or an outer one, as a DEPENDENT_QMD names it; 0: none.
    WORK_WORD scope;
    WORK_WORD tmd1[13];
    WORK_WORD region;          // TANDEM_REGION: 0: nothing is to be launched
    WORK_WORD state;           // TANDEM_STATE
    WORK_WORD private_memory;  // TANDEM_LOCAL: memory of its threads' private variables, 0: none needs any
    WORK_WORD parent;
    WORK_WORD counter;        // DEPENDENCE_COUNTER
    WORK_WORD dependents[2];  // DEPENDENT_QMD
};

#define WORK_CHILD_FREE 1u

// An event between launches: the TMD of a task without CTAs. The task unit starts it when all that it stands for has ended;
// at its end it counts off what waits for it. In the words of the TMD as above:
struct work_event {
    WORK_WORD tmd0[30];
    WORK_WORD complete[2];  // cycles, the low word first: of the last of all that it stands for,
    WORK_WORD error;        // the status that it ends with, if that is one; else 0
    WORK_WORD kind;         // of WORK_EVENT_*
    WORK_WORD outer;        // the event that stands for the launch that made this one, as above
    WORK_WORD walk;         // the next one of a list, for who tells the error on
    WORK_WORD capture;      // where the times are to be written, 0: nowhere
    WORK_WORD started;      // 1: a thread has noted the start
    WORK_WORD pending;      // in a program that profiles: launches that it stands for and that have not ended
    WORK_WORD fill;
    WORK_WORD start[2];  // of its launch's first thread, of its last
    WORK_WORD end[2];
    WORK_WORD tmd1[17];
    WORK_WORD counter;  // launches that it stands for and that have not ended, and who holds it; 0: it has come
    WORK_WORD dependents[2];
};
#define WORK_EVENT_BYTES 256u
#define WORK_EVENT_OF_LAUNCHES 0u
#define WORK_EVENT_OF_USER 1u  // create_user_event
#define WORK_EVENT_ENDED 2u    // the same, whose status is set
#define WORK_EVENT_MARKER 3u
#define WORK_EVENT_RELAY 4u  // no event: counts off two more for one that has more than two

// A kernel that threads can launch, as the driver prepares it when the program is loaded: a TMD in which only grid, CTA
// dimensions, shared memory and constant buffer 0 are still missing.
struct work_kernel {
    WORK_WORD tmd[64];
    WORK_WORD constant_bytes;  // of constant buffer 0, arguments from 0x40 on
    WORK_WORD shared_bytes;    // that it needs itself
    WORK_WORD threads_max;     // of a CTA
    WORK_WORD warp_threads;
    WORK_WORD shared_max;   // of a multiprocessor
    WORK_WORD non_uniform;  // 1: a range's work-groups may differ in size
    WORK_WORD fill[2];
    // What a straight launch looks at, at a multiple of 16.
    struct {
        WORK_WORD tag;          // of all kernels that the device has loaded, from 1 on, or WORK_STRAIGHT_NO_TAG
        WORK_WORD threads_max;  // as above; 0: no straight launches
        WORK_WORD shared_bytes;
        WORK_WORD shared_max;
    } straight;
    WORK_WORD fill1[4];
};

// Words of constant buffer 0 (code_object.h has the others).
#define LAUNCH_CONSTANT_QUEUE 0x30u    // address of struct work_queue
#define LAUNCH_CONSTANT_TASK 0x34u     // address of struct work_task, 0: its end is nobody's affair
#define LAUNCH_CONSTANT_KERNELS 0x38u  // address of the program's struct work_kernel, one for each kernel

// Words that a launch has from the one that made it.
#define LAUNCH_CONSTANT_PRINTF 0x2Cu  // address of struct printf_buffer
#define LAUNCH_CONSTANT_DATA 0x3Cu    // address of the program's variables

// What an adder that finds no room gets.
#define WORK_WAIT 0u  // waits until there is room
#define WORK_FAIL 1u  // WORK_FULL, nothing is changed
#define WORK_PARK 2u  // the piece goes to a list, from which it is added when a piece ends

// Results.
#define WORK_OK 0
#define WORK_FULL (-1)       // no room in the ring
#define WORK_NO_MEMORY (-2)  // all pieces are in use
#define WORK_BAD (-3)        // sizes that the kernel or the PPU does not allow

// ---- what a kernel can call itself ----
#ifdef __OPENCL_C_VERSION__
// First thing in a kernel that makes work or is launched by a thread: which threads its warp has.
uint2 tandem_work_warp(void);
// Brings all threads of the warp together: before a barrier that comes behind an addition, which may have parted them, or
// before an addition of all of them, behind what may have.
void tandem_work_meet(uint2 warp);
// Every work-item's last act in such a kernel, whichever way it went: the last warp that comes here ends the piece.
void tandem_work_end(uint2 warp);
// Memory for a launch of the program's kernel `number` (its place among the kernels of the source), filled in but for
// the arguments; 0 when there is none or the sizes do not fit the kernel (*why: WORK_NO_MEMORY, WORK_BAD). The sizes of
// a work-group divide the global ones, and are not 0. shared: bytes of local memory, the kernel's own included.
uint tandem_work_make(uint number, uint dimensions, uint3 offset, uint3 global_size, uint3 local_size, uint shared,
                      __private int *why);
// Whether a work-group of these sizes has at most `most` (65536 or fewer) threads.
bool tandem_work_fits(uint3 local_size, uint most);
// An argument of one word, at its offset in constant buffer 0 (the first has 0x40).
void tandem_work_argument(uint piece, uint offset, uint value);
// The level of the piece's task, 0 to 63 (larger ones are 63), in place of that of the launch it is made by.
void tandem_work_level(uint piece, uint level);
// Gives a piece back that was made and is not wanted.
void tandem_work_drop(uint piece);
// Puts the piece into the queue. WORK_OK; WORK_FULL (mode WORK_FAIL only): the piece has been given back.
int tandem_work_enqueue(uint piece, uint mode);
// Makes `next` the piece behind this one in a list; 0 ends it.
void tandem_work_link(uint piece, uint next);
// The same for a list of pieces (0: none): one addition takes the entries of all. Returns how many got in, the first ones;
// the others (mode WORK_FAIL only) have been given back.
// Either takes the entries of all threads of the warp that come here together with one addition.
uint tandem_work_enqueue_list(uint first, uint mode);
#endif

#endif
