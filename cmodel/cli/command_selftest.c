// tandem selftest: small programs with known results, a line each. Together they use what a board has: lanes, divergence, shared memory and barriers,
// atomics, bytes in memory, several launches at once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "driver/tandem.h"
#include "isa/assembler.h"

#define THREADS 96u
#define CTA 32u
#define WORDS 128u
#define DEADLINE 100000000u

// Each thread knows its number i in R0 and the address of its word in R3, of word 0 in R2; what it leaves in R4 is stored there.
#define BEGIN                   \
    ".kernel main\n"            \
    ".registers 16\n"           \
    ".shared_bytes 128\n"       \
    ".arg global out\n"         \
    "    S2R R1, SR_CTAID_X\n"  \
    "    SHL R1, R1, 5\n"       \
    "    S2R R0, SR_TID_X\n"    \
    "    IADD R0, R0, R1\n"     \
    "    LDC.32 R2, c[0][64]\n" \
    "    SHL R3, R0, 2\n"       \
    "    IADD R3, R3, R2\n"
#define END                 \
    "    STG.32 [R3], R4\n" \
    "    EXIT\n"

static uint32_t arithmetic(uint32_t i) {
    uint32_t x = i * 2654435761u + 12345u;
    x ^= x >> 7;
    return x - i;
}

static uint32_t divergence(uint32_t i) {
    uint32_t n = i + 1, count = 0;
    for (; n != 1; count++)
        n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    return count;
}

static uint32_t shared_memory(uint32_t i) {
    return 3 * (i ^ 31u);
}

static uint32_t atomics(uint32_t i) {
    return i == 0 ? THREADS * (THREADS - 1) / 2 : 0;
}

static uint32_t bytes(uint32_t i) {
    return (i & 0xFFu) * 0x01010101u;
}

static uint32_t floats(uint32_t i) {
    const float f = (float)i * 0.5f + 3.25f;
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

static const struct program {
    const char *name, *text;
    uint32_t (*expected)(uint32_t i);
    unsigned launches;  // one behind the other, without a wait
} programs[] = {
    {"arithmetic",
     BEGIN "    MOV R5, 0x9E3779B1\n"
           "    IMUL R4, R0, R5\n"
           "    IADD R4, R4, 12345\n"
           "    SHR R5, R4, 7\n"
           "    XOR R4, R4, R5\n"
           "    ISUB R4, R4, R0\n" END,
     arithmetic, 1},
    {"floating point",
     BEGIN "    I2F.RTE R5, R0\n"
           "    MOV R6, 0x3F000000\n"
           "    MOV R7, 0x40500000\n"
           "    FFMA R4, R5, R6, R7\n" END,
     floats, 1},
    {"divergence",
     BEGIN "    IADD R5, R0, 1\n"
           "    MOV R4, 0\n"
           "round:\n"
           "    ISETP.EQ P0, R5, 1\n"
           "    @P0 BRA done\n"
           "    IADD R4, R4, 1\n"
           "    AND R6, R5, 1\n"
           "    ISETP.NE P1, R6, 0\n"
           "    @P1 BRA odd\n"
           "    SHR R5, R5, 1\n"
           "    BRA round\n"
           "odd:\n"
           "    IMUL R5, R5, 3\n"
           "    IADD R5, R5, 1\n"
           "    BRA round\n"
           "done:\n" END,
     divergence, 1},
    {"shared memory",
     BEGIN "    S2R R5, SR_TID_X\n"
           "    SHL R6, R5, 2\n"
           "    IMUL R7, R0, 3\n"
           "    STS.32 [R6], R7\n"
           "    BAR\n"
           "    XOR R6, R6, 124\n"
           "    LDS.32 R4, [R6]\n" END,
     shared_memory, 1},
    {"atomics",
     BEGIN "    ATOMG.ADD RZ, [R2], R0\n"
           "    EXIT\n",
     atomics, 1},
    {"bytes in memory",
     BEGIN "    STG.U8 [R3 + 1], R0\n"
           "    STG.U8 [R3 + 3], R0\n"
           "    STG.U8 [R3 + 0], R0\n"
           "    MEMBAR\n"
           "    LDG.32 R4, [R3]\n"
           "    SHL R5, R0, 16\n"
           "    OR R4, R4, R5\n" END,
     bytes, 1},
    {"many launches",
     BEGIN "    MOV R4, 7\n"
           "    ATOMG.ADD RZ, [R3], R4\n"
           "    EXIT\n",
     NULL, 8},
};
#define PROGRAMS (sizeof programs / sizeof programs[0])

static uint32_t expected_of(const struct program *program, uint32_t i) {
    return program->expected != NULL ? program->expected(i) : 7u * program->launches;
}

static void help(FILE *to) {
    fputs(
        "usage: tandem selftest DEVICE\n"
        "Runs small programs with known results, each a line. DEVICE is a board (uart:PORT[,baud=N],\n"
        "etherbone:HOST[:PORT]) or any other device. The PPU is reset before.\n",
        to);
}

static enum tandem_status load(struct tandem_device *device, const char *text, struct tandem_module **module) {
    struct code_object object;
    char why[512] = "";
    void *elf = NULL;
    size_t size = 0;
    enum tandem_status status = TANDEM_BAD_CODE;
    if (!assemble(text, strlen(text), "selftest", &object, why, sizeof why)) {
        complain("selftest", "%s", why);
        return status;
    }
    if (code_object_write(&object, &elf, &size, why, sizeof why))
        status = tandem_module_load(device, elf, size, module);
    else
        complain("selftest", "%s", why);
    free(elf);
    code_object_free(&object);
    return status;
}

static enum tandem_status run(struct tandem_device *device, const struct program *program, uint32_t words[WORDS]) {
    const struct tandem_range range = {.dimensions = 1, .global = {THREADS, 1, 1}, .local = {CTA, 1, 1}};
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    tandem_addr out = 0;
    memset(words, 0, WORDS * sizeof *words);
    enum tandem_status status = load(device, program->text, &module);
    if (status == TANDEM_OK) status = tandem_channel_open(device, 16, 0, &channel);
    if (status == TANDEM_OK) status = tandem_alloc(device, WORDS * sizeof *words, 64, &out);
    if (status == TANDEM_OK) status = tandem_write(device, out, words, WORDS * sizeof *words);
    for (unsigned n = 0; status == TANDEM_OK && n < program->launches; n++) {
        const struct tandem_argument argument = {&out, sizeof out};
        status = tandem_launch(channel, module, "main", &range, &argument, 1);
    }
    if (status == TANDEM_OK) status = tandem_finish(channel, DEADLINE);
    if (status == TANDEM_OK) status = tandem_read(device, out, words, WORDS * sizeof *words);
    const enum tandem_status closed = channel != NULL ? tandem_channel_close(channel) : TANDEM_OK;
    if (module != NULL) tandem_module_unload(module);
    if (out != 0 && status == TANDEM_OK) status = tandem_free(device, out);
    return status == TANDEM_OK ? closed : status;
}

// What came out of a program, as a line. False: it was not right.
static bool judge(const struct program *program, const uint32_t words[WORDS]) {
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t expected = i < THREADS ? expected_of(program, i) : 0;
        if (words[i] == expected) continue;
        printf("%-16s wrong: word %u is 0x%08x, expected 0x%08x\n", program->name, i, words[i], expected);
        return false;
    }
    printf("%-16s right\n", program->name);
    return true;
}

static int test(struct tandem_device *device) {
    unsigned wrong = 0;
    for (size_t p = 0; p < PROGRAMS; p++) {
        uint32_t words[WORDS];
        if (run(device, &programs[p], words) != TANDEM_OK) {
            complain("selftest", "%s: %s", programs[p].name, tandem_message(device));
            return EXIT_FAILED;
        }
        wrong += !judge(&programs[p], words);
        fflush(stdout);
    }
    if (wrong != 0) complain("selftest", "%u of %zu programs were wrong", wrong, PROGRAMS);
    return wrong == 0 ? EXIT_OK : EXIT_FAILED;
}

static int main_selftest(int argc, char **argv) {
    struct tandem_device *device = NULL;
    char message[1024];
    if (argc != 2) return usage_error(&command_selftest, "one device is wanted, as in uart:/dev/ttyUSB0");
    if (tandem_open(argv[1], &device, message, sizeof message) != TANDEM_OK) {
        complain("selftest", "%s", message);
        return EXIT_FAILED;
    }
    const int result = test(device);
    return tandem_close(device) == TANDEM_OK ? result : EXIT_FAILED;
}

const struct command command_selftest = {
    .name = "selftest", .summary = "small programs with known results on a board", .help = help, .main = main_selftest};
