// Every check of a TMD at its bound, on every kind of device: the last value that is good runs, the first that is not
// is refused with its fault and info (rtl/task, Sizes and refusals; cmodel/host/registers.tbl), and of several faults
// the first in the order of rtl/task/tmd_check.sv is told. The numbers come from rtl/configs.tbl, by hand.
#include <string.h>

#include "gen/methods.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 4000000u
#define EXIT_WORD 0x702u  // EXIT, guard PT; the high word is zero

struct bounds {
    const char *name;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_info info;
    uint32_t space;            // bytes of it, from address 0 on
    uint32_t portions, banks;  // of a warp; constant buffers
    tandem_addr tmd_at, code;
    uint32_t local;  // base of local memory of the next launch, 0: none
    uint32_t tmd[TMD_WORDS];
};

static void good(struct bounds *b) {
    static const enum tmd_field ones[] = {
        TMD_QMD_MAJOR_VERSION,     TMD_CTA_RASTER_WIDTH,      TMD_CTA_RASTER_HEIGHT,     TMD_CTA_RASTER_DEPTH,
        TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2, TMD_REGISTER_COUNT};
    memset(b->tmd, 0, sizeof b->tmd);
    for (uint32_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        tmd_set(b->tmd, ones[i], 0, 1);
    tmd_set(b->tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(b->tmd, TMD_PROGRAM_OFFSET, 0, b->code);
    tmd_set(b->tmd, TMD_TANDEM_CODE_SIZE, 0, 8);
    b->local = 0;
}

static void set(struct bounds *b, enum tmd_field field, uint32_t value) {
    tmd_set(b->tmd, field, 0, value);
}

static struct bounds begin(const char *name) {
    const uint32_t code[] = {EXIT_WORD, 0};
    struct bounds b = {.name = name, .device = open_device(name)};
    tandem_get_info(b.device, &b.info);
    struct tandem_space_info space;
    tandem_space_get_info(tandem_device_space(b.device), &space);
    b.space = (uint32_t)space.bytes;
    b.portions = b.info.threads / b.info.lanes;
    b.banks = strstr(name, "full") != NULL ? 8 : 2;
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 8, 0, &b.channel));
    must(b.device, TANDEM_OK, tandem_alloc(b.device, TMD_BYTES, TMD_BYTES, &b.tmd_at));
    b.code = new_words(b.device, 2);
    must(b.device, TANDEM_OK, tandem_write(b.device, b.code, code, sizeof code));
    good(&b);
    return b;
}

static void end(struct bounds *b) {
    must(b->device, TANDEM_OK, tandem_channel_close(b->channel));
    close_device(b->device);
}

// Launches what the TMD says now: it must end so. Then the TMD is the good one again.
static void expect(struct bounds *b, uint32_t code, uint32_t info, const char *what) {
    struct tandem_fault fault = {0};
    must(b->device, TANDEM_OK, tandem_write(b->device, b->tmd_at, b->tmd, sizeof b->tmd));
    must(b->device, TANDEM_OK, tandem_method(b->channel, 1, HOST_SET_OBJECT, 0xA0C0));
    must(b->device, TANDEM_OK, tandem_method(b->channel, 1, COMPUTE_SET_SHADER_LOCAL_MEMORY_B, b->local));
    must(b->device, TANDEM_OK, tandem_launch_tmd(b->channel, b->tmd_at));
    const enum tandem_status status = tandem_finish(b->channel, DEADLINE);
    const bool faulted = tandem_channel_fault(b->channel, &fault);
    cr_expect_eq(status, code != FAULT_NONE ? TANDEM_CHANNEL_FAULT : TANDEM_OK, "%s: %s: %s", b->name, what,
                 fault.text);
    if (code != FAULT_NONE)
        cr_expect(faulted && fault.code == code && fault.info == info,
                  "%s: %s: %s, info 0x%x, expected code %u, info 0x%x", b->name, what, fault.text, fault.info, code,
                  info);
    if (faulted) must(b->device, TANDEM_OK, tandem_channel_reset(b->channel));
    good(b);
}

// ---- versions, kinds, dimensions ----
static void kinds(const char *name) {
    struct bounds b = begin(name);
    expect(&b, FAULT_NONE, 0, "nothing wrong");
    for (uint32_t version = 0; version < 16; version++) {
        set(&b, TMD_QMD_VERSION, version);
        expect(&b, version == 6 ? FAULT_NONE : FAULT_TMD_VERSION, b.tmd_at, "QMD_VERSION");
        set(&b, TMD_QMD_MAJOR_VERSION, version);
        expect(&b, version == 1 ? FAULT_NONE : FAULT_TMD_VERSION, b.tmd_at, "QMD_MAJOR_VERSION");
    }
    for (uint32_t bit = 0; bit < 8; bit++) {
        const uint32_t wavefront = 1u << bit;
        set(&b, TMD_TANDEM_WAVEFRONT, wavefront);
        expect(&b, wavefront == b.info.threads ? FAULT_NONE : FAULT_TMD_KIND, b.tmd_at, "TANDEM_WAVEFRONT");
    }
    for (uint32_t count = 1; count < 32; count = 2 * count + 1) {
        set(&b, TMD_BARRIER_COUNT, count);
        expect(&b, count == 1 ? FAULT_NONE : FAULT_TMD_KIND, b.tmd_at, "BARRIER_COUNT");
    }
    set(&b, TMD_BARRIER_COUNT, 2);
    expect(&b, FAULT_TMD_KIND, b.tmd_at, "BARRIER_COUNT 2");
    static const struct {
        enum tmd_field field;
        uint32_t top;  // the field's highest bit
    } zeros[] = {{TMD_LOCAL_MEMORY_HIGH, 23},
                 {TMD_TANDEM_SUBVECTOR, 3},
                 {TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0},
                 {TMD_CTA_RASTER_WIDTH_RESUME, 31},
                 {TMD_CTA_RASTER_HEIGHT_RESUME, 15},
                 {TMD_CTA_RASTER_DEPTH_RESUME, 15},
                 {TMD_TANDEM_SAVED, 5}};
    for (uint32_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        set(&b, zeros[i].field, 1);
        expect(&b, FAULT_TMD_KIND, b.tmd_at, "a field that must be 0 is 1");
        set(&b, zeros[i].field, 1u << zeros[i].top);
        expect(&b, FAULT_TMD_KIND, b.tmd_at, "a field that must be 0 has its highest bit");
    }
    // A task that steps aside has no shared registers; it needs none to be good.
    set(&b, TMD_TANDEM_SAVE_ENABLE, 1);
    expect(&b, FAULT_NONE, 0, "TANDEM_SAVE_ENABLE");
    set(&b, TMD_TANDEM_SAVE_ENABLE, 1);
    set(&b, TMD_REGISTER_COUNT, 4);
    set(&b, TMD_TANDEM_SHARED_ROWS, 1);
    expect(&b, FAULT_TMD_KIND, b.tmd_at, "TANDEM_SAVE_ENABLE with shared registers");
    set(&b, TMD_SASS_VERSION, 0xFF);
    expect(&b, FAULT_NONE, 0, "SASS_VERSION is not looked at");
    static const enum tmd_field dimensions[] = {TMD_CTA_RASTER_WIDTH,      TMD_CTA_RASTER_HEIGHT,
                                                TMD_CTA_RASTER_DEPTH,      TMD_CTA_THREAD_DIMENSION0,
                                                TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2};
    for (uint32_t i = 0; i < 6; i++) {
        set(&b, dimensions[i], 0);
        expect(&b, FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, b.tmd_at, "a dimension is 0");
        set(&b, dimensions[i], 3);
        expect(&b, FAULT_NONE, 0, "a dimension is 3");
    }
    end(&b);
}
ON_DEVICES(tmd_bounds, kinds, "TU-1 TU-11 versions, kinds and dimensions of a TMD, good and bad")

// ---- what a CTA needs ----
static void needs(const char *name) {
    struct bounds b = begin(name);
    const uint32_t threads = b.info.warps * b.info.threads, shared = b.info.shared_bytes;
    static const enum tmd_field axes[] = {TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1,
                                          TMD_CTA_THREAD_DIMENSION2};
    for (uint32_t axis = 0; axis < 3; axis++) {
        set(&b, axes[axis], threads);
        expect(&b, FAULT_NONE, 0, "as many threads as an SM has");
        set(&b, axes[axis], threads + 1);
        expect(&b, FAULT_TMD_TOTAL_THREADS, threads + 1, "a thread more than an SM has");
        set(&b, axes[axis], threads / 2 + 1);
        set(&b, axes[(axis + 1) % 3], 2);
        expect(&b, FAULT_TMD_TOTAL_THREADS, threads + 2, "two threads more than an SM has");
        set(&b, axes[axis], 0xFFFF);
        set(&b, axes[(axis + 1) % 3], 0xFFFF);
        expect(&b, FAULT_TMD_TOTAL_THREADS, 0xFFFE0001, "a number of threads of 32 bits");
    }
    for (uint32_t z = 2; z < 0x10000; z = z * z) {
        set(&b, axes[0], 0x8000);
        set(&b, axes[1], 0x8000);
        set(&b, axes[2], z);
        expect(&b, FAULT_TMD_TOTAL_THREADS, z == 2 ? 0x80000000 : 0xFFFFFFFF,
               "a number of threads of 31 bits and more");
    }
    set(&b, axes[0], threads / 4);
    set(&b, axes[1], 2);
    set(&b, axes[2], 2);
    expect(&b, FAULT_NONE, 0, "as many threads as an SM has, in three dimensions");
    // Rows: all warps of a CTA, private registers in all portions, shared ones rounded up to whole registers.
    const uint32_t most = b.info.vgpr_rows / (b.info.warps * b.portions);
    const struct {
        uint32_t registers, shared_rows;
        bool fits;
    } rows[] = {{most, 0, true},
                {most + 1, 0, false},
                {most + b.portions - 1, b.portions, true},
                {most + b.portions, b.portions + 1, false},
                {most + b.portions - 1, b.portions + 1, true},
                {most + b.portions, b.portions, false},
                {most, 1, true},
                {most + 1, 2, b.portions > 1},
                {5, 4, true},
                {5, 5, false},
                {5, 6, false},
                {0, 0, false},
                {255, 0, false}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set(&b, TMD_CTA_THREAD_DIMENSION0, threads);
        set(&b, TMD_REGISTER_COUNT, rows[i].registers);
        set(&b, TMD_TANDEM_SHARED_ROWS, rows[i].shared_rows);
        expect(&b, rows[i].fits ? FAULT_NONE : FAULT_TMD_REGISTER_COUNT, rows[i].registers, "registers");
    }
    set(&b, TMD_SHARED_MEMORY_SIZE, shared);
    expect(&b, FAULT_NONE, 0, "all of the shared memory");
    set(&b, TMD_SHARED_MEMORY_SIZE, shared + 1);
    expect(&b, FAULT_TMD_SHARED_MEMORY_SIZE, shared + 1, "a byte more than the shared memory has");
    // Local memory of all threads that the machine can have, from the base on.
    const uint32_t all = b.info.sms * threads, base = b.space - 16 * all;
    const struct {
        uint32_t bytes, base;
        bool fits;
    } local[] = {{16, base, true},      {16, base + 32, false}, {32, base, false},      {32, base - 16 * all, true},
                 {16, 0, false},        {0, 0, true},           {16, base - 16, false}, {16, base - 8, false},
                 {16, base - 32, true}, {8, base - 32, false},  {24, 32, false},        {17, 32, false}};
    for (uint32_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        set(&b, TMD_LOCAL_MEMORY_LOW, local[i].bytes);
        b.local = local[i].base;
        expect(&b, local[i].fits ? FAULT_NONE : FAULT_TMD_LOCAL_MEMORY, local[i].bytes, "local memory");
    }
    end(&b);
}
ON_DEVICES(tmd_bounds, needs, "TU-1 TU-10 TU-11 SV-5 the largest CTA that an SM holds, and the first that it does not")

// ---- what a task reaches ----
static void places(const char *name) {
    struct bounds b = begin(name);
    uint8_t last[TMD_BYTES];
    const uint32_t space = b.space, exit[] = {EXIT_WORD, 0};
    must(b.device, TANDEM_OK, tandem_read(b.device, space - TMD_BYTES, last, sizeof last));
    // The program: the last place of the space.
    must(b.device, TANDEM_OK, tandem_write(b.device, space - 8, exit, sizeof exit));
    must(b.device, TANDEM_OK, tandem_method(b.channel, 1, HOST_SET_OBJECT, 0xA0C0));
    must(b.device, TANDEM_OK, tandem_method(b.channel, 1, COMPUTE_INVALIDATE_SHADER_CACHES, 1));
    const struct {
        uint32_t offset, bytes;
        bool fits;
    } programs[] = {{space - 8, 8, true},   {space - 8, 16, false},         {space, 8, false},
                    {space - 8, 0, false},  {b.code + 4, 8, false},         {b.code, 4, false},
                    {b.code, 12, false},    {b.code, space - b.code, true}, {b.code, space - b.code + 8, false},
                    {0xFFFFFFF8, 8, false}, {b.code, 0xFFFFFFF8, false}};
    for (uint32_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        set(&b, TMD_PROGRAM_OFFSET, programs[i].offset);
        set(&b, TMD_TANDEM_CODE_SIZE, programs[i].bytes);
        expect(&b, programs[i].fits ? FAULT_NONE : FAULT_TMD_PROGRAM_OFFSET, programs[i].offset, "a program");
    }
    // Constant buffers: each bank; of two bad ones the lower is told.
    for (uint32_t bank = 0; bank < 8; bank++) {
        const struct {
            uint32_t address, upper, bytes;
            bool fits;
        } buffers[] = {{space - 64, 0, 64, true}, {space - 64, 0, 65, false}, {space, 0, 0, true},
                       {space, 0, 1, false},      {0, 1, 64, false},          {0xFFFFFFC0, 0, 64, false}};
        for (uint32_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
            const bool fits = bank < b.banks && buffers[i].fits;
            set(&b, TMD_CONSTANT_BUFFER_VALID, 1u << bank);
            tmd_set(b.tmd, TMD_CONSTANT_BUFFER_ADDR_LOWER, bank, buffers[i].address);
            tmd_set(b.tmd, TMD_CONSTANT_BUFFER_ADDR_UPPER, bank, buffers[i].upper);
            tmd_set(b.tmd, TMD_CONSTANT_BUFFER_SIZE, bank, buffers[i].bytes);
            if (i == 4) set(&b, TMD_CONSTANT_BUFFER_VALID, 0xFFu << bank & 0xFFu);
            if (i == 4) tmd_set(b.tmd, TMD_CONSTANT_BUFFER_ADDR_UPPER, 7, 1);
            expect(&b, fits ? FAULT_NONE : FAULT_TMD_CONSTANT_BUFFER, bank, "a constant buffer");
        }
        tmd_set(b.tmd, TMD_CONSTANT_BUFFER_ADDR_UPPER, bank, 0xFF);
        tmd_set(b.tmd, TMD_CONSTANT_BUFFER_SIZE, bank, 0x1FFFF);
        expect(&b, FAULT_NONE, 0, "a constant buffer that is not valid is not looked at");
    }
    // Tasks that wait for this one: their counter goes down by one, in the last place of the space too.
    for (uint32_t i = 0; i < 2; i++) {
        const tandem_addr counter = space - TMD_BYTES + 244;
        write_word(b.device, counter, 5);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_POINTER, i, space / 256 - 1);
        expect(&b, FAULT_NONE, 0, "a dependent task that is not enabled is not looked at");
        cr_expect_eq(read_word(b.device, counter), 5);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_POINTER, i, space / 256 - 1);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, 1);
        expect(&b, FAULT_NONE, 0, "a dependent task");
        cr_expect_eq(read_word(b.device, counter), 4);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_POINTER, i, space / 256);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, 1);
        expect(&b, FAULT_TMD_DEPENDENT_QMD, space, "a dependent task behind the space");
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_POINTER, i, 0x01000002);
        tmd_set(b.tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, 1);
        expect(&b, FAULT_TMD_DEPENDENT_QMD, 0x200, "a dependent task beyond 32 bits");
    }
    must(b.device, TANDEM_OK, tandem_write(b.device, space - TMD_BYTES, last, sizeof last));
    end(&b);
}
ON_DEVICES(tmd_bounds, places,
           "TU-1 TU-11 TU-15 SP-1 program, constant buffers and dependent tasks up to the end of the space")

// ---- releases ----
struct release {
    uint32_t enable, address, upper, format, reduce, one_word;
};

static void set_release(struct bounds *b, uint32_t number, const struct release *release) {
    set(b, number == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1, release->enable);
    tmd_set(b->tmd, TMD_RELEASE_ADDRESS_LOWER, number, release->address);
    tmd_set(b->tmd, TMD_RELEASE_ADDRESS_UPPER, number, release->upper);
    tmd_set(b->tmd, TMD_RELEASE_FORMAT, number, release->format);
    tmd_set(b->tmd, TMD_RELEASE_RED_ENABLE, number, release->reduce);
    tmd_set(b->tmd, TMD_RELEASE_STRUCTURE_SIZE, number, release->one_word);
    tmd_set(b->tmd, TMD_RELEASE_PAYLOAD, number, 0xCAFE0000 + number);
}

static void releases(const char *name) {
    struct bounds b = begin(name);
    const uint32_t space = b.space;
    uint32_t last[4], words[4];
    tandem_addr at = 0;
    must(b.device, TANDEM_OK, tandem_alloc(b.device, 64, 64, &at));
    must(b.device, TANDEM_OK, tandem_read(b.device, space - 16, last, sizeof last));
    for (uint32_t r = 0; r < 2; r++) {
        const struct {
            struct release release;
            uint32_t fault;
        } cases[] = {
            {{0, at + 1, 0, 0, 0, 0}, FAULT_NONE},
            {{0, at, 1, 3, 1, 0}, FAULT_NONE},
            {{1, at, 0, 0, 0, 1}, FAULT_NONE},
            {{1, at, 0, 1, 0, 0}, FAULT_NONE},
            {{1, at, 0, 1, 1, 1}, FAULT_NONE},
            {{1, at, 0, 2, 0, 1}, FAULT_TMD_KIND},
            {{1, at, 0, 3, 0, 1}, FAULT_TMD_KIND},
            {{1, at, 0, 0, 1, 0}, FAULT_TMD_KIND},
            {{1, at + 4, 0, 0, 0, 1}, FAULT_NONE},
            {{1, at + 2, 0, 0, 0, 1}, FAULT_SEMAPHORE},
            {{1, at + 1, 0, 0, 0, 1}, FAULT_SEMAPHORE},
            {{1, at + 8, 0, 0, 0, 0}, FAULT_SEMAPHORE},
            {{1, at + 4, 0, 0, 0, 0}, FAULT_SEMAPHORE},
            {{1, at, 1, 0, 0, 1}, FAULT_SEMAPHORE_ADDRESS},
            {{1, at, 0x80, 0, 0, 1}, FAULT_SEMAPHORE_ADDRESS},
            {{1, space - 4, 0, 0, 0, 1}, FAULT_NONE},
            {{1, space, 0, 0, 0, 1}, FAULT_SEMAPHORE_ADDRESS},
            {{1, space - 16, 0, 0, 0, 0}, FAULT_NONE},
            {{1, space, 0, 0, 0, 0}, FAULT_SEMAPHORE_ADDRESS},
            {{1, 0xFFFFFFFC, 0, 0, 0, 1}, FAULT_SEMAPHORE_ADDRESS},
            {{1, 0xFFFFFFF0, 0, 0, 0, 0}, FAULT_SEMAPHORE_ADDRESS},
        };
        for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const struct release *release = &cases[i].release;
            const uint32_t info = cases[i].fault == FAULT_TMD_KIND ? b.tmd_at : release->address;
            const tandem_addr from = release->address >= space - 16 && release->address < space ? space - 16 : at;
            static const uint32_t before[4] = {1, 2, 3, 4};
            must(b.device, TANDEM_OK, tandem_write(b.device, from, before, sizeof before));
            set_release(&b, r, release);
            expect(&b, cases[i].fault, info, "a release");
            must(b.device, TANDEM_OK, tandem_read(b.device, from, words, sizeof words));
            const bool writes = release->enable != 0 && cases[i].fault == FAULT_NONE;
            for (uint32_t w = 0; w < 4; w++) {
                const bool here = writes && release->address - from <= 4 * w &&
                                  (release->one_word == 0 || release->address - from == 4 * w);
                // The reduction is ADD; the words of a time stamp behind the payload are 0 and the time.
                if (here && release->address - from == 4 * w)
                    cr_expect_eq(words[w], 0xCAFE0000 + r + (release->reduce != 0 ? before[w] : 0), "%s: case %u", name,
                                 i);
                else if (here)
                    cr_expect(w == 1 || w == 3 ? words[w] == 0 : words[w] > before[w], "%s: case %u", name, i);
                else
                    cr_expect_eq(words[w], before[w], "%s: case %u, word %u: 0x%x", name, i, w, words[w]);
            }
        }
    }
    // Both are bad: the first is told.
    set_release(&b, 0, &(struct release){1, at, 1, 0, 0, 1});
    set_release(&b, 1, &(struct release){1, at + 18, 0, 0, 0, 1});
    expect(&b, FAULT_SEMAPHORE_ADDRESS, at, "RELEASE0 before RELEASE1");
    must(b.device, TANDEM_OK, tandem_write(b.device, space - 16, last, sizeof last));
    end(&b);
}
ON_DEVICES(tmd_bounds, releases, "TU-1 TU-11 WQ-7 releases of a task, good and bad, and what they write")

// ---- queues ----
static void queues(const char *name) {
    struct bounds b = begin(name);
    const uint32_t space = b.space;
    const struct {
        uint32_t size, entry, address, upper, get, put, fault, info;
    } cases[] = {
        {4, 16, space - 64, 0, 0, 0, FAULT_NONE, 0},
        {4, 16, space - 63, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_ADDR, space - 63},
        {4, 16, 0, 1, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_ADDR, 0},
        {0x1000000, 0xFFFF, 64, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_ADDR, 64},
        {1, 1, space - 1, 0, 0, 0, FAULT_NONE, 0},
        {4, 0, 0, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_SIZE, 4},
        {3, 1, 0, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_SIZE, 3},
        {6, 1, 0, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_SIZE, 6},
        {0x1000001, 1, 0, 0, 0, 0, FAULT_TMD_CIRCULAR_QUEUE_SIZE, 0x1000001},
        {4, 1, 0, 0, 0, 4, FAULT_NONE, 0},
        {4, 1, 0, 0, 0, 5, FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
        {4, 1, 0, 0, 1, 0, FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
        {4, 1, 0, 0, 0x7FFFFFFE, 2, FAULT_NONE, 0},
        {4, 1, 0, 0, 0x7FFFFFFE, 3, FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
        {4, 1, 0, 0, 0x7FFFFFFF, 0x7FFFFFFE, FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
        {1, 1, 0, 0, 7, 8, FAULT_NONE, 0},
        {1, 1, 0, 0, 7, 9, FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set(&b, TMD_CIRCULAR_QUEUE_SIZE, cases[i].size);
        set(&b, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, cases[i].entry);
        set(&b, TMD_CIRCULAR_QUEUE_ADDR_LOWER, cases[i].address);
        set(&b, TMD_CIRCULAR_QUEUE_ADDR_UPPER, cases[i].upper);
        set(&b, TMD_OUTER_GET, cases[i].get);
        set(&b, TMD_OUTER_PUT, cases[i].put);
        // A queue has no grid: its dimensions are not looked at.
        set(&b, TMD_CTA_RASTER_WIDTH, 0);
        expect(&b, cases[i].fault, cases[i].info, "a queue");
        cr_expect_eq(read_word(b.device, b.tmd_at + 4), cases[i].fault == FAULT_NONE ? cases[i].put : cases[i].get,
                     "%s: OUTER_GET of queue %u", name, i);
    }
    set(&b, TMD_CIRCULAR_QUEUE_SIZE, 4);
    set(&b, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 4);
    set(&b, TMD_TANDEM_SAVE_ENABLE, 1);
    expect(&b, FAULT_TMD_KIND, b.tmd_at, "a queue that steps aside");
    end(&b);
}
ON_DEVICES(tmd_bounds, queues, "TU-7 TU-11 rings and counters of a queue, good and bad")

// ---- of several faults, the first ----
static void spoil(struct bounds *b, uint32_t number, bool queue) {
    switch (number) {
        case 0: set(b, TMD_QMD_VERSION, 7); break;
        case 1: set(b, TMD_LOCAL_MEMORY_HIGH, 1); break;
        case 2: set(b, TMD_CTA_THREAD_DIMENSION2, 0); break;
        case 3: set(b, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, queue ? 0 : 1); break;
        case 4: set(b, TMD_CIRCULAR_QUEUE_ADDR_UPPER, 1); break;
        case 5: set(b, TMD_OUTER_PUT, 9); break;
        case 6: set(b, TMD_CTA_THREAD_DIMENSION0, 0x8000); break;
        case 7: set(b, TMD_REGISTER_COUNT, 0); break;
        case 8: set(b, TMD_SHARED_MEMORY_SIZE, 0x3FFFF); break;
        case 9: set(b, TMD_LOCAL_MEMORY_LOW, 16); break;
        case 10: set(b, TMD_TANDEM_CODE_SIZE, 0); break;
        case 11:
            set(b, TMD_CONSTANT_BUFFER_VALID, 1);
            set(b, TMD_CONSTANT_BUFFER_ADDR_UPPER, 1);
            break;
        case 12: set_release(b, 0, &(struct release){1, 2, 0, 0, 0, 1}); break;
        case 13: set_release(b, 1, &(struct release){1, 0, 1, 0, 0, 1}); break;
        case 14:
            tmd_set(b->tmd, TMD_DEPENDENT_QMD_POINTER, 0, 0x00FFFFFF);
            tmd_set(b->tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 0, 1);
            break;
        default:
            tmd_set(b->tmd, TMD_DEPENDENT_QMD_POINTER, 1, 0x00FFFFFE);
            tmd_set(b->tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, 1, 1);
            break;
    }
}

static void order(const char *name) {
    struct bounds b = begin(name);
    const uint32_t codes[16][2] = {{FAULT_TMD_VERSION, b.tmd_at},
                                   {FAULT_TMD_KIND, b.tmd_at},
                                   {FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, b.tmd_at},
                                   {FAULT_TMD_CIRCULAR_QUEUE_SIZE, 4},
                                   {FAULT_TMD_CIRCULAR_QUEUE_ADDR, 0},
                                   {FAULT_TMD_GET_PUT_TOO_LARGE, b.tmd_at},
                                   {FAULT_TMD_TOTAL_THREADS, 0x8000},
                                   {FAULT_TMD_REGISTER_COUNT, 0},
                                   {FAULT_TMD_SHARED_MEMORY_SIZE, 0x3FFFF},
                                   {FAULT_TMD_LOCAL_MEMORY, 16},
                                   {FAULT_TMD_PROGRAM_OFFSET, b.code},
                                   {FAULT_TMD_CONSTANT_BUFFER, 0},
                                   {FAULT_SEMAPHORE, 2},
                                   {FAULT_SEMAPHORE_ADDRESS, 0},
                                   {FAULT_TMD_DEPENDENT_QMD, 0xFFFFFF00},
                                   {FAULT_TMD_DEPENDENT_QMD, 0xFFFFFE00}};
    for (uint32_t first = 0; first < 16; first++) {
        // This fault and all behind it; this one and the next alone.
        for (uint32_t count = 0; count < 2; count++) {
            set(&b, TMD_CIRCULAR_QUEUE_SIZE, 4);
            set(&b, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 1);
            for (uint32_t k = count == 0 ? 15 : first + 1 < 16 ? first + 1 : first;; k--) {
                spoil(&b, k, true);
                if (k == first) break;
            }
            expect(&b, codes[first][0], codes[first][1], "the first of several faults");
        }
    }
    end(&b);
}
ON_DEVICES(tmd_bounds, order, "TU-11 of several faults of a TMD the first check's is told")
