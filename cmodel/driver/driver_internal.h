// Inside the driver: the structs behind the handles of tandem.h.
#ifndef TANDEM_DRIVER_INTERNAL_H
#define TANDEM_DRIVER_INTERNAL_H

#include "backend.h"
#include "compiler/library/work_queue.h"
#include "heap.h"
#include "isa/code_object.h"
#include "tandem.h"

#define DRIVER_MESSAGE_SIZE 1024u
// Code has a part of device memory to itself, so that data never comes between programs.
#define DRIVER_CODE_LIMIT (8u << 20)
// From here on addresses stand for local and private memory in the compiler's generic pointers.
#define DRIVER_DATA_END 0xFE000000u
#define DRIVER_DEFAULT_DEADLINE (1ull << 32)

struct tandem_device {
    const struct backend_ops *ops;
    void *backend;  // NULL once closed
    struct backend_options options;
    unsigned references;  // the device itself, its channels and modules
    struct heap code, data;
    uint32_t code_generation;          // goes up with each module loaded: channels then forget cached instructions
    struct tandem_channel **channels;  // config->channels places, NULL: free
    tandem_progress *progress;
    void *progress_context;
    tandem_printf *print;
    void *print_context;
    uint32_t printf_bytes;           // of the buffers of programs to come
    struct tandem_module *printing;  // modules that print
    uint64_t printed, print_dropped;
    double seconds;
    uint64_t link_words, link_transfers;
    uint64_t deques_moved;  // token deques that the driver has moved to the middle
    char message[DRIVER_MESSAGE_SIZE];
};

// A launch whose TMD and constants must stay in memory until the task unit has written its done word.
struct launch {
    struct launch *next;
    tandem_addr block;  // TMD (256 bytes), done word (32), constant buffer 0
};

struct tandem_channel {
    struct tandem_device *device;
    unsigned number;
    uint32_t entries, gp_put;
    tandem_addr ring;
    // Command memory: a circular arena; block_end[i] is where the block of ring entry i ends, so that passing entry i
    // gives it back.
    tandem_addr arena;
    uint32_t arena_size, arena_head, arena_tail;
    uint32_t *block_end;
    uint32_t passed;  // entries before this one have been given back
    uint32_t *words;  // the open command block
    size_t word_count, word_room;
    bool prepared;             // the compute object is set in the channel
    tandem_addr region;        // program region of the channel: absolute jumps count from it
    uint32_t code_generation;  // of the instructions the SMs may have cached
    struct launch *launches;
    struct work_queue_host *work;  // of kernels that make work themselves, NULL: there was none yet
    // Local memory of its threads: where, how much each (0: none), whether the device knows; pieces of before.
    tandem_addr local;
    uint32_t local_bytes;
    bool local_set;
    struct launch *local_retired;
    tandem_addr fence;  // word of tandem_finish
    uint32_t fence_value;
};

struct tandem_module {
    struct tandem_device *device;
    struct code_object object;
    tandem_addr text, rodata, data;
    tandem_addr work_kernels;  // what threads need to launch its kernels, 0: none makes work itself
    tandem_addr work_local;    // local memory of their threads, 0: they need none
    struct {
        struct tandem_module *next;   // of device->printing
        tandem_addr buffer, records;  // 0: it does not print
        uint32_t capacity, read;      // bytes; of those, handed out
        uint32_t dropped;             // of the buffer's count, reported
        bool used;                    // launched since the buffer was begun
    } print;
    uint32_t constants_max;  // the largest constant buffer 0 of its kernels
};

// Leaves the message and returns the status.
enum tandem_status driver_fail(struct tandem_device *device, enum tandem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// TANDEM_CLOSED when the device has been closed, TANDEM_MISMATCH when model and RTL have parted, else TANDEM_OK.
enum tandem_status driver_check(struct tandem_device *device);
void driver_release(struct tandem_device *device);

// ---- printf.c: the buffers of programs that print
enum tandem_status printf_load(struct tandem_module *module);
void printf_unload(struct tandem_module *module);
// Hands out what stands in them.
enum tandem_status driver_print(struct tandem_device *device);
// printf_text.c: malloc'ed text of a record of format `number`, whose arguments begin at words; NULL: memory is short.
char *printf_text(const struct code_object *object, uint32_t number, const uint32_t *words, size_t *size);

// Token deques that stand at a bound: the driver says that it serves them; serves those that wait (true: there were
// any).
void driver_open_deques(struct tandem_device *device);
bool driver_serve_deques(struct tandem_device *device);

// BACKEND:[CONFIG][,key=value].. to options. False with one line in message.
bool device_name_parse(const char *name, const struct backend_ops **ops, struct backend_options *options, char *message,
                       size_t message_size);

// As tandem_channel_open; a PPU-owned one has no command memory and is not enabled yet.
enum tandem_status channel_open(struct tandem_device *device, uint32_t entries, uint32_t priority, bool ppu_owned,
                                struct tandem_channel **channel);
// Command words; the open block grows as needed up to the arena's size.
enum tandem_status command_words(struct tandem_channel *channel, const uint32_t *words, size_t count);
// Object and instruction caches are as a launch needs them; the program region is `region`.
enum tandem_status channel_prepare(struct tandem_channel *channel);
enum tandem_status channel_set_region(struct tandem_channel *channel, tandem_addr region);
uint32_t channel_register(const struct tandem_channel *channel, uint32_t offset);
void channel_reap_launches(struct tandem_channel *channel, bool all);
// tandem_launch_scheduled(); queue: NULL, or the task is fed by it. *tmd: its address.
enum tandem_status launch_task(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                               const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                               const struct tandem_queue *queue, const struct tandem_argument *arguments, size_t count,
                               tandem_addr *tmd);
// Makes the TMD in memory that of a task which is fed by the queue; checks the queue's numbers.
enum tandem_status queue_task_fill(struct tandem_device *device, tandem_addr tmd, const struct tandem_queue *queue);
// The fields of a TMD that are the same in every launch of the kernel.
void launch_fill_program(uint32_t *tmd, const struct tandem_module *module, const struct code_kernel *kernel);
// The most threads a CTA of this kernel can have on this device.
uint32_t launch_threads_limit(const struct tandem_device *device, const struct code_kernel *kernel);

// ---- work_queue.c: the PPU-owned queue of a channel (WQ-10 to WQ-17)
// What threads need to launch the module's kernels; nothing when no kernel makes work itself.
enum tandem_status work_queue_load(struct tandem_module *module);
// A launch of a kernel that makes work itself: the queue is there, and `words` (those of constant buffer 0 from
// LAUNCH_CONSTANT_QUEUE on) and the program region of `task` are filled in.
enum tandem_status work_queue_prepare(struct tandem_channel *channel, const struct tandem_module *module,
                                      tandem_addr task_at, uint32_t words[3], struct work_task *task);
// Behind the launch: WFI; release X; acquire Y.
enum tandem_status work_queue_follow(struct tandem_channel *channel);
// All work that launches of the channel made has ended (true: it has no queue).
bool work_queue_idle(const struct tandem_channel *channel);
unsigned work_queue_channel(const struct tandem_channel *channel);
bool work_queue_fault(struct tandem_channel *channel, struct tandem_fault *fault);
// Threads that wait for room give up, and nothing more is added: before a reset or close of the channel.
void work_queue_stop(struct tandem_channel *channel);
// As it was when it was made: after a reset of the channel.
enum tandem_status work_queue_reset(struct tandem_channel *channel);
void work_queue_close(struct tandem_channel *channel);

// Sees to it that the channel's threads have the local memory that the kernel needs; *bytes: what its TMD must say.
enum tandem_status channel_set_local(struct tandem_channel *channel, const struct code_kernel *kernel, uint32_t *bytes);
// Gives back the pieces of before; all: the one in use too.
void channel_drop_local(struct tandem_channel *channel, bool all);
// Where the channel stands, in words, for messages.
void channel_describe(struct tandem_channel *channel, char *to, size_t size);

#endif
