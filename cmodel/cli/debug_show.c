// What `tandem debug` shows: warps, threads, registers, tokens, channels, memory, code, source.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "gen/isa.h"
#include "isa/disassembler.h"

#define WORDS_MAX 4096u

static const struct ppu *ppu_of(const struct debug_program *program) {
    return debugger_ppu(program->debugger);
}

// The chosen warp, which must run.
static bool look(const struct debug_program *program, struct warp_look *warp) {
    if (ppu_look_warp(ppu_of(program), program->at.sm, program->at.warp, warp)) return true;
    complain("debug", "warp %u.%u does not run; info warps lists those that do, continue or stepi goes on",
             program->at.sm, program->at.warp);
    return false;
}

static const char *kind_name(unsigned kind) {
    return kind < 16 && isa_kind_names[kind] != NULL ? isa_kind_names[kind] : "?";
}

static const char *waits(const struct warp_look *warp) {
    return warp->why[0] != '\0' ? warp->why : "nothing, it can go on";
}

static void show_reasons(const struct warp_look *warp, const char *before) {
    printf("%sactive 0x%016" PRIx64 "\n", before, warp->reason[0]);
    for (unsigned kind = 1; kind < 16; kind++)
        if (warp->reason[kind] != 0)
            printf("%soff for %-7s 0x%016" PRIx64 "\n", before, kind_name(kind), warp->reason[kind]);
}

// ---- info
static bool show_breakpoints(struct debug_program *program) {
    struct debugger_breakpoint at;
    bool any = false;
    for (unsigned n = 1; n <= DEBUGGER_BREAKPOINTS_MAX; n++) {
        if (!debugger_breakpoint_of(program->debugger, n, &at)) continue;
        printf("%u: %s at 0x%x, %zu addresses, hit %" PRIu64 " times\n", n, at.where, at.address, at.addresses,
               at.hits);
        any = true;
    }
    if (!any) puts("no breakpoints");
    return true;
}

static bool show_warps(struct debug_program *program) {
    const struct ppu_config *config = ppu_get_config(ppu_of(program));
    bool any = false;
    for (unsigned sm = 0; sm < config->sms; sm++) {
        for (unsigned w = 0; w < config->warps; w++) {
            struct warp_look warp;
            char symbol[128];
            if (!ppu_look_warp(ppu_of(program), sm, w, &warp)) continue;
            const uint32_t line = debugger_line(program->debugger, 8 * warp.place.pc);
            debugger_symbol(program->debugger, 8 * warp.place.pc, symbol, sizeof symbol);
            printf("%c %u.%u CTA (%u,%u,%u) warp %u of %u at 0x%x, %s",
                   sm == program->at.sm && w == program->at.warp ? '*' : ' ', sm, w, warp.cta[0], warp.cta[1],
                   warp.cta[2], warp.index, warp.warps, 8 * warp.place.pc, symbol);
            if (line != 0) printf(", line %u", line);
            printf(", active 0x%" PRIx64 ", %s; waits for: %s\n", warp.place.active, warp.state, waits(&warp));
            any = true;
        }
    }
    if (!any) puts("no warp runs");
    return true;
}

static bool show_ctas(struct debug_program *program) {
    const struct ppu_config *config = ppu_get_config(ppu_of(program));
    bool any = false;
    for (unsigned sm = 0; sm < config->sms; sm++) {
        for (unsigned w = 0; w < config->warps; w++) {
            struct warp_look warp, other;
            if (!ppu_look_warp(ppu_of(program), sm, w, &warp)) continue;
            bool first = true;
            for (unsigned before = 0; before < w; before++)
                first = first && !(ppu_look_warp(ppu_of(program), sm, before, &other) && other.group == warp.group);
            if (!first) continue;
            printf("  SM %u CTA (%u,%u,%u) of (%u,%u,%u), %ux%ux%u threads, task slot %u, channel %u: warps", sm,
                   warp.cta[0], warp.cta[1], warp.cta[2], warp.grid[0], warp.grid[1], warp.grid[2], warp.ntid[0],
                   warp.ntid[1], warp.ntid[2], warp.place.slot, warp.place.channel);
            for (unsigned all = w; all < config->warps; all++)
                if (ppu_look_warp(ppu_of(program), sm, all, &other) && other.group == warp.group)
                    printf(" %u.%u", sm, all);
            putchar('\n');
            any = true;
        }
    }
    if (!any) puts("no CTA runs");
    return true;
}

static bool show_warp(struct debug_program *program) {
    struct warp_look warp;
    char where[1024];
    if (!look(program, &warp)) return false;
    debug_where(program, program->at.sm, program->at.warp, where, sizeof where);
    printf("%s\n  CTA (%u,%u,%u), warp %u of %u; %s; last issued at 0x%x\n  waits for: %s\n", where, warp.cta[0],
           warp.cta[1], warp.cta[2], warp.index, warp.warps, warp.state, 8 * warp.last_pc, waits(&warp));
    show_reasons(&warp, "  ");
    return true;
}

static bool show_threads(struct debug_program *program) {
    struct warp_look warp;
    if (!look(program, &warp)) return false;
    for (unsigned t = 0; t < warp.threads; t++) {
        unsigned kind = 0;
        while (kind < 15 && (warp.reason[kind] >> t & 1u) == 0)
            kind++;
        const unsigned flat = warp.index * warp.threads + t, x = warp.ntid[0], xy = warp.ntid[0] * warp.ntid[1];
        printf("%c thread %2u", t == program->at.thread ? '*' : ' ', t);
        if (kind != KIND_ABSENT && xy != 0) printf(" local id (%u,%u,%u)", flat % x, flat % xy / x, flat / xy);
        printf(" %s%s\n", kind == 0 ? "active" : "off for ", kind == 0 ? "" : kind_name(kind));
    }
    return true;
}

static bool show_tokens(struct debug_program *program) {
    struct warp_look warp;
    struct token_look token;
    if (!look(program, &warp)) return false;
    printf("%u tokens, the front first\n", warp.tokens);
    for (unsigned n = 0; ppu_look_token(ppu_of(program), program->at.sm, program->at.warp, n, &token); n++)
        printf("  %u: %-7s mask 0x%016" PRIx64 " at 0x%x, line %u\n", n, kind_name(token.kind), token.mask,
               8 * token.addr, debugger_line(program->debugger, 8 * token.addr));
    return true;
}

static bool show_channels(struct debug_program *program) {
    struct channel_look at;
    for (unsigned c = 0; ppu_look_channel(ppu_of(program), c, &at); c++) {
        if (!at.enabled && !at.faulted) continue;
        printf("  channel %u: entries %u to %u, %u tasks outstanding; ", c, at.get, at.put, at.tasks);
        if (at.faulted) {
            printf("fault %s, info 0x%08x, at 0x%x\n", debugger_fault_name(at.code), at.info, 8 * at.pc);
        } else if (at.blocked) {
            printf("waits for semaphore 0x%" PRIx64 " to be 0x%x\n", at.blocked_address, at.blocked_payload);
        } else if (at.held) {
            printf("a method waits, for tasks to end or for room in the task unit\n");
        } else {
            printf("waits for %s\n", at.get == at.put ? "entries" : "nothing, it can go on");
        }
    }
    return true;
}

static bool show_arguments(struct debug_program *program) {
    struct warp_look warp;
    if (!look(program, &warp)) return false;
    if (program->variables != NULL) return debug_show_args(program);
    const struct code_kernel *kernel = debugger_kernel(program->debugger, 8 * warp.place.pc);
    for (size_t i = 0; kernel != NULL && i < kernel->argument_count; i++) {
        char value[512];
        if (debug_value(program, kernel->arguments[i].name, value, sizeof value))
            printf("  %s %s = %s\n", kernel->arguments[i].type, kernel->arguments[i].name, value);
    }
    return true;
}

static bool show_locals(struct debug_program *program) {
    return debug_show_locals(program, "");
}

static const struct {
    const char *name, *help;
    bool (*show)(struct debug_program *program);
} shows[] = {
    {"breakpoints", "where, and how often they were hit", show_breakpoints},
    {"warps", "all that run: place, masks, what each waits for", show_warps},
    {"ctas", "CTAs that run, with their warps", show_ctas},
    {"warp", "the chosen warp", show_warp},
    {"threads", "its threads, and why those that are off are", show_threads},
    {"tokens", "its token deque", show_tokens},
    {"arguments", "of its kernel; with -g where the thread stands", show_arguments},
    {"args", "the same", show_arguments},
    {"locals", "variables in scope where the thread stands", show_locals},
    {"channels", "those that are enabled, and what each waits for", show_channels},
};

void debug_show_help(FILE *to) {
    for (size_t k = 0; k < sizeof shows / sizeof *shows; k++) {
        char left[64];
        (void)snprintf(left, sizeof left, "info, i %s", shows[k].name);
        fprintf(to, "  %-34s %s\n", left, shows[k].help);
    }
}

bool debug_show(struct debug_program *program, const char *what, const char *rest) {
    for (size_t k = 0; k < sizeof shows / sizeof *shows; k++) {
        if (strcmp(what, shows[k].name) != 0) continue;
        if (*rest == '\0') return shows[k].show(program);
        complain("debug", "info %s: takes nothing, not %s", what, rest);
        return false;
    }
    complain("debug", "info %s: no such thing; help lists what there is", what);
    return false;
}

// ---- values
static bool argument_value(struct debug_program *program, const struct warp_look *warp, const char *name, char *to,
                           size_t size) {
    const struct code_kernel *kernel = debugger_kernel(program->debugger, 8 * warp->place.pc);
    struct channel_look channel;
    uint8_t bytes[RUN_VALUE_MAX] = {0};
    size_t i = 0;
    while (kernel != NULL && i < kernel->argument_count && strcmp(kernel->arguments[i].name, name) != 0)
        i++;
    if (kernel == NULL || i == kernel->argument_count ||
        !ppu_look_channel(ppu_of(program), warp->place.channel, &channel))
        return false;
    const struct code_argument *argument = &kernel->arguments[i];
    const uint32_t shown = argument->size < sizeof bytes ? argument->size : (uint32_t)sizeof bytes;
    if (!ppu_mem_read(ppu_of(program), (uint64_t)channel.space + warp->constants + argument->offset, bytes, shown))
        return false;
    if (argument->kind != ARG_VALUE) {
        uint32_t address;
        memcpy(&address, bytes, sizeof address);
        (void)snprintf(to, size, "0x%08x", address);
        return true;
    }
    const struct run_element element = run_element_of(argument->type, argument->size);
    size_t used = 0;
    for (uint32_t at = 0; at + element.bytes <= shown && used < size; at += element.bytes) {
        uint64_t value = 0;
        memcpy(&value, bytes + at, element.bytes);
        const unsigned left = 64 - 8 * element.bytes;
        const int64_t number = (int64_t)(value << left) >> left;
        int length;
        if (element.kind == ELEMENT_FLOAT && element.bytes == 4) {
            float real;
            memcpy(&real, bytes + at, sizeof real);
            length = snprintf(to + used, size - used, "%s%.9g", at == 0 ? "" : ", ", (double)real);
        } else if (element.kind == ELEMENT_SIGNED) {
            length = snprintf(to + used, size - used, "%s%" PRId64, at == 0 ? "" : ", ", number);
        } else {
            length = snprintf(to + used, size - used, "%s%" PRIu64, at == 0 ? "" : ", ", value);
        }
        if (length < 0) return false;
        used += (size_t)length;
    }
    return used != 0;
}

bool debug_value(struct debug_program *program, const char *name, char *to, size_t size) {
    struct warp_look warp;
    uint64_t number;
    uint32_t value;
    if (!ppu_look_warp(ppu_of(program), program->at.sm, program->at.warp, &warp)) return false;
    if (argument_value(program, &warp, name, to, size)) return true;
    if (name[0] == '\0' || name[1] < '0' || name[1] > '9' || !parse_number(name + 1, &number) || number > 255)
        return false;
    if (name[0] == 'P' && number < LOOK_PREDICATES) {
        (void)snprintf(to, size, "%u", (unsigned)(warp.predicates[number] >> program->at.thread & 1u));
        return true;
    }
    if (name[0] == 'S' && number < LOOK_SCALARS) {
        value = warp.scalars[number];
    } else if (name[0] != 'R' || !ppu_look_register(ppu_of(program), program->at.sm, program->at.warp,
                                                    program->at.thread, (unsigned)number, &value)) {
        return false;
    }
    float real;
    memcpy(&real, &value, sizeof real);
    (void)snprintf(to, size, "0x%08x %" PRId32 " %.9g", value, (int32_t)value, (double)real);
    return true;
}

bool debug_show_registers(struct debug_program *program, const char *rest) {
    struct warp_look warp;
    (void)rest;
    if (!look(program, &warp)) return false;
    printf("thread %u of warp %u.%u\n", program->at.thread, program->at.sm, program->at.warp);
    for (unsigned r = 0; r < warp.registers; r++) {
        char name[16], value[128];
        (void)snprintf(name, sizeof name, "R%u", r);
        if (debug_value(program, name, value, sizeof value)) printf("  %-4s %s\n", name, value);
    }
    printf("  predicates");
    for (unsigned p = 0; p < LOOK_PREDICATES; p++)
        printf(" P%u=%u", p, (unsigned)(warp.predicates[p] >> program->at.thread & 1u));
    printf("\n  scalars");
    for (unsigned s = 0; s < LOOK_SCALARS; s++)
        if (warp.scalars[s] != 0) printf(" S%u=0x%x", s, warp.scalars[s]);
    putchar('\n');
    return true;
}

// ---- memory
static bool read_space(struct debug_program *program, const char *space, uint32_t address, void *to, uint32_t size) {
    const struct debugger_thread *at = &program->at;
    struct warp_place place;
    struct channel_look channel = {0};
    if (strcmp(space, "shared") == 0) return ppu_look_shared(ppu_of(program), at->sm, at->warp, address, to, size);
    if (strcmp(space, "local") == 0)
        return ppu_look_local(ppu_of(program), at->sm, at->warp, at->thread, address, to, size);
    if (ppu_look_place(ppu_of(program), at->sm, at->warp, &place))
        (void)ppu_look_channel(ppu_of(program), place.channel, &channel);
    return ppu_mem_read(ppu_of(program), (uint64_t)channel.space + address, to, size);
}

bool debug_show_memory(struct debug_program *program, const char *rest) {
    char space[16] = "", address[32] = "", count[32] = "", more[8] = "";
    uint64_t from, words = 1;
    const int parts = sscanf(rest, "%15s %31s %31s %7s", space, address, count, more);
    if (parts < 2 || parts > 3 ||
        (strcmp(space, "global") != 0 && strcmp(space, "shared") != 0 && strcmp(space, "local") != 0)) {
        complain("debug", "memory %s: write memory global, shared or local, an address, perhaps a number of words",
                 rest);
        return false;
    }
    if (!parse_number(address, &from) || from > UINT32_MAX || from % 4 != 0) {
        char name[32], value[512];
        (void)snprintf(name, sizeof name, "%s", address);
        if (!debug_value(program, name, value, sizeof value) || !parse_number(strtok(value, " "), &from) ||
            from % 4 != 0) {
            complain("debug", "memory %s: not an address, a multiple of 4, or the name of a pointer", address);
            return false;
        }
    }
    if (parts == 3 && (!parse_number(count, &words) || words == 0 || words > WORDS_MAX)) {
        complain("debug", "memory: %s is no number of words from 1 to %u", count, WORDS_MAX);
        return false;
    }
    for (uint32_t n = 0; n < words; n++) {
        uint32_t word;
        if (from + 4 * n > UINT32_MAX || !read_space(program, space, (uint32_t)(from + 4 * n), &word, sizeof word)) {
            if (n % 4 != 0) putchar('\n');
            complain("debug", "memory: nothing at 0x%08" PRIx64 " of %s memory%s", from + 4 * n, space,
                     strcmp(space, "global") == 0 ? "" : " of this warp");
            return false;
        }
        if (n % 4 == 0) printf("  0x%08" PRIx64 ":", from + 4 * n);
        printf(" %08x%s", word, n % 4 == 3 || n + 1 == words ? "\n" : "");
    }
    return true;
}

// ---- code and source
bool debug_show_code(struct debug_program *program, const char *rest) {
    struct warp_look warp;
    uint64_t words = 9;
    if (*rest != '\0' && (!parse_number(rest, &words) || words == 0 || words > WORDS_MAX)) {
        complain("debug", "disassemble %s: not a number from 1 to %u", rest, WORDS_MAX);
        return false;
    }
    if (!look(program, &warp)) return false;
    const uint32_t pc = warp.place.pc;
    const size_t first = pc > words / 2 ? pc - words / 2 : 0;
    for (size_t i = first; i < first + words && i < program->object->text_words; i++) {
        char text[DISASSEMBLY_MAX];
        disassemble_instruction(program->object->text[i], text);
        printf("%s 0x%04zx %5u  %s\n", i == pc ? "=>" : "  ", 8 * i,
               debugger_line(program->debugger, (uint32_t)(8 * i)), text);
    }
    return true;
}

bool debug_show_source(struct debug_program *program, const char *rest) {
    uint64_t line = 0;
    struct warp_look warp;
    if (*rest != '\0') {
        if (!parse_number(rest, &line) || line == 0 || line > UINT32_MAX) {
            complain("debug", "list %s: not the number of a line", rest);
            return false;
        }
    } else {
        if (!look(program, &warp)) return false;
        line = debugger_line(program->debugger, 8 * warp.place.pc);
    }
    const uint32_t first = line > 4 ? (uint32_t)line - 4 : 1;
    const char *text;
    size_t length;
    if (!debug_source_line(program, (uint32_t)line, &text, &length)) {
        complain("debug", "list: no line %" PRIu64 " in %s%s", line,
                 program->object->file != NULL ? program->object->file : "a program without source",
                 program->source == NULL ? ", which is not found here" : "");
        return false;
    }
    for (uint32_t n = first; n < first + 9 && debug_source_line(program, n, &text, &length); n++)
        printf("%s%4u  %.*s\n", n == line && *rest == '\0' ? "=>" : "  ", n, (int)length, text);
    return true;
}
