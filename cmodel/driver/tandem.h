// The device API: one set of calls over every kind of device. A program written on it runs unchanged on the C model, on
// the simulated RTL and on both in tandem.
//
// No global state: every call names its device. Every call that can fail returns a tandem_status and leaves one line
// for its thread (tandem_message()).
//
// Any number of threads may call at once, for one device too: its calls take turns, in the order in which they come. A
// wait and tandem_run() let others have their turns while the device runs. So a thread may submit, wait on another
// channel, open and close while others wait. Commands of a channel gather in its one open block: threads that share a
// channel agree about who builds and submits. A channel, a space or the device may be closed while other threads wait
// on it: their calls return TANDEM_CLOSED. No call may begin with a handle whose close has returned, and a module must
// not be unloaded while another thread launches from it.
#ifndef TANDEM_DRIVER_TANDEM_H
#define TANDEM_DRIVER_TANDEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tandem_status {
    TANDEM_OK = 0,
    TANDEM_BAD_ARGUMENT,  // a value out of range; the message says which and the range
    TANDEM_NO_DEVICE,     // no such backend or configuration, or it cannot be opened
    TANDEM_NO_MEMORY,     // device or host memory is used up
    TANDEM_FULL,          // the channel's ring or command memory is full; nothing was submitted (WQ-2)
    TANDEM_TIMEOUT,  // a wait came to its deadline; the message says what it waited for and where the device stands
    TANDEM_CHANNEL_FAULT,  // the channel stands faulted; tandem_channel_fault() has the details
    TANDEM_MISMATCH,       // tandem: model and RTL differ; the message has the report's path
    TANDEM_BAD_CODE,       // a code object or kernel cannot be used
    TANDEM_CLOSED,         // the device or channel has been closed
    TANDEM_INTERRUPTED,    // tandem_interrupt() was called
    TANDEM_LOST,           // a board does not answer any more; the message says what its wire did
};
const char *tandem_status_name(enum tandem_status status);

struct tandem_device;
struct tandem_channel;
struct tandem_module;

struct tandem_space;

// An address in an address space (below): of a channel's space, or of the device's own.
typedef uint32_t tandem_addr;

// name: BACKEND:[CONFIG][,key=value]... BACKEND is model, rtl or tandem; CONFIG pico, nano, small (default) or full. Each key
// at most once; numbers N are decimal without zeros in front, or hexadecimal behind 0x.
// keys: seed=N (schedule of the model, memory timing of the RTL), mem=MiB (default 64), space=MiB (of it, the device's
// own space; default all that token queues leave), tokens=N (that each warp's token queue holds, which is in device memory
// when there are more than the multiprocessors keep: a power of two, default 256), wave=FILE.fst (rtl, tandem),
// latency=N (mean memory latency in cycles), link=NS (nanoseconds until the CPU has an answer; default 0: at once),
// link_rate=N (bytes a microsecond over that link, default 2000), trace=FILE (every event, text or FILE.events), timeline=FILE.json
// (for Perfetto), checkpoint=FILE and checkpoint_every=CYCLES (model, rtl, tandem: what `tandem resume FILE` goes on from;
// default 1000000), bus_error=ADDRESS+BYTES (tandem_set_bus_errors), again=auto|always|never (second compiles: recompile.h), put=hardware|software (who moves GP_PUT of work queues: enum tandem_put), inject=N, inject_model=N (deliberate defects, for
// tests), native=0|1 (the model alone: 0 does instructions one by one, default 1; nothing but time depends on it). message (may be NULL): gets one line on failure. On success *device is the caller's: tandem_close().
enum tandem_status tandem_open(const char *name, struct tandem_device **device, char *message, size_t message_size);
// Ends the device. Its channels and modules stay valid as handles, whose calls answer TANDEM_CLOSED, until they are
// closed too. tandem: compares both memories once more; returns TANDEM_MISMATCH when anything ever differed.
enum tandem_status tandem_close(struct tandem_device *device);
// The line that the calling thread's last call that failed has left; valid until its next one.
const char *tandem_message(const struct tandem_device *device);

struct tandem_info {
    char backend[16], config[16];
    uint32_t threads, lanes, warps, sms, channels, task_slots;
    uint32_t deque_entries;  // places of a warp's token queue
    uint32_t vgpr_rows, const_banks;
    uint32_t shared_bytes;  // of a multiprocessor
    uint32_t group_max;     // work-items of the largest work-group, where its threads may take turns
    uint32_t ns_per_cycle;  // of the device's clock
    uint64_t memory_bytes;  // of the device
    uint64_t memory_free;   // in its own space
};
void tandem_get_info(const struct tandem_device *device, struct tandem_info *info);

struct tandem_statistics {
    uint64_t cycles;  // RTL clock cycles (model alone: steps)
    uint64_t warp_instructions, thread_instructions;
    uint64_t local_accesses;  // of the thread instructions: loads and stores of local memory
    uint64_t events;  // host, semaphore, task and token events compared (tandem) or performed (others: model counters)
    uint64_t compared;  // all events compared
    uint64_t mismatches;
    uint64_t link_words, link_transfers;  // what the CPU moved over its link to the PPU: 32-bit words, accesses
    double seconds;                       // spent inside the device
    uint64_t put_moves;                   // times that the CPU gave entries of work queues back (put=software)
    uint64_t printed, print_dropped;      // records of printf: handed out; lost, since the buffer was full
};
void tandem_get_statistics(const struct tandem_device *device, struct tandem_statistics *statistics);

// Progress: called now and then from waits with the statistics so far.
typedef void tandem_progress(void *context, const struct tandem_statistics *statistics);
void tandem_set_progress(struct tandem_device *device, tandem_progress *call, void *context);

// What threads print with printf. Each program that prints has a buffer on the device; tandem_wait() and
// tandem_finish() hand out what stands in it: one call for each printf of a thread, in the order in which they came to
// the buffer (any order between threads; a thread's own stay in order), with the text that its format makes, which is
// gone after the call. NULL (and at first): to standard output, and a line on standard error when records were lost.
// The call must not use the device. Records that find no room are dropped and counted, and printf gives -1 there.
typedef void tandem_printf(void *context, const char *text, size_t size);
void tandem_set_printf(struct tandem_device *device, tandem_printf *call, void *context);
// Bytes of the buffer, for programs that are loaded from now on: a multiple of 4 from 16 to 2^30 (default 262144). A
// record takes 4 bytes and 4 for each argument, 8 for one of 64 bits, the same for each element of a vector.
enum tandem_status tandem_set_printf_bytes(struct tandem_device *device, uint32_t bytes);

// Nanoseconds of the device's clock since its reset, as in time stamps.
uint64_t tandem_time(struct tandem_device *device);

// ---- spaces (SP-1, SP-3) ----
// A space is a piece of device memory that keeps its users apart. Channels, modules, work queues and all memory belong
// to one. Addresses count from its start, for the CPU and for threads alike: 0 to its size. Whatever is done for a
// channel - its ring, command blocks, semaphores, tasks and their queues, code, constants, what threads read and write -
// stays inside the space of the channel; what leads out of it is a fault of that channel. So spaces may trust each other
// in nothing; what they share are channels, multiprocessors and time: a kernel that does not end holds what it runs on
// until its channel is closed or reset.
//
// A device has a space of its own, which ends with it and which all calls mean that take a device and no space. It has
// all of the device's memory, from address 0 of it on, or what the key space= says; other spaces have the rest. A space
// begins with all its memory zero. An eighth of it, 8 MiB at most, is for code; a channel takes about 130 KiB.
#define TANDEM_SPACE_LEAST 0x40000u  // bytes
struct tandem_space *tandem_device_space(struct tandem_device *device);
// bytes: TANDEM_SPACE_LEAST to what is left of the device's memory in one piece; rounded up to a multiple of 4096.
enum tandem_status tandem_space_open(struct tandem_device *device, size_t bytes, struct tandem_space **space);
// Ends what runs in the space, at once, also a kernel that would never end, and gives back its channels and memory,
// cleared. Handles of its channels and modules stay, as after tandem_close(), until they are closed too.
enum tandem_status tandem_space_close(struct tandem_space *space);
struct tandem_space_info {
    uint64_t base, bytes;  // where it stands in device memory
    uint64_t memory_free;
    unsigned channels;  // that it has, those of work queues too
};
void tandem_space_get_info(struct tandem_space *space, struct tandem_space_info *info);
// As the calls without space_, which are explained below.
enum tandem_status tandem_space_alloc(struct tandem_space *space, size_t size, size_t alignment, tandem_addr *address);
enum tandem_status tandem_space_free(struct tandem_space *space, tandem_addr address);
enum tandem_status tandem_space_write(struct tandem_space *space, tandem_addr to, const void *from, size_t size);
enum tandem_status tandem_space_read(struct tandem_space *space, tandem_addr from, void *to, size_t size);
enum tandem_status tandem_space_channel_open(struct tandem_space *space, uint32_t entries, uint32_t priority,
                                             struct tandem_channel **channel);
enum tandem_status tandem_space_module_load(struct tandem_space *space, const void *elf, size_t size,
                                            struct tandem_module **module);
enum tandem_status tandem_space_module_load_file(struct tandem_space *space, const char *path,
                                                 struct tandem_module **module);

// ---- memory ----
enum tandem_status tandem_alloc(struct tandem_device *device, size_t size, size_t alignment, tandem_addr *address);
enum tandem_status tandem_free(struct tandem_device *device, tandem_addr address);
enum tandem_status tandem_write(struct tandem_device *device, tandem_addr to, const void *from, size_t size);
enum tandem_status tandem_read(struct tandem_device *device, tandem_addr from, void *to, size_t size);
uint32_t tandem_reg_read(struct tandem_device *device, uint32_t offset);
void tandem_reg_write(struct tandem_device *device, uint32_t offset, uint32_t value);
// Memory that is broken, for tests of what must live with it: from now on the PPU (not the CPU) gets a bus error for
// each access to [address, address + size) of device memory; with writes_only it can be read there. A
// failing access changes nothing; it faults the channel that it was made for with BUS_ERROR. size 0: the memory is
// whole again.
enum tandem_status tandem_set_bus_errors(struct tandem_device *device, tandem_addr address, size_t size,
                                         bool writes_only);
// Lets the device run about this many cycles (a board: until its clock has gone on).
enum tandem_status tandem_run(struct tandem_device *device, uint64_t cycles);

// Ends what runs: the wait or tandem_run() that is under way, and every later one, soon returns TANDEM_INTERRUPTED. All
// else goes on working, so that the caller can close what it has opened and the files of waves, traces and timelines
// are whole. The one call that may come from a signal handler, and that does not wait for its turn.
void tandem_interrupt(struct tandem_device *device);

// ---- channels (WQ-1 to WQ-8) ----
// entries: of the ring, 2 to 65536, power of two or not (WQ-15). priority: 0 lowest to 3. It says which channel the
// host interface serves first (WQ-8), and the level of the tasks that are launched through the channel, 16 * priority,
// unless a launch names another (WQ-9).
enum tandem_status tandem_channel_open(struct tandem_device *device, uint32_t entries, uint32_t priority,
                                       struct tandem_channel **channel);
// Waits up to 1,000,000 cycles for the channel's tasks, unless its last wait has come to its deadline already, and ends
// those that are left then. The channel and its memory are free again. Other threads' waits on it return TANDEM_CLOSED.
enum tandem_status tandem_channel_close(struct tandem_channel *channel);

// Commands are gathered in the channel's open command block; tandem_submit() makes a GP entry of it and moves GP_PUT.
// method: byte address of the class header.
enum tandem_status tandem_method(struct tandem_channel *channel, uint32_t subchannel, uint32_t method, uint32_t data);
enum tandem_status tandem_semaphore_release(struct tandem_channel *channel, tandem_addr address, uint32_t payload,
                                            bool wait_for_idle);
enum tandem_status tandem_semaphore_acquire(struct tandem_channel *channel, tandem_addr address, uint32_t payload);
enum tandem_status tandem_wfi(struct tandem_channel *channel);
// Four words {0, 0, nanoseconds (64 bits)} go to address (a multiple of 16), without waiting for tasks.
enum tandem_status tandem_time_stamp(struct tandem_channel *channel, tandem_addr address);
enum tandem_status tandem_launch_tmd(struct tandem_channel *channel, tandem_addr tmd);
enum tandem_status tandem_submit(struct tandem_channel *channel);
// A raw entry, as a test or another tool has it (malformed ones too).
enum tandem_status tandem_submit_entry(struct tandem_channel *channel, uint32_t entry0, uint32_t entry1);

// Waits until the word at address has reached `value` ((int)(word - value) >= 0), this channel faults, or `deadline`
// cycles have passed (0: the default of 2^32). A device that can do nothing more without the CPU ends the wait at once
// with TANDEM_TIMEOUT.
enum tandem_status tandem_wait(struct tandem_channel *channel, tandem_addr address, uint32_t value, uint64_t deadline);
// Submits {WFI, release} and waits for it.
enum tandem_status tandem_finish(struct tandem_channel *channel, uint64_t deadline);

struct tandem_fault {
    uint32_t code, info, pc;
    char text[256];  // in words
};
// False: the channel has no fault.
bool tandem_channel_fault(struct tandem_channel *channel, struct tandem_fault *fault);
// Ends the channel's tasks, also those that would never end, clears the fault and empties the ring. Waits of other
// threads on the channel return TANDEM_CHANNEL_FAULT.
enum tandem_status tandem_channel_reset(struct tandem_channel *channel);
// How much of the space the CTAs of the channel may take that step aside (kernels with `.saves`; rtl/task/README.md says
// when they do), in bytes: for each size of record, a power of two of 1024 bytes or more, as many records as there is
// room for. Without this call it is an eighth of the space. To be called before the first task of such a kernel is
// launched or built (else TANDEM_BAD_ARGUMENT). When there is no record left the channel faults with CHILD_DEADLOCK.
enum tandem_status tandem_channel_save_memory(struct tandem_channel *channel, size_t bytes);

// ---- tasks that are stopped, looked at, and go on (TU-14) ----
// The unit is the channel, with its work queue: parents, children and tasks that wait for each other belong to one
// channel, so all of them stand still together. Its command blocks go on; what they launch waits. Other channels do not
// notice. A stopped channel's tasks do not end, so tandem_finish() on it comes to its deadline; closing it ends them.
//
// Stops the channel's tasks: none starts, no CTA goes out, CTAs of kernels with `.saves` leave the machine in the middle
// and stand in memory, others first run to their end. Waits until nothing of the channel is on the machine, at most
// `deadline` cycles (0: 10,000,000). TANDEM_TIMEOUT: something is still there; it stays stopped otherwise, and another
// call waits on. TANDEM_CHANNEL_FAULT: it stands faulted, or does now. Stopping what is stopped is no error.
enum tandem_status tandem_channel_stop(struct tandem_channel *channel, uint64_t deadline);
// All of it goes on where it was, with the same results. TANDEM_BAD_ARGUMENT: it was not stopped. A reset lets a channel
// go on, too, without its tasks.
enum tandem_status tandem_channel_continue(struct tandem_channel *channel);

// The first four as TANDEM_STATE of the TMD has them.
enum tandem_task_state {
    TANDEM_TASK_ENDED = 0,    // or it was not launched
    TANDEM_TASK_PENDING = 1,  // launched, and not yet begun
    TANDEM_TASK_EVICTED = 2,  // begun, and out of the machine; it goes on when there is a place
    TANDEM_TASK_PARENT = 3,   // likewise, but when waits_for children have ended
    TANDEM_TASK_WAITS = 4,    // for waits_for ends of others, its own launch among them (TU-15)
    TANDEM_TASK_MAY_RUN = 5,  // ended, not launched or, since the stop came to its deadline, still there
};
struct tandem_task_look {
    enum tandem_task_state state;
    uint32_t level;
    bool saves;          // its kernel has `.saves`
    uint32_t waits_for;  // children or tasks
    uint32_t next
        [3];  // evicted: the next CTA that has not begun; {0, 0, depth of the grid}: all have. Of a queue: entries done
    uint32_t ctas;   // that have begun, and are saved
    uint32_t warps;  // of these CTAs, that have not ended
};
// Where the task at tmd (of tandem_task_build() or tandem_launch_queue()) of a stopped channel stands. Of a task that was
// dropped by a fault or reset it says what it was before. TANDEM_BAD_ARGUMENT: the channel is not stopped, tmd is no
// multiple of 256 or outside of the space, or threads have overwritten what is read.
enum tandem_status tandem_task_look(struct tandem_channel *channel, tandem_addr tmd, struct tandem_task_look *look);
struct tandem_saved_warp {
    uint32_t cta[3];       // of the grid
    uint32_t index;        // of the warp in its CTA
    uint32_t pc;           // the instruction that it executes next, counted as in struct tandem_fault
    uint64_t active;       // bit i: thread i is active
    uint32_t threads;      // of the warp
    uint32_t registers;    // of a thread
    uint32_t tokens;       // in its deque
    uint32_t scalars[16];  // S0 to S15
};
// Saved warp `number` of the task, from 0 to tandem_task_look.warps - 1, in any order. Errors as above.
enum tandem_status tandem_task_warp(struct tandem_channel *channel, tandem_addr tmd, uint32_t number,
                                    struct tandem_saved_warp *warp);
// The first `count` registers of a thread of that warp, 1 to tandem_saved_warp.registers.
enum tandem_status tandem_task_registers(struct tandem_channel *channel, tandem_addr tmd, uint32_t number,
                                         uint32_t thread, uint32_t *registers, uint32_t count);

// ---- work made by the PPU's own threads (WQ-10 to WQ-30) ----
// A channel gets a PPU-owned queue, which takes another channel of the device, with the first launch of a kernel that
// makes work itself. Before that its sizes can be chosen; 0 means the default.
// Who moves GP_PUT of such a queue, which no thread reaches.
enum tandem_put {
    TANDEM_PUT_OF_DEVICE,  // as the device's name says (put=), by hardware unless it says otherwise
    TANDEM_PUT_HARDWARE,   // the host interface: one behind GP_GET as that moves, without the CPU (CONTROL.PPU_OWNED)
    TANDEM_PUT_SOFTWARE,  // the driver, for a host interface that knows nothing of such queues: while the device runs in
                          // a wait or tandem_run() it looks at GP_GET every 1024 cycles and gives back what was passed
};
struct tandem_work_queue {
    uint32_t entries;      // of the ring, 4 to 65536, a power of two or not; 256
    uint32_t pieces;       // of work that are queued or run at the same time, a power of two; 1024
    uint32_t piece_bytes;  // 320 and the largest constant buffer, a multiple of 256; 512, or what the program needs
    uint32_t priority;     // of its channel, 0 to 3; a queue that a launch makes has that of the launch's channel
    enum tandem_put put;
    uint32_t rebase;   // positions of the ring that are used before they begin anew; 2^31, for tests fewer
    bool keep_passed;  // entries that were passed are not made unwritten again: a little faster, less is found out
};
enum tandem_status tandem_work_queue_open(struct tandem_channel *channel, const struct tandem_work_queue *sizes);

// Where the queue stands. Between launches outstanding is 1, free == pieces, parked 0, consistent true.
struct tandem_work_queue_state {
    unsigned channel;   // the PPU-owned one
    uint32_t gp_get;    // its GP_GET
    uint32_t launches;  // so far
    uint32_t soft_put, shadow_put, outstanding, parked, free;
    tandem_addr record;  // struct work_queue in device memory
    bool consistent;     // the words in memory and GP_GET say alike that the queue is ready for the next launch
};
enum tandem_status tandem_work_queue_state(struct tandem_channel *channel, struct tandem_work_queue_state *state);

// ---- programs ----
enum tandem_status tandem_module_load(struct tandem_device *device, const void *elf, size_t size,
                                      struct tandem_module **module);
enum tandem_status tandem_module_load_file(struct tandem_device *device, const char *path,
                                           struct tandem_module **module);
void tandem_module_unload(struct tandem_module *module);

struct tandem_kernel_info {
    uint32_t threads;       // of the largest work-group that is resident; 0: not even one warp is, with these registers
    uint32_t group_max;     // work-items of the largest work-group: more than threads when these may take turns
    uint32_t registers;     // of a thread
    uint32_t shared_bytes;  // of a work-group, without what its arguments point to
    uint32_t local_bytes;   // of a thread: private memory
    uint32_t reqd_local[3];  // reqd_work_group_size, or zeros
    uint32_t piece_bytes;    // makes work itself: of the smallest pieces that its queue may have; else 0
    bool non_uniform;        // the work-groups of a range may differ in size: local need not divide global
};
// TANDEM_BAD_CODE: the program has no such kernel.
enum tandem_status tandem_get_kernel_info(const struct tandem_module *module, const char *kernel,
                                          struct tandem_kernel_info *info);

// Makes what launches of the kernel with this local size (three sizes) need beyond its code: for work-groups of more
// items than threads can be resident, a form of the kernel whose threads take turns at the items. Launches that find
// none make it themselves. TANDEM_BAD_ARGUMENT: the group is larger than group_max; TANDEM_BAD_CODE: this kernel cannot
// run so, the message says why.
enum tandem_status tandem_prepare_group(struct tandem_module *module, const char *kernel, const uint32_t local[3]);

struct tandem_argument {
    const void *data;  // value, or a tandem_addr for a pointer; NULL for a pointer to local memory
    size_t size;       // must be the argument's size; of a pointer to local memory: the bytes it points to
};
struct tandem_range {
    uint32_t dimensions;  // 1 to 3
    uint32_t offset[3], global[3];
    // All 0: the driver chooses. Else must divide global, unless the kernel is non_uniform (OpenCL C 2.0 and later, without
    // -cl-uniform-work-group-size): then the last work-groups are smaller, and a launch is up to eight tasks side by side.
    uint32_t local[3];
};
// Puts a launch of the kernel into the channel's open command block (TMD, constants, methods). Arguments are checked
// against the kernel.
enum tandem_status tandem_launch(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                 const struct tandem_range *range, const struct tandem_argument *arguments,
                                 size_t count);
// How the task unit schedules a launch. Tasks that its threads make have its level, unless they ask for another.
#define TANDEM_LEVEL_OF_CHANNEL UINT32_MAX
struct tandem_scheduling {
    uint32_t level;  // 0 to 63, the highest: started first, and in place of running ones; or TANDEM_LEVEL_OF_CHANNEL,
                     // which tandem_launch() takes
    bool at_head;    // goes in front of the tasks that are pending in its level
};
// tandem_launch() with a say in the scheduling (NULL: none).
enum tandem_status tandem_launch_scheduled(struct tandem_channel *channel, struct tandem_module *module,
                                           const char *kernel, const struct tandem_range *range,
                                           const struct tandem_scheduling *scheduling,
                                           const struct tandem_argument *arguments, size_t count);
// ---- tasks that are fed by a ring of entries (queue TMDs) ----
// Such a task has no grid: entries that are in its ring, or are appended while it runs, make its CTAs. A CTA takes
// per_cta of them: CTAID_X is the number of its first entry (modulo 2^31), CTAID_Y how many it has, and entry number n
// stands at ring + (n % entries) * entry_bytes. NCTAID is {entries, per_cta, entry_bytes}.
struct tandem_queue {
    tandem_addr ring;      // of entries * entry_bytes bytes, the caller's
    uint32_t entries;      // a power of two, up to 2^24
    uint32_t entry_bytes;  // 1 to 65535
    uint32_t per_cta;      // 1 to 128
    uint32_t waiting;      // fewer than per_cta entries wait this many times 256 cycles for more; 0 to 255
    uint32_t filled;       // entries that are in the ring already, from its start
    bool closed;           // no more will come: the task ends after those
};
// threads: of a CTA. *tmd: where the counters are, valid until the task has ended: OUTER_PUT (word 0: entries appended
// so far, modulo 2^31, the high bit means nothing) and OUTER_GET (word 1: entries whose CTAs have ended).
enum tandem_status tandem_launch_queue(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                       uint32_t threads, const struct tandem_queue *queue,
                                       const struct tandem_scheduling *scheduling,
                                       const struct tandem_argument *arguments, size_t count, tandem_addr *tmd);
// Appends as many of the entries as there is room for; *appended says how many. Only one may append at a time, the CPU
// or a thread.
enum tandem_status tandem_queue_append(struct tandem_device *device, tandem_addr tmd, const struct tandem_queue *queue,
                                       const void *entries, uint32_t count, uint32_t *appended);
// Nothing more will be appended: the task ends when its last entry is done.
enum tandem_status tandem_queue_close(struct tandem_device *device, tandem_addr tmd);
enum tandem_status tandem_space_queue_append(struct tandem_space *space, tandem_addr tmd,
                                             const struct tandem_queue *queue, const void *entries, uint32_t count,
                                             uint32_t *appended);
enum tandem_status tandem_space_queue_close(struct tandem_space *space, tandem_addr tmd);

// Builds the task without launching it, for threads that do: LAUNCH of *tmd >> 8 (register) runs the kernel, in the
// channel and with the program of the launching thread, so the kernel must be of the same module. It may be launched
// again when it has ended. Threads can make copies of it with other arguments (tandem_task_copy of OpenCL C).
// Kernels with local memory: build it after all launches of the channel that need more local
// memory, since threads that run at once must agree about its size. A kernel that adds to a work queue is refused with
// TANDEM_BAD_CODE. The caller gives it back with tandem_free(device, *tmd) when no thread uses it any more.
enum tandem_status tandem_task_build(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                     const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *tmd);
// Launches a task that was built; module: that of its kernel. When it has ended it may be launched again.
enum tandem_status tandem_task_launch(struct tandem_channel *channel, struct tandem_module *module, tandem_addr tmd);

// ---- tasks that wait for the ends of others (TU-15) ----
// Tasks that were built say in memory who waits for their end; the task unit starts each when the last one that it waits
// for has ended, without the CPU. What has been done before the end of one is seen by those that wait for it.
struct tandem_dependence {
    tandem_addr first, then;  // the task at `then` starts when the one at `first` has ended
};
// Says so of all tasks that are named, and of them forgets what was said before: so it is called once for all of their
// dependences, before any of them is launched, and again before they are launched again. Then each of them is launched,
// by tandem_task_launch() or by a thread, all on one channel, in any order. A task may wait for any number of others and any
// number may wait for it; of more than two that wait, tasks without CTAs are made in between, in memory of the channel's
// space. None of the tasks may be running or pending. TANDEM_BAD_ARGUMENT: a task would wait for its own end, or an address is no
// multiple of 256. When one of them faults, or the channel is reset, those that wait for it never start; tandem_finish() does
// not wait for them.
enum tandem_status tandem_task_dependences(struct tandem_channel *channel, const struct tandem_dependence *all,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
