// Address spaces: what one does reaches no other, and what one held is free when it ends.
#include <string.h>

#include "common/seed.h"
#include "gen/methods.h"
#include "gen/registers.h"
#include "space_world.h"
#include "task/tmd.h"

#define UNUSED 0x60000u  // from here on nothing is given out

static bool is_model(const struct space_world *w) {
    struct tandem_info info;
    tandem_get_info(w->device, &info);
    return strcmp(info.backend, "model") == 0;
}

static void apart(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 1);
    uint32_t word = 0;
    tandem_addr at = 0;
    struct tandem_channel *channel = NULL;
    struct tandem_space *none = NULL;
    struct tandem_module *module = NULL;
    // The same address means another word in each.
    must(w.device, TANDEM_OK, tandem_space_write(w.hostile, 0x20000, &(uint32_t){11}, 4));
    must(w.device, TANDEM_OK, tandem_space_write(w.honest, 0x20000, &(uint32_t){22}, 4));
    must(w.device, TANDEM_OK, tandem_write(w.device, 0x20000, &(uint32_t){33}, 4));
    must(w.device, TANDEM_OK, tandem_space_read(w.hostile, 0x20000, &word, 4));
    cr_assert_eq(word, 11);
    must(w.device, TANDEM_OK, tandem_space_read(w.honest, 0x20000, &word, 4));
    cr_assert_eq(word, 22);
    must(w.device, TANDEM_OK, tandem_space_read(tandem_device_space(w.device), 0x20000, &word, 4));
    cr_assert_eq(word, 33);
    // The CPU keeps inside too.
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_space_read(w.hostile, SPACE_BYTES, &word, 4));
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_space_write(w.hostile, SPACE_BYTES - 2, &word, 4));
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_read(w.device, 1u << 20, &word, 4));
    must(w.device, TANDEM_NO_MEMORY, tandem_space_alloc(w.hostile, SPACE_BYTES, 32, &at));
    // A program of one space is none of another.
    const struct tandem_range range = {.dimensions = 1, .global = {32}};
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_launch(w.bad, w.good_module, "work", &range, NULL, 0));
    cr_assert_not_null(strstr(tandem_message(w.device), "another space"));
    // Sizes.
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_space_open(w.device, TANDEM_SPACE_LEAST - 1, &none));
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_space_open(w.device, (4u << 20) + 1, &none));
    must(w.device, TANDEM_NO_MEMORY, tandem_space_open(w.device, 2u << 20, &none));
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_space_close(tandem_device_space(w.device)));
    // Handles of a closed space say so.
    must(w.device, TANDEM_OK, tandem_space_open(w.device, TANDEM_SPACE_LEAST + 1, &none));
    struct tandem_space_info info;
    tandem_space_get_info(none, &info);
    cr_assert_eq(info.bytes, TANDEM_SPACE_LEAST + 4096);
    cr_assert_eq(info.channels, 0);
    must(w.device, TANDEM_OK, tandem_channel_close(w.bad));
    must(w.device, TANDEM_OK, tandem_space_channel_open(none, 8, 0, &channel));
    tandem_space_get_info(none, &info);
    cr_assert_eq(info.channels, 1);
    module = space_assembly(none, w.device, ".kernel k\n.registers 4\n    EXIT\n");
    must(w.device, TANDEM_OK, tandem_space_close(none));
    must(w.device, TANDEM_CLOSED, tandem_wfi(channel));
    must(w.device, TANDEM_CLOSED, tandem_submit(channel));
    must(w.device, TANDEM_CLOSED, tandem_finish(channel, 0));
    must(w.device, TANDEM_CLOSED, tandem_channel_reset(channel));
    must(w.device, TANDEM_CLOSED, tandem_launch(channel, module, "k", &range, NULL, 0));
    must(w.device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    must(w.device, TANDEM_OK, tandem_space_channel_open(w.hostile, 8, 0, &w.bad));
    honest_round(&w, false);
    space_world_end(&w);
}
ON_DEVICES(spaces, apart, "SP-1 channels, programs and memory belong to a space; the CPU keeps to it too")

// Every word that there is: the own space from its start to its end, ring, command memory and tasks included, then what
// lies behind; and random words of all 32 bits of address.
static void sweeps(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    // One warp, so that the honest launch finds another, however few there are.
    for (unsigned k = 0; k < laps_from_environment(2); k++) {
        // All but the code first: with it the kernel ends itself.
        const uint32_t own[] = {0xFFFFFFFFu, k % 2 == 0 ? CODE_END : 0, SPACE_BYTES, 4 * 32};
        (void)hostile_launch(&w, "sweep", 32, own, 4);
        for (unsigned i = 0; i < 3; i++)
            honest_round(&w, false);
        hostile_settle(&w, 2000000);
        hostile_renew(&w);
    }
    const uint32_t past[] = {0, SPACE_BYTES - 256, SPACE_BYTES + 256, 4 * 64};
    struct tandem_fault fault;
    must(w.device, TANDEM_OK, hostile_launch(&w, "sweep", 64, past, 4));
    honest_round(&w, false);
    must(w.device, TANDEM_CHANNEL_FAULT, tandem_finish(w.bad, 200000));
    cr_assert(tandem_channel_fault(w.bad, &fault));
    cr_assert_eq(fault.code, FAULT_MEMORY_BOUNDS, "%s", fault.text);
    cr_assert_geq(fault.info, SPACE_BYTES);
    must(w.device, TANDEM_OK, tandem_channel_reset(w.bad));
    for (unsigned k = 0; k < 20; k++) {
        const uint32_t anywhere[] = {space_random(&w), 100, 0, 0};
        (void)hostile_launch(&w, "anywhere", 64, anywhere, 4);
        honest_round(&w, false);
        hostile_settle(&w, 100000);
    }
    space_world_end(&w);
}
ON_DEVICES(spaces, sweeps,
           "SP-1 WQ-4 a hostile kernel writes every word it can reach, rings and tasks too; another space goes on")

// Random words over and over, with tasks pending in memory and children at random places.
static void wild(const char *name, unsigned laps, uint32_t count) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    for (unsigned k = 0; k < laps_from_environment(laps); k++) {
        const char *const kernels[] = {"wild", "wild", "wild", "family"};
        const uint32_t least = k % 3 == 2 ? 0 : CODE_END;  // 0: its own code too
        for (unsigned i = 0; i < 6; i++) {
            const uint32_t mask = space_random(&w) % 2 == 0 ? SPACE_BYTES / 4 - 1 : 0xFFFFFFFFu;
            const char *kernel = kernels[space_random(&w) % 4];
            const uint32_t words[] = {space_random(&w), kernel[0] == 'w' ? count : 4,
                                      kernel[0] == 'w' ? SPACE_BYTES / 4 - 1 : mask, least};
            if (hostile_launch(&w, kernel, 64, words, 4) != TANDEM_OK) break;
        }
        honest_round(&w, true);
        honest_round(&w, true);
        hostile_settle(&w, 60000 + 100ull * count);
        hostile_renew(&w);
    }
    space_world_end(&w);
}

static void wild_some(const char *name) {
    wild(name, strncmp(name, "model", 5) == 0 ? 60 : 6, strncmp(name, "model", 5) == 0 ? 200 : 40);
}
ON_DEVICES(spaces, wild_some, "SP-1 TU-2 random writes over pending tasks, their links and the ring stop nobody else")

// Command blocks and tasks with addresses all over the place.
static uint32_t address(struct space_world *w) {
    switch (space_random(w) % 5) {
        case 0: return space_random(w);
        case 1: return SPACE_BYTES - 64 + 4 * (space_random(w) % 32);
        case 2: return 0u - 4 * (space_random(w) % 64);
        case 3: return SPACE_BYTES * (space_random(w) % 4) + (space_random(w) & 0xFFFC);
        default: return w->scratch + 4 * (space_random(w) % 512);
    }
}

static size_t command(struct space_world *w, uint32_t *to) {
    static const struct {
        uint32_t subchannel, method;
    } methods[] = {{0, HOST_NOP},
                   {0, HOST_WFI},
                   {0, HOST_SET_REFERENCE},
                   {0, HOST_YIELD},
                   {COMPUTE_SUBCHANNEL, COMPUTE_SET_PROGRAM_REGION_B},
                   {COMPUTE_SUBCHANNEL, COMPUTE_SET_SHADER_LOCAL_MEMORY_B},
                   {COMPUTE_SUBCHANNEL, COMPUTE_INVALIDATE_SHADER_CACHES}};
    size_t n = 0;
    switch (space_random(w) % 4) {
        case 0: {  // a semaphore operation anywhere
            to[n++] = DMA_HEADER(DMA_SEC_OP_INC_METHOD, 4, 0, HOST_SEMAPHOREA);
            to[n++] = space_random(w) % 8 == 0 ? space_random(w) : 0;
            to[n++] = address(w);
            to[n++] = space_random(w);
            to[n++] = space_random(w) % 4 == 0 ? space_random(w)
                                               : HOST_SEMAPHORED_OPERATION(1u << space_random(w) % 5) |
                                                     HOST_SEMAPHORED_RELEASE_SIZE(space_random(w) & 1);
            return n;
        }
        case 1: {  // a launch of anything
            to[n++] = DMA_HEADER(DMA_SEC_OP_INC_METHOD, 1, COMPUTE_SUBCHANNEL, COMPUTE_SEND_PCAS_A);
            to[n++] = address(w) >> 8;
            to[n++] = DMA_HEADER(DMA_SEC_OP_INC_METHOD, 1, COMPUTE_SUBCHANNEL, COMPUTE_SEND_SIGNALING_PCAS_B);
            to[n++] = COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE(COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE);
            return n;
        }
        case 2: {
            const unsigned which = space_random(w) % (sizeof methods / sizeof methods[0]);
            to[n++] = DMA_HEADER(DMA_SEC_OP_INC_METHOD, 1, methods[which].subchannel, methods[which].method);
            to[n++] = address(w);
            return n;
        }
        default: to[n++] = space_random(w) % 4 == 0 ? space_random(w) : 0; return n;
    }
}

static void commands(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    const unsigned laps = laps_from_environment(is_model(&w) ? 400 : 40);
    uint32_t block[64];
    for (unsigned k = 0; k < laps; k++) {
        size_t n = 0;
        block[n++] = DMA_HEADER(DMA_SEC_OP_INC_METHOD, 1, COMPUTE_SUBCHANNEL, HOST_SET_OBJECT);
        block[n++] = COMPUTE_CLASS;
        while (n < 56)
            n += command(&w, &block[n]);
        must(w.device, TANDEM_OK, tandem_space_write(w.hostile, w.scratch, block, 4 * n));
        (void)tandem_submit_entry(w.bad, w.scratch, GP_ENTRY1_LENGTH((uint32_t)n));
        if (space_random(&w) % 4 == 0)
            (void)tandem_submit_entry(w.bad, address(&w), GP_ENTRY1_LENGTH(1 + space_random(&w) % 16));
        if (k % 4 == 0) honest_round(&w, true);
        hostile_settle(&w, 3000);
    }
    space_world_end(&w);
}
ON_DEVICES(spaces, commands, "SP-1 WQ-6 command blocks with random addresses of blocks, semaphores, tasks, code")

// A good task with one field wrong: an address past the space is a fault of its name on its channel.
static void tasks(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    const struct {
        enum tmd_field field;
        unsigned index;
        uint32_t value, code;
    } wrong[] = {
        {TMD_RELEASE_ADDRESS_LOWER, 0, SPACE_BYTES, FAULT_SEMAPHORE_ADDRESS},
        {TMD_RELEASE_ADDRESS_UPPER, 0, 1, FAULT_SEMAPHORE_ADDRESS},
        {TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, SPACE_BYTES - 16, FAULT_TMD_CONSTANT_BUFFER},
        {TMD_CONSTANT_BUFFER_ADDR_UPPER, 0, 1, FAULT_TMD_CONSTANT_BUFFER},
        {TMD_PROGRAM_OFFSET, 0, SPACE_BYTES, FAULT_TMD_PROGRAM_OFFSET},
        {TMD_PROGRAM_OFFSET, 0, 0xFFFFFF00u, FAULT_TMD_PROGRAM_OFFSET},
        {TMD_TANDEM_CODE_SIZE, 0, SPACE_BYTES, FAULT_TMD_PROGRAM_OFFSET},
        {TMD_LOCAL_MEMORY_LOW, 0, SPACE_BYTES, FAULT_TMD_LOCAL_MEMORY},
    };
    const uint32_t words[] = {1, 1, SPACE_BYTES / 4 - 1, CODE_END};
    struct tandem_argument arguments[4];
    for (unsigned i = 0; i < 4; i++)
        arguments[i] = (struct tandem_argument){&words[i], 4};
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    for (unsigned k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        tandem_addr at = 0;
        uint32_t tmd[TMD_WORDS];
        must(w.device, TANDEM_OK, tandem_task_build(w.bad, w.bad_module, "wild", &range, NULL, arguments, 4, &at));
        must(w.device, TANDEM_OK, tandem_space_read(w.hostile, at, tmd, sizeof tmd));
        tmd_set(tmd, wrong[k].field, wrong[k].index, wrong[k].value);
        must(w.device, TANDEM_OK, tandem_space_write(w.hostile, at, tmd, sizeof tmd));
        // A good launch in front sets the program region.
        must(w.device, TANDEM_OK, hostile_launch(&w, "wild", 32, words, 4));
        must(w.device, TANDEM_OK, tandem_launch_tmd(w.bad, at));
        must(w.device, TANDEM_OK, tandem_submit(w.bad));
        honest_round(&w, false);
        struct tandem_fault fault;
        must(w.device, TANDEM_CHANNEL_FAULT, tandem_finish(w.bad, 100000));
        cr_assert(tandem_channel_fault(w.bad, &fault));
        cr_assert_eq(fault.code, wrong[k].code, "case %u: %s", k, fault.text);
        must(w.device, TANDEM_OK, tandem_channel_reset(w.bad));
        must(w.device, TANDEM_OK, tandem_space_free(w.hostile, at));
    }
    // The task itself outside.
    must(w.device, TANDEM_OK, tandem_launch_tmd(w.bad, SPACE_BYTES));
    struct tandem_fault fault;
    must(w.device, TANDEM_CHANNEL_FAULT, tandem_finish(w.bad, 100000));
    cr_assert(tandem_channel_fault(w.bad, &fault));
    cr_assert_eq(fault.code, FAULT_TMD_FETCH, "%s", fault.text);
    space_world_end(&w);
}
ON_DEVICES(spaces, tasks, "SP-1 TU-11 each address of a task that leads out of the space is a fault of its name")

// A space that ends, in whatever state, leaves its channel and its memory, which is zero for the next one.
static void ends(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    must(w.device, TANDEM_OK, tandem_channel_close(w.bad));
    const unsigned laps = is_model(&w) ? 60 : 6;
    static uint32_t words[0x8000];
    for (unsigned k = 0; k < laps; k++) {
        struct tandem_space_info info;
        must(w.device, TANDEM_OK, tandem_space_channel_open(w.hostile, 16, 3, &w.bad));
        tandem_space_get_info(w.hostile, &info);
        cr_assert_eq(info.base, (1u << 20) + SPACE_BYTES, "lap %u", k);  // where the one before was
        must(w.device, TANDEM_OK, tandem_space_read(w.hostile, UNUSED, words, sizeof words));
        for (uint32_t i = 0; i < sizeof words / 4; i++)
            cr_assert_eq(words[i], 0, "lap %u: word 0x%x of a new space is 0x%x", k, UNUSED + 4 * i, words[i]);
        const uint32_t nothing[4] = {0}, own[] = {0x5555AAAA, CODE_END, SPACE_BYTES, 4 * 32};
        switch (k % 6) {
            case 0: (void)hostile_launch(&w, "hang", 32, nothing, 4); break;
            case 1:  // all places taken, more pending
                for (unsigned i = 0; i < 12; i++)
                    (void)hostile_launch(&w, "hang", 64, nothing, 4);
                break;
            case 2: (void)hostile_launch(&w, "sweep", 32, own, 4); break;
            case 3: (void)tandem_submit_entry(w.bad, 0, 1); break;  // GPENTRY
            case 4:
                must(w.device, TANDEM_OK, tandem_semaphore_acquire(w.bad, w.scratch, 77));
                must(w.device, TANDEM_OK, tandem_submit(w.bad));
                break;
            default:
                (void)hostile_launch(&w, "hang", 32, nothing, 4);
                must(w.device, TANDEM_OK, tandem_semaphore_acquire(w.bad, w.scratch, 77));
                must(w.device, TANDEM_OK, tandem_submit(w.bad));
        }
        must(w.device, TANDEM_OK, tandem_run(w.device, 3000 + space_random(&w) % 100));
        must(w.device, TANDEM_OK, tandem_space_close(w.hostile));
        must(w.device, TANDEM_CLOSED, tandem_wfi(w.bad));
        must(w.device, TANDEM_OK, tandem_channel_close(w.bad));
        tandem_module_unload(w.bad_module);
        honest_round(&w, false);
        must(w.device, TANDEM_OK, tandem_space_open(w.device, SPACE_BYTES, &w.hostile));
        hostile_load(&w);
    }
    must(w.device, TANDEM_OK, tandem_space_channel_open(w.hostile, 16, 0, &w.bad));
    space_world_end(&w);
}
ON_DEVICES(spaces, ends, "SP-3 a space ends with kernels that hang, faults, waits, and leaves all it had, cleared")

// A channel whose kernel never ends: reset and close end it.
static void hangs(const char *name) {
    struct space_world w;
    space_world_begin(&w, name, 0);
    const uint32_t nothing[4] = {0};
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned i = 0; i < 6; i++)
            must(w.device, TANDEM_OK, hostile_launch(&w, "hang", 32, nothing, 4));
        must(w.device, TANDEM_TIMEOUT, tandem_finish(w.bad, 5000));
        if (k % 2 == 0) {
            must(w.device, TANDEM_OK, tandem_channel_reset(w.bad));
        } else {
            must(w.device, TANDEM_OK, tandem_channel_close(w.bad));
            struct tandem_space_info info;
            tandem_space_get_info(w.hostile, &info);
            cr_assert_eq(info.channels, 0);
            must(w.device, TANDEM_OK, tandem_space_channel_open(w.hostile, 16, 0, &w.bad));
        }
        honest_round(&w, false);
        const uint32_t own[] = {1, CODE_END + 0x20000, CODE_END + 0x20100, 4 * 64};
        must(w.device, TANDEM_OK, hostile_launch(&w, "sweep", 64, own, 4));
        must(w.device, TANDEM_OK, tandem_finish(w.bad, 100000));
    }
    space_world_end(&w);
}
ON_DEVICES(spaces, hangs, "SP-3 reset and close of a channel end a kernel that never would")
