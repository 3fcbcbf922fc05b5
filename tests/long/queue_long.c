// queue-long: a PPU-owned work queue for hundreds of laps, a chain of launches; each piece of work ran once and no
// other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/options.h"
#include "compiler/compiler.h"
#include "compiler/library/work_queue.h"
#include "driver/tandem.h"

static const char help[] =
    "usage: queue-long adders [OPTION]...    threads of many warps add pieces of work to one queue, lap after lap\n"
    "       queue-long chain [OPTION]...     launches, each made by the one before\n"
    "  --device NAME   default tandem:nano; seed=N in it is another timing of the memory\n"
    "  --entries N     of the queue (16)\n"
    "  --mode MODE     adders: what who finds no room does: wait, fail (is told so) or park (the default)\n"
    "  --warps N       adders: warps (64)\n"
    "  --threads N     adders: of each warp (1)\n"
    "  --laps N        adders: how often the queue goes round at least (100)\n"
    "  --length N      chain: launches (1000)\n"
    "  --kernels DIR   where work_queue.cl is (tests/kernels)\n"
    "  --deadline N    give up after N cycles (default 4294967296)\n"
    "With wait and park all of it is one launch of the CPU's. With fail, each launch of the CPU's gets in what finds "
    "room, and there\n"
    "are as many of them as laps. Exit status 0 PASS, 1 FAIL, 2 wrong usage.\n";

enum { PIECES_MOST = 1 << 16, CHAIN_PIECES = 8 };

struct options {
    const char *what, *device, *kernels, *mode;
    uint64_t entries, warps, threads, laps, length, deadline;
};

struct run {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    uint64_t deadline;
    time_t started, shown;
};

static bool good(struct run *r, const char *what, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "queue-long: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(r->device));
    return false;
}

// Every half a minute: where it is.
static void progress(void *context, const struct tandem_statistics *s) {
    struct run *r = context;
    const time_t now = time(NULL);
    if (now - r->shown < 30) return;
    r->shown = now;
    fprintf(stderr, "queue-long: %lld s, %llu cycles, %llu warp instructions\n", (long long)(now - r->started),
            (unsigned long long)s->cycles, (unsigned long long)s->warp_instructions);
}

static bool open_run(struct run *r, const struct options *o, uint32_t pieces) {
    struct compiler_result program;
    char path[1024], message[512] = "";
    *r = (struct run){.deadline = o->deadline, .started = time(NULL), .shown = time(NULL)};
    snprintf(path, sizeof path, "%s/work_queue.cl", o->kernels);
    bool done = compiler_compile_file(path, NULL, &program);
    if (!done) fprintf(stderr, "queue-long: %s\n", program.messages != NULL ? program.messages : "no memory");
    if (done && tandem_open(o->device, &r->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "queue-long: %s\n", message);
        done = false;
    }
    const struct tandem_work_queue queue = {.entries = (uint32_t)o->entries, .pieces = pieces};
    if (done) tandem_set_progress(r->device, progress, r);
    done = done && good(r, "program", tandem_module_load(r->device, program.elf, program.elf_size, &r->module)) &&
           good(r, "channel", tandem_channel_open(r->device, 8, 0, &r->channel)) &&
           good(r, "work queue", tandem_work_queue_open(r->channel, &queue));
    compiler_result_free(&program);
    return done;
}

static bool close_run(struct run *r, struct tandem_statistics *s) {
    bool closed = true;
    if (r->channel != NULL) (void)tandem_channel_close(r->channel);
    if (r->module != NULL) tandem_module_unload(r->module);
    if (r->device != NULL) {
        tandem_get_statistics(r->device, s);
        closed = good(r, "closing", tandem_close(r->device));
    }
    return closed;
}

static bool consistent(struct run *r, struct tandem_work_queue_state *state) {
    if (!good(r, "the last GP_GET", tandem_run(r->device, 1000)) ||
        !good(r, "work queue", tandem_work_queue_state(r->channel, state)))
        return false;
    if (state->consistent) return true;
    fprintf(stderr,
            "queue-long: after %u launches the queue is not ready: GP_GET %u, soft GP_PUT %u, shadow GP_PUT %u, %u "
            "outstanding, parked 0x%x, %u pieces free\n",
            state->launches, state->gp_get, state->soft_put, state->shadow_put, state->outstanding, state->parked,
            state->free);
    return false;
}

// ---- adders ----
struct adders {
    uint32_t total, each, mode;
    tandem_addr done, order, results;
    uint32_t *counts, *answers, *zeros;
};

static bool add(struct run *r, const struct options *o, struct adders *a, uint64_t *in) {
    const struct tandem_range range = {
        .dimensions = 1, .global = {(uint32_t)(o->warps * o->threads)}, .local = {(uint32_t)o->threads}};
    const struct tandem_argument arguments[] = {
        {&a->done, 4}, {&a->order, 4}, {&a->results, 4}, {&a->each, 4}, {&a->mode, 4}};
    const size_t bytes = 4 * (size_t)a->total;
    uint32_t ran = 0, added = 0;
    if (!good(r, "clearing", tandem_write(r->device, a->done, a->zeros, bytes)) ||
        !good(r, "clearing", tandem_write(r->device, a->order, a->zeros, bytes + 4)) ||
        !good(r, "adders", tandem_launch(r->channel, r->module, "adders", &range, arguments, 5)) ||
        !good(r, "adders", tandem_finish(r->channel, r->deadline)) ||
        !good(r, "counts", tandem_read(r->device, a->done, a->counts, bytes)) ||
        !good(r, "answers", tandem_read(r->device, a->results, a->answers, bytes)) ||
        !good(r, "order", tandem_read(r->device, a->order, &ran, 4)))
        return false;
    for (uint32_t k = 0; k < a->total; k++) {
        const uint32_t wanted = a->answers[k] == WORK_OK;
        const bool may_fail = a->mode == WORK_FAIL && (int32_t)a->answers[k] == WORK_FULL;
        if (a->counts[k] != wanted || (wanted == 0 && !may_fail)) {
            fprintf(stderr, "queue-long: piece %u, whose adder was answered %d, ran %u times\n", k, (int)a->answers[k],
                    a->counts[k]);
            return false;
        }
        added += wanted;
    }
    if (ran != added || added == 0 || (a->mode == WORK_FAIL && a->total > o->entries && added == a->total)) {
        fprintf(stderr, "queue-long: %u of %u pieces got in, %u ran\n", added, a->total, ran);
        return false;
    }
    *in += added;
    return true;
}

static bool adders(struct run *r, const struct options *o) {
    const bool fail = strcmp(o->mode, "fail") == 0;
    const uint64_t threads = o->warps * o->threads, entries = o->laps * o->entries;
    struct adders a = {.each = fail ? 1 : (uint32_t)((entries / 2 + threads - 1) / threads)};
    a.mode = fail ? WORK_FAIL : strcmp(o->mode, "wait") == 0 ? WORK_WAIT : WORK_PARK;
    const uint64_t total = threads * a.each;
    uint32_t pieces = 64;
    while (pieces < total && pieces < PIECES_MOST)
        pieces *= 2;
    if (total > pieces || a.each == 0) {
        fprintf(stderr, "queue-long: %llu pieces: there can be 1 to %d\n", (unsigned long long)total, PIECES_MOST);
        return false;
    }
    a.total = (uint32_t)total;
    if (!open_run(r, o, pieces)) return false;
    const size_t bytes = 4 * total;
    a.counts = malloc(bytes);
    a.answers = malloc(bytes);
    a.zeros = calloc(total + 1, 4);
    bool done = a.counts != NULL && a.answers != NULL && a.zeros != NULL &&
                good(r, "memory", tandem_alloc(r->device, bytes, 64, &a.done)) &&
                good(r, "memory", tandem_alloc(r->device, bytes + 4, 64, &a.order)) &&
                good(r, "memory", tandem_alloc(r->device, bytes, 64, &a.results));
    struct tandem_work_queue_state before, after = {0};
    uint64_t in = 0, launches = fail ? o->laps : 1;
    done = done && consistent(r, &before);
    for (uint64_t k = 0; done && k < launches; k++)
        done = add(r, o, &a, &in) && consistent(r, &after);
    free(a.counts);
    free(a.answers);
    free(a.zeros);
    if (!done) return false;
    const double laps = (after.soft_put - before.soft_put) / (double)o->entries;
    printf("%llu pieces by %llu warps, %.1f laps of %llu entries, %s: ", (unsigned long long)in,
           (unsigned long long)o->warps, laps, (unsigned long long)o->entries, o->mode);
    return true;
}

// ---- a chain ----
static bool chain(struct run *r, const struct options *o) {
    const uint32_t left = (uint32_t)o->length;
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    tandem_addr out = 0;
    struct tandem_work_queue_state state;
    uint32_t *words = calloc((size_t)left + 1, 4);
    const size_t bytes = 4 * ((size_t)left + 1);
    const struct tandem_argument arguments[] = {{&out, 4}, {&left, 4}};
    bool done = words != NULL && open_run(r, o, CHAIN_PIECES) &&
                good(r, "memory", tandem_alloc(r->device, bytes, 64, &out)) &&
                good(r, "memory", tandem_write(r->device, out, words, bytes)) &&
                good(r, "chain", tandem_launch(r->channel, r->module, "chain", &one, arguments, 2)) &&
                good(r, "chain", tandem_finish(r->channel, r->deadline)) && consistent(r, &state) &&
                good(r, "words", tandem_read(r->device, out, words, bytes));
    for (uint32_t k = 0; done && k <= left; k++) {
        done = words[k] == k;
        if (!done) fprintf(stderr, "queue-long: link %u left %u\n", k, words[k]);
    }
    free(words);
    if (done) printf("a chain of %u launches in %d pieces of memory: ", left, CHAIN_PIECES);
    return done;
}

// ---- the command line ----
static bool parse(int argc, char **argv, struct options *o) {
    *o = (struct options){.device = "tandem:nano",
                          .kernels = "tests/kernels",
                          .mode = "park",
                          .entries = 16,
                          .warps = 64,
                          .threads = 1,
                          .laps = 100,
                          .length = 1000};
    const struct option_row rows[] = {{"--device", NULL, 0, 0, &o->device},
                                      {"--kernels", NULL, 0, 0, &o->kernels},
                                      {"--mode", NULL, 0, 0, &o->mode},
                                      {"--entries", &o->entries, 0, WORK_ENTRIES_MAX, NULL},
                                      {"--warps", &o->warps, 1, 4096, NULL},
                                      {"--threads", &o->threads, 1, 1024, NULL},
                                      {"--laps", &o->laps, 1, 1000000, NULL},
                                      {"--length", &o->length, 1, 1000000, NULL},
                                      {"--deadline", &o->deadline, 0, UINT64_MAX, NULL}};
    char *others[64];
    int count = 0;
    if (argc > 64 || !options_parse("queue-long", rows, sizeof rows / sizeof rows[0], argc, argv, others, &count))
        return false;
    if (count == 1 && (strcmp(others[0], "adders") == 0 || strcmp(others[0], "chain") == 0)) o->what = others[0];
    if (o->what == NULL) {
        fprintf(stderr, "queue-long: say adders or chain; see queue-long --help\n");
        return false;
    }
    if (strcmp(o->mode, "wait") != 0 && strcmp(o->mode, "fail") != 0 && strcmp(o->mode, "park") != 0) {
        fprintf(stderr, "queue-long: --mode %s: say wait, fail or park\n", o->mode);
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    struct options o;
    struct run r = {0};
    struct tandem_statistics s = {0};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (!parse(argc, argv, &o)) return 2;
    bool done = strcmp(o.what, "chain") == 0 ? chain(&r, &o) : adders(&r, &o);
    done = close_run(&r, &s) && done;
    printf("%s: %s cycles=%llu warp-instructions=%llu mismatches=%llu\n", o.device, done ? "PASS" : "FAIL",
           (unsigned long long)s.cycles, (unsigned long long)s.warp_instructions, (unsigned long long)s.mismatches);
    return done ? 0 : 1;
}
