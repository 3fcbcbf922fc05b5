// tandem where: where a board stands, looked at while its clock goes on.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_place.h"
#include "cli.h"
#include "gen/board_map.h"
#include "gen/registers.h"
#include "isa/disassembler.h"
#include "options.h"

// The program that warps are in, when the user says which.
struct program {
    struct code_object object;
    const struct code_kernel *kernel;
};

struct where_options {
    const char *code, *kernel;
};

static const struct option where_options[] = {
    {"--code", "FILE", "the program that runs (.cl, .s, code object): each warp's instruction and source line",
     OPTION_TEXT, offsetof(struct where_options, code), 0, 0, NULL},
    {"--kernel", "NAME", "its kernel that runs, where it has several", OPTION_TEXT,
     offsetof(struct where_options, kernel), 0, 0, NULL},
    {0},
};

static void help(FILE *to) {
    fputs(
        "usage: tandem where BOARD [OPTION]...\n"
        "What each channel of a board (uart:PORT[,baud=N] or etherbone:HOST[:PORT]) does and waits for, and where its\n"
        "warps are. Nothing is stopped or changed, but for which warp the registers show.\n",
        to);
    option_help(where_options, to);
}

static bool channel_word(struct board *board, uint32_t number, uint32_t offset, uint32_t *value) {
    return board_reg_read(board, REG_CHANNEL_BASE + number * REG_CHANNEL_STRIDE + offset, value);
}

static bool print_channel(struct board *board, uint32_t number) {
    uint32_t control, status, code, get, put;
    const uint32_t userd = REG_USERD_BASE + number * REG_USERD_STRIDE;
    if (!channel_word(board, number, CHANNEL_CONTROL, &control) ||
        !channel_word(board, number, CHANNEL_STATUS, &status) ||
        !channel_word(board, number, CHANNEL_FAULT_CODE, &code) || !board_reg_read(board, userd + USERD_GP_GET, &get) ||
        !board_reg_read(board, userd + USERD_GP_PUT, &put))
        return false;
    const uint32_t state = CHANNEL_STATUS_STATE_OF(status);
    printf("channel %u  %s%s, GP_GET %u, GP_PUT %u, %u tasks outstanding", number,
           (control & 1) != 0 ? "" : "not enabled, ", channel_state_name(state), get, put,
           CHANNEL_STATUS_TASKS_OF(status));
    if (state == CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE) {
        uint32_t address, payload;
        if (!channel_word(board, number, CHANNEL_BLOCKED_ADDR, &address) ||
            !channel_word(board, number, CHANNEL_BLOCKED_PAYLOAD, &payload))
            return false;
        printf(", waits for %u at 0x%08x", payload, address);
    }
    if (code != FAULT_NONE) {
        uint32_t info, pc;
        if (!channel_word(board, number, CHANNEL_FAULT_INFO, &info) ||
            !channel_word(board, number, CHANNEL_FAULT_PC, &pc))
            return false;
        printf("; fault %s at pc %u, info 0x%08x: %s", fault_name(code), pc, info, fault_meaning(code));
    }
    putchar('\n');
    return true;
}

// Line `number` of a file, without blanks around it; NULL: not to be had. The caller frees.
static char *source_line(const char *path, uint32_t number) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    char *line = NULL;
    size_t room = 0;
    uint32_t read = 0;
    while (read < number && getline(&line, &room, file) >= 0)
        read++;
    (void)fclose(file);
    if (read != number || number == 0) {
        free(line);
        return NULL;
    }
    const size_t blanks = strspn(line, " \t");
    size_t length = strlen(line + blanks);
    memmove(line, line + blanks, length + 1);
    while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL)
        line[--length] = 0;
    return line;
}

// The instruction that a warp executes next, and where it comes from.
static void print_instruction(const struct program *program, uint32_t pc) {
    if (pc >= program->kernel->code_size / 8) {
        printf("    pc %u is no instruction of kernel %s, which has %u: another program runs\n", pc,
               program->kernel->name, program->kernel->code_size / 8);
        return;
    }
    const size_t at = program->kernel->entry / 8 + pc;
    char text[DISASSEMBLY_MAX];
    disassemble_instruction(program->object.text[at], text);
    printf("    %s", text);
    if (program->object.lines != NULL && program->object.lines[at] != 0) {
        printf("  // %s:%u", program->object.file, program->object.lines[at]);
        char *line = source_line(program->object.file, program->object.lines[at]);
        if (line != NULL) printf(": %s", line);
        free(line);
    }
    putchar('\n');
}

static bool print_warp(struct board *board, uint32_t sm, uint32_t warp, const struct program *program, unsigned *live) {
    uint32_t word[4];
    if (!board_reg_write(board, REG_WARP_SELECT, REG_WARP_SELECT_SM(sm) | REG_WARP_SELECT_WARP(warp)) ||
        !wire_read(&board->wire, BOARD_BASE_PPU + REG_WARP_PC, word, 4))
        return false;
    const uint32_t state = REG_WARP_STATE_STATE_OF(word[3]);
    if (state == REG_WARP_STATE_STATE_IDLE) return true;
    (*live)++;
    printf("SM %u warp %u  %s, pc %u, active 0x%08x%08x, task slot %u\n", sm, warp, warp_state_name(state), word[0],
           word[2], word[1], REG_WARP_STATE_TASK_SLOT_OF(word[3]));
    if (program->kernel != NULL) print_instruction(program, word[0]);
    return true;
}

static bool print_all(struct board *board, const struct program *program) {
    uint32_t config0, config1, selected;
    if (!board_reg_read(board, REG_CONFIG0, &config0) || !board_reg_read(board, REG_CONFIG1, &config1) ||
        !board_reg_read(board, REG_WARP_SELECT, &selected))
        return false;
    for (uint32_t c = 0; c < REG_CONFIG1_CHANNELS_OF(config1); c++) {
        if (!print_channel(board, c)) return false;
    }
    unsigned live = 0;
    for (uint32_t sm = 0; sm < REG_CONFIG0_SMS_OF(config0); sm++) {
        for (uint32_t warp = 0; warp < REG_CONFIG0_WARPS_OF(config0); warp++) {
            if (!print_warp(board, sm, warp, program, &live)) return false;
        }
    }
    if (live == 0) puts("no warp is resident");
    return board_reg_write(board, REG_WARP_SELECT, selected);
}

// The kernel that is meant. NULL after a complaint.
static const struct code_kernel *choose_kernel(const struct where_options *options, const struct code_object *object) {
    if (options->kernel == NULL && object->kernel_count == 1) return object->kernels;
    const struct code_kernel *kernel = options->kernel != NULL ? code_object_find(object, options->kernel) : NULL;
    if (kernel != NULL) return kernel;
    if (options->kernel != NULL)
        complain("where", "%s: has no kernel %s", options->code, options->kernel);
    else
        complain("where", "%s: has %zu kernels; say with --kernel which one runs", options->code, object->kernel_count);
    return NULL;
}

static int where_main(int argc, char **argv) {
    struct where_options options = {0};
    const char *place = NULL;
    for (int i = 1; i < argc; i++) {
        const struct option *option = option_find(where_options, argv[i]);
        if (option != NULL) {
            const int result = option_set(&command_where, option, argc, argv, &i, &options);
            if (result != EXIT_OK) return result;
        } else if (argv[i][0] == '-') {
            return usage_error(&command_where, "option %s is unknown", argv[i]);
        } else if (place != NULL) {
            return usage_error(&command_where, "one board, not %s and %s", place, argv[i]);
        } else {
            place = argv[i];
        }
    }
    if (place == NULL) return usage_error(&command_where, "one board");
    if (options.kernel != NULL && options.code == NULL)
        return usage_error(&command_where, "--kernel names a kernel of --code FILE");
    struct program program = {0};
    struct board board;
    int result = EXIT_FAILED;
    if (options.code != NULL && !load_program("where", options.code, NULL, &program.object)) return EXIT_FAILED;
    if (options.code != NULL && (program.kernel = choose_kernel(&options, &program.object)) == NULL) {
        code_object_free(&program.object);
        return EXIT_FAILED;
    }
    if (open_board_place("where", place, &board)) {
        result = print_all(&board, &program) ? EXIT_OK : wire_failed("where", &board);
        board_close(&board);
    }
    if (options.code != NULL) code_object_free(&program.object);
    return result;
}

const struct command command_where = {"where", "tell where a board stands, without stopping it", help, where_main};
