// A program under the debugger: what happens before it, at each stop, and after it.
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

// A signal handler knows nothing but what is global.
static struct debugger *volatile debugged;
static volatile sig_atomic_t terminated;

static void note(int number) {
    struct debugger *debugger = debugged;
    if (number == SIGTERM) terminated = number;
    if (debugger != NULL) debugger_interrupt(debugger);
}

int debug_terminated(void) {
    return terminated;
}

static void listen_to_signals(struct debugger *debugger) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    debugged = debugger;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void read_source(struct debug_program *program) {
    FILE *file = program->object->file != NULL ? fopen(program->object->file, "rb") : NULL;
    size_t size;
    if (file == NULL) return;
    fclose(file);
    program->source = read_file("debug", program->object->file, &size);
}

bool debug_source_line(const struct debug_program *program, uint32_t line, const char **text, size_t *length) {
    const char *at = program->source;
    if (at == NULL || line == 0) return false;
    for (uint32_t n = 1; n < line; n++) {
        at = strchr(at, '\n');
        if (at == NULL || at[1] == '\0') return false;
        at++;
    }
    *text = at;
    *length = strcspn(at, "\r\n");
    return *at != '\0';
}

void debug_where(const struct debug_program *program, unsigned sm, unsigned warp, char *to, size_t size) {
    struct warp_place place;
    char symbol[128];
    if (!ppu_look_place(debugger_ppu(program->debugger), sm, warp, &place)) {
        (void)snprintf(to, size, "warp %u.%u, which does not run", sm, warp);
        return;
    }
    const uint32_t line = debugger_line(program->debugger, 8 * place.pc);
    debugger_symbol(program->debugger, 8 * place.pc, symbol, sizeof symbol);
    int used = snprintf(to, size, "warp %u.%u at 0x%x, %s", sm, warp, 8 * place.pc, symbol);
    if (line == 0 || used < 0 || (size_t)used >= size) return;
    to += used;
    size -= (size_t)used;
    const char *text;
    size_t length;
    used = snprintf(to, size, ", %s:%u", program->object->file != NULL ? program->object->file : "line", line);
    if (used < 0 || (size_t)used >= size || !debug_source_line(program, line, &text, &length)) return;
    (void)snprintf(to + used, size - (size_t)used, "\n%u\t%.*s", line, (int)length, text);
}

// The thread stays if it takes part, else it is the first that does.
void debug_choose(struct debug_program *program, unsigned sm, unsigned warp) {
    struct warp_place place;
    program->at.sm = sm;
    program->at.warp = warp;
    if (!ppu_look_place(debugger_ppu(program->debugger), sm, warp, &place) || place.active == 0) return;
    if ((place.active >> program->at.thread & 1u) == 0) program->at.thread = (unsigned)__builtin_ctzll(place.active);
}

void debug_tell_stop(const struct debug_program *program, const struct debugger_stop *stop) {
    char where[1024];
    struct channel_look channel;
    struct warp_look warp;
    const struct ppu *ppu = debugger_ppu(program->debugger);
    switch (stop->event) {
        case DEBUGGER_BREAKPOINT: printf("breakpoint %u: ", stop->breakpoint); break;
        case DEBUGGER_INTERRUPTED: printf("interrupted: "); break;
        case DEBUGGER_LIMIT: printf("%" PRIu64 " cycles have passed: ", stop->cycles); break;
        case DEBUGGER_WARP_ENDED: printf("ended: "); break;
        case DEBUGGER_STANDS: printf("no warp has executed anything for long: "); break;
        case DEBUGGER_FAULT:
            if (ppu_look_warp(ppu, stop->sm, stop->warp, &warp) &&
                ppu_look_channel(ppu, warp.place.channel, &channel) && channel.code != 0) {
                printf("fault %s, info 0x%08x: ", debugger_fault_name(channel.code), channel.info);
            } else {
                printf("fault: ");
            }
            break;
        case DEBUGGER_STEPPED: break;
    }
    debug_where(program, stop->sm, stop->warp, where, sizeof where);
    puts(where);
}

// ---- what the run calls
void debug_leave(struct debug_program *program) {
    program->watch.left = true;
    debugger_go(program->debugger, DEBUGGER_LEAVE, &program->at, 0);
}

static void stopped(void *context, const struct debugger_stop *stop) {
    struct debug_program *program = context;
    debug_choose(program, stop->sm, stop->warp);
    if (!terminated && stop->event == DEBUGGER_STEPPED && program->times > 1) {
        program->times--;
        debugger_go(program->debugger, program->goal, &program->at, UINT64_MAX);
        return;
    }
    debug_tell_stop(program, stop);
    if (debug_converse(program) != DEBUG_GO) debug_leave(program);
}

bool debug_open(struct debug_program *program, struct tandem_device *device, const struct code_object *object,
                void (*stopped)(void *context, const struct debugger_stop *stop), void *context) {
    char why[DEBUGGER_TEXT_MAX];
    program->object = object;
    const struct debugger_options options = {
        .device = device, .object = object, .stopped = stopped, .context = context};
    program->debugger = debugger_create(&options, why, sizeof why);
    if (program->debugger == NULL) {
        complain("debug", "%s: %s", program->run.device, why);
        return false;
    }
    listen_to_signals(program->debugger);
    program->variables = variables_open(program->debugger, object, why, sizeof why);
    read_source(program);
    return true;
}

static bool begin(void *context, struct tandem_device *device, const struct code_object *object) {
    struct debug_program *program = context;
    if (!debug_open(program, device, object, stopped, program)) return false;
    if (debug_converse(program) == DEBUG_GO) return true;
    program->watch.left = true;
    return false;
}

void debug_shut(struct debug_program *program) {
    debugged = NULL;
    variables_close(program->variables);
    program->variables = NULL;
    debugger_destroy(program->debugger);
    program->debugger = NULL;
    program->object = NULL;
    free(program->source);
    program->source = NULL;
}

static void end(void *context, bool good) {
    struct debug_program *program = context;
    if (program->debugger == NULL) return;
    program->over = true;
    if (!program->watch.left) {
        puts(good ? "the program has ended" : "the program has failed");
        while (debug_converse(program) == DEBUG_GO)
            continue;
    }
    debug_shut(program);
}

void debug_watch(struct debug_program *program) {
    program->watch = (struct run_watch){.context = program, .begin = begin, .end = end};
}
