// Inside the driver: the structs behind the handles of tandem.h.
#ifndef TANDEM_DRIVER_INTERNAL_H
#define TANDEM_DRIVER_INTERNAL_H

#include "backend.h"
#include "heap.h"
#include "isa/code_object.h"
#include "tandem.h"

#define DRIVER_MESSAGE_SIZE 1024u
// Code has a part of device memory to itself, so that data never comes between programs.
#define DRIVER_CODE_LIMIT (8u << 20)
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
    double seconds;
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
    tandem_addr text, rodata;
};

// Leaves the message and returns the status.
enum tandem_status driver_fail(struct tandem_device *device, enum tandem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// TANDEM_CLOSED when the device has been closed, TANDEM_MISMATCH when model and RTL have parted, else TANDEM_OK.
enum tandem_status driver_check(struct tandem_device *device);
void driver_release(struct tandem_device *device);

// Token deques that stand at a bound: the driver says that it serves them; serves those that wait (true: there were
// any).
void driver_open_deques(struct tandem_device *device);
bool driver_serve_deques(struct tandem_device *device);

// BACKEND:[CONFIG][,key=value].. to options. False with one line in message.
bool device_name_parse(const char *name, const struct backend_ops **ops, struct backend_options *options, char *message,
                       size_t message_size);

// Command words; the open block grows as needed up to the arena's size.
enum tandem_status command_words(struct tandem_channel *channel, const uint32_t *words, size_t count);
// Object and instruction caches are as a launch needs them; the program region is `region`.
enum tandem_status channel_prepare(struct tandem_channel *channel);
enum tandem_status channel_set_region(struct tandem_channel *channel, tandem_addr region);
uint32_t channel_register(const struct tandem_channel *channel, uint32_t offset);
void channel_reap_launches(struct tandem_channel *channel, bool all);
// Sees to it that the channel's threads have the local memory that the kernel needs; *bytes: what its TMD must say.
enum tandem_status channel_set_local(struct tandem_channel *channel, const struct code_kernel *kernel, uint32_t *bytes);
// Gives back the pieces of before; all: the one in use too.
void channel_drop_local(struct tandem_channel *channel, bool all);
// Where the channel stands, in words, for messages.
void channel_describe(struct tandem_channel *channel, char *to, size_t size);

#endif
