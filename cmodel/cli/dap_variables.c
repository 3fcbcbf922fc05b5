#include "dap_variables.h"

#include <inttypes.h>
#include <stdio.h>

#include "gen/isa.h"

// A reference: frame, what of it, which thread.
enum part { PART_ARGUMENTS, PART_LOCALS, PART_WARP, PART_TOKENS, PART_THREADS, PART_SCALARS, PART_THREAD, PARTS };
#define THREADS_MAX 64
#define FRAMES_MAX 4096

static int64_t reference_of(int64_t frame, enum part part, unsigned thread) {
    return (frame * PARTS + part) * THREADS_MAX + thread;
}

int64_t dap_frame_of(const struct dap_expanded *expanded, int64_t reference) {
    if (dap_expanded_frame(expanded, reference) != 0) return dap_expanded_frame(expanded, reference);
    const int64_t frame = reference / (PARTS * THREADS_MAX);
    return frame >= 1 && frame <= FRAMES_MAX ? frame : 0;
}

void dap_scopes(const struct debug_program *program, struct json_writer *to, int64_t frame) {
    static const char *const names[] = {
        [PART_ARGUMENTS] = "Arguments", [PART_LOCALS] = "Locals",   [PART_WARP] = "Warp",
        [PART_TOKENS] = "Token deque",  [PART_THREADS] = "Threads", [PART_SCALARS] = "Scalar registers"};
    for (unsigned part = 0; part < PART_THREAD; part++) {
        if (part == PART_LOCALS && program->variables == NULL) continue;
        json_open(to, NULL, false);
        json_add_text(to, "name", names[part]);
        json_add_number(to, "variablesReference", reference_of(frame, (enum part)part, 0));
        json_add_truth(to, "expensive", part >= PART_THREADS);
        json_close(to, false);
    }
}

static void add(struct json_writer *to, const char *name, const char *value, int64_t reference) {
    json_open(to, NULL, false);
    json_add_text(to, "name", name);
    json_add_text(to, "value", value);
    json_add_number(to, "variablesReference", reference);
    json_close(to, false);
}

static void add_value(struct debug_program *program, struct json_writer *to, const char *name) {
    char value[512];
    if (debug_value(program, name, value, sizeof value)) add(to, name, value, 0);
}

static void add_numbered(struct debug_program *program, struct json_writer *to, char letter, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%c%u", letter, n);
        add_value(program, to, name);
    }
}

static const char *kind_name(unsigned kind) {
    return kind < 16 && isa_kind_names[kind] != NULL ? isa_kind_names[kind] : "?";
}

static void add_warp(struct json_writer *to, const struct warp_look *warp) {
    char text[LOOK_WHY_MAX];
    add(to, "state", warp->state, 0);
    add(to, "waits for", warp->why[0] != '\0' ? warp->why : "nothing, it can go on", 0);
    (void)snprintf(text, sizeof text, "(%u,%u,%u)", warp->cta[0], warp->cta[1], warp->cta[2]);
    add(to, "group", text, 0);
    for (unsigned kind = 0; kind < 16; kind++) {
        char name[32];
        if (kind != 0 && warp->reason[kind] == 0) continue;
        (void)snprintf(name, sizeof name, "%s%s", kind == 0 ? "active" : "off for ", kind == 0 ? "" : kind_name(kind));
        (void)snprintf(text, sizeof text, "0x%016" PRIx64, warp->reason[kind]);
        add(to, name, text, 0);
    }
}

static void add_tokens(struct debug_program *program, struct json_writer *to) {
    struct token_look token;
    for (unsigned n = 0; ppu_look_token(debugger_ppu(program->debugger), program->at.sm, program->at.warp, n, &token);
         n++) {
        char name[16], text[96];
        (void)snprintf(name, sizeof name, "%u", n);
        (void)snprintf(text, sizeof text, "%s mask 0x%016" PRIx64 " at 0x%x, line %u", kind_name(token.kind),
                       token.mask, 8 * token.addr, debugger_line(program->debugger, 8 * token.addr));
        add(to, name, text, 0);
    }
}

static void add_threads(struct json_writer *to, const struct warp_look *warp, int64_t frame) {
    for (unsigned t = 0; t < warp->threads && t < THREADS_MAX; t++) {
        char name[32], text[32];
        unsigned kind = 0;
        while (kind < 15 && (warp->reason[kind] >> t & 1u) == 0)
            kind++;
        (void)snprintf(name, sizeof name, "thread %u", t);
        (void)snprintf(text, sizeof text, "%s%s", kind == 0 ? "active" : "off for ", kind == 0 ? "" : kind_name(kind));
        add(to, name, text, reference_of(frame, PART_THREAD, t));
    }
}

static void add_arguments(struct debug_program *program, struct json_writer *to, const struct warp_look *warp) {
    const struct code_kernel *kernel = debugger_kernel(program->debugger, 8 * warp->place.pc);
    for (size_t i = 0; kernel != NULL && i < kernel->argument_count; i++)
        add_value(program, to, kernel->arguments[i].name);
}

void dap_variables(struct debug_program *program, struct dap_expanded *expanded, struct json_writer *to,
                   int64_t reference) {
    if (dap_expanded_frame(expanded, reference) != 0) {
        dap_expanded_add_parts(expanded, program, to, reference);
        return;
    }
    const int64_t frame = dap_frame_of(expanded, reference);
    const enum part part = (enum part)(reference / THREADS_MAX % PARTS);
    const unsigned thread = (unsigned)(reference % THREADS_MAX), usual = program->at.thread;
    struct warp_look warp;
    if (!ppu_look_warp(debugger_ppu(program->debugger), program->at.sm, program->at.warp, &warp)) return;
    switch (part) {
        case PART_ARGUMENTS:
            if (program->variables == NULL) add_arguments(program, to, &warp);
            dap_expanded_add_scope(expanded, program, to, frame, true);
            break;
        case PART_LOCALS: dap_expanded_add_scope(expanded, program, to, frame, false); break;
        case PART_WARP: add_warp(to, &warp); break;
        case PART_TOKENS: add_tokens(program, to); break;
        case PART_THREADS: add_threads(to, &warp, frame); break;
        case PART_SCALARS: add_numbered(program, to, 'S', LOOK_SCALARS); break;
        case PART_THREAD:
            program->at.thread = thread;
            dap_expanded_add_scope(expanded, program, to, frame, false);
            add_numbered(program, to, 'R', warp.registers);
            add_numbered(program, to, 'P', LOOK_PREDICATES);
            program->at.thread = usual;
            break;
        case PARTS: break;
    }
}
