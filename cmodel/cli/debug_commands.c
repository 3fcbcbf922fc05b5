// The commands of `tandem debug`: a table, and those that run or choose something. debug_show.c has those that show.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define WORD_MAX 128u

struct row {
    const char *name, *alias, *arguments, *help;
    enum debug_result (*act)(struct debug_program *program, const char *rest);
};

static enum debug_result wrong(bool fine) {
    return fine ? DEBUG_DONE : DEBUG_WRONG;
}

// The number at the start of the text, with nothing behind it; none: `otherwise`.
static bool count_of(const char *rest, uint64_t otherwise, uint64_t most, uint64_t *count) {
    *count = otherwise;
    if (*rest == '\0') return true;
    if (parse_number(rest, count) && *count >= 1 && *count <= most) return true;
    complain("debug", "%s: not a number from 1 to %" PRIu64, rest, most);
    return false;
}

static enum debug_result go(struct debug_program *program, enum debugger_goal goal, uint64_t times, uint64_t cycles) {
    if (program->over) {
        puts("the program has ended");
        return DEBUG_DONE;
    }
    program->goal = goal;
    program->times = times;
    debugger_go(program->debugger, goal, &program->at, cycles);
    return DEBUG_GO;
}

static enum debug_result act_break(struct debug_program *program, const char *rest) {
    char why[DEBUGGER_TEXT_MAX];
    struct debugger_breakpoint set;
    if (*rest == '\0') {
        complain("debug", "break: where? write LINE, FILE:LINE, NAME or *ADDRESS");
        return DEBUG_WRONG;
    }
    const unsigned number = debugger_break(program->debugger, rest, why, sizeof why);
    if (number == 0) {
        complain("debug", "break %s", why);
        return DEBUG_WRONG;
    }
    (void)debugger_breakpoint_of(program->debugger, number, &set);
    char symbol[128];
    debugger_symbol(program->debugger, set.address, symbol, sizeof symbol);
    printf("breakpoint %u at 0x%x, %s", number, set.address, symbol);
    if (set.line != 0) printf(", line %u", set.line);
    if (set.addresses > 1) printf(", and %zu more", set.addresses - 1);
    putchar('\n');
    return DEBUG_DONE;
}

static enum debug_result act_delete(struct debug_program *program, const char *rest) {
    uint64_t number;
    if (*rest == '\0') {
        debugger_delete_all(program->debugger);
        return DEBUG_DONE;
    }
    if (parse_number(rest, &number) && number <= UINT32_MAX && debugger_delete(program->debugger, (unsigned)number))
        return DEBUG_DONE;
    complain("debug", "delete %s: there is no such breakpoint; info breakpoints lists them", rest);
    return DEBUG_WRONG;
}

static enum debug_result act_continue(struct debug_program *program, const char *rest) {
    uint64_t cycles;
    if (!count_of(rest, UINT64_MAX, UINT64_MAX, &cycles)) return DEBUG_WRONG;
    return go(program, DEBUGGER_CONTINUE, 1, cycles);
}

static enum debug_result step(struct debug_program *program, const char *rest, enum debugger_goal goal) {
    uint64_t times;
    return count_of(rest, 1, UINT32_MAX, &times) ? go(program, goal, times, UINT64_MAX) : DEBUG_WRONG;
}

static enum debug_result act_step(struct debug_program *program, const char *rest) {
    if (program->object->lines != NULL) return step(program, rest, DEBUGGER_LINE);
    complain("debug", "step: the program has no line table; stepi steps by instructions");
    return DEBUG_WRONG;
}

static enum debug_result act_stepi(struct debug_program *program, const char *rest) {
    return step(program, rest, DEBUGGER_INSTRUCTION);
}

static enum debug_result act_stept(struct debug_program *program, const char *rest) {
    return step(program, rest, DEBUGGER_THREAD);
}

static enum debug_result act_warp(struct debug_program *program, const char *rest) {
    const struct ppu_config *config = ppu_get_config(debugger_ppu(program->debugger));
    char word[WORD_MAX], where[1024];
    uint64_t sm = 0, warp = 0;
    if (*rest != '\0') {
        (void)snprintf(word, sizeof word, "%s", rest);
        char *point = strchr(word, '.');
        if (point != NULL) *point = '\0';
        const bool numbers =
            point != NULL ? parse_number(word, &sm) && parse_number(point + 1, &warp) : parse_number(word, &warp);
        if (!numbers) {
            complain("debug", "warp %s: not a warp; write SM.WARP, such as 0.1", rest);
            return DEBUG_WRONG;
        }
        if (sm >= config->sms || warp >= config->warps) {
            complain("debug", "warp %s: the device has %u SMs with %u warps each, numbered from 0", rest, config->sms,
                     config->warps);
            return DEBUG_WRONG;
        }
        program->at.sm = (unsigned)sm;
        program->at.warp = (unsigned)warp;
    }
    debug_where(program, program->at.sm, program->at.warp, where, sizeof where);
    printf("%s\n", where);
    return DEBUG_DONE;
}

static enum debug_result act_thread(struct debug_program *program, const char *rest) {
    const struct ppu_config *config = ppu_get_config(debugger_ppu(program->debugger));
    uint64_t thread;
    if (*rest == '\0') {
        printf("thread %u of warp %u.%u\n", program->at.thread, program->at.sm, program->at.warp);
        return DEBUG_DONE;
    }
    if (!parse_number(rest, &thread) || thread >= config->threads) {
        complain("debug", "thread %s: a warp has threads 0 to %u", rest, config->threads - 1);
        return DEBUG_WRONG;
    }
    program->at.thread = (unsigned)thread;
    return DEBUG_DONE;
}

static enum debug_result act_info(struct debug_program *program, const char *rest) {
    char word[WORD_MAX];
    const size_t length = strcspn(rest, " ");
    (void)snprintf(word, sizeof word, "%.*s", (int)length, rest);
    rest += length;
    return wrong(debug_show(program, word, rest + strspn(rest, " ")));
}

static enum debug_result act_print(struct debug_program *program, const char *rest) {
    return wrong(debug_show_print(program, rest));
}

static enum debug_result act_row(struct debug_program *program, const char *rest) {
    return wrong(debug_show_row(program, rest));
}

static enum debug_result act_locals(struct debug_program *program, const char *rest) {
    return wrong(debug_show_locals(program, rest));
}

static enum debug_result act_registers(struct debug_program *program, const char *rest) {
    return wrong(debug_show_registers(program, rest));
}

static enum debug_result act_memory(struct debug_program *program, const char *rest) {
    return wrong(debug_show_memory(program, rest));
}

static enum debug_result act_code(struct debug_program *program, const char *rest) {
    return wrong(debug_show_code(program, rest));
}

static enum debug_result act_list(struct debug_program *program, const char *rest) {
    return wrong(debug_show_source(program, rest));
}

static enum debug_result act_where(struct debug_program *program, const char *rest) {
    return wrong(debug_show(program, "warp", rest));
}

static enum debug_result act_help(struct debug_program *program, const char *rest) {
    (void)program;
    (void)rest;
    debug_commands_help(stdout);
    return DEBUG_DONE;
}

static enum debug_result act_quit(struct debug_program *program, const char *rest) {
    (void)program;
    (void)rest;
    return DEBUG_QUIT;
}

static const struct row rows[] = {
    {"break", "b", "WHERE", "stop before LINE, FILE:LINE, a kernel or function NAME, *ADDRESS", act_break},
    {"delete", "d", "[N]", "take breakpoint N away, or all", act_delete},
    {"continue", "c", "[CYCLES]", "run until something stops, for at most so many cycles; Ctrl-C interrupts",
     act_continue},
    {"step", "s", "[N]", "run until the warp stands on another source line, N times", act_step},
    {"stepi", "si", "[N]", "run until the warp has executed an instruction, N times", act_stepi},
    {"stept", "st", "[N]", "run until an instruction was executed with the thread active, N times", act_stept},
    {"warp", "w", "[SM.WARP]", "choose a warp, tell where it stands", act_warp},
    {"thread", "t", "[N]", "choose a thread of the warp", act_thread},
    {"where", "bt", "", "the warp: place, masks, what it waits for", act_where},
    {"print", "p", "WHAT", "a variable (x, v.y, p->next, a[3], *p), an argument or a register (R3, P0, S1)", act_print},
    {"row", "rw", "WHAT", "the same of each thread of the warp", act_row},
    {"locals", "lo", "", "variables in scope where the thread stands", act_locals},
    {"registers", "r", "", "registers and predicates of the thread, scalar registers of the warp", act_registers},
    {"memory", "x", "SPACE ADDRESS [WORDS]", "words of global, shared or local memory", act_memory},
    {"disassemble", "dis", "[WORDS]", "instructions around the warp's next one", act_code},
    {"list", "l", "[LINE]", "source lines around the warp's place or LINE", act_list},
    {"info", "i", "WHAT", "", act_info},
    {"help", "h", "", "this list", act_help},
    {"quit", "q", "", "end the program and the debugger", act_quit},
};

void debug_commands_help(FILE *to) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char left[64];
        (void)snprintf(left, sizeof left, "%s, %s %s", rows[k].name, rows[k].alias, rows[k].arguments);
        if (rows[k].help[0] != '\0') fprintf(to, "  %-34s %s\n", left, rows[k].help);
    }
    debug_show_help(to);
}

enum debug_result debug_command(struct debug_program *program, const char *line) {
    char text[1024];
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\r\n");
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length == 0 || *line == '#') return DEBUG_DONE;
    if (length >= sizeof text) {
        complain("debug", "a command of more than %zu characters", sizeof text - 1);
        return DEBUG_WRONG;
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)length, line);
    char *rest = text + strcspn(text, " \t");
    if (*rest != '\0') *rest++ = '\0';
    rest += strspn(rest, " \t");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strcmp(text, rows[k].name) != 0 && strcmp(text, rows[k].alias) != 0) continue;
        if (rows[k].arguments[0] == '\0' && *rest != '\0') {
            complain("debug", "%s: takes nothing, not %s", rows[k].name, rest);
            return DEBUG_WRONG;
        }
        return rows[k].act(program, rest);
    }
    complain("debug", "%s: no such command; help lists them", text);
    return DEBUG_WRONG;
}
