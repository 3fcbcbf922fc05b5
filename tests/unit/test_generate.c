// scripts/generate.py: malformed tables are refused by file and line, good ones give the same files every time, and
// files that do not change are not touched. Runs in the project's top folder.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PYTHON "python3"

static char folder[] = "/tmp/tandem-generate-XXXXXX";

// Runs a command; output: what it prints, errors too. Returns its exit code.
static int run(const char *command, char *output, size_t size) {
    char line[1000];
    snprintf(line, sizeof line, "exec 2>&1; %s", command);
    FILE *pipe = popen(line, "r");
    cr_assert_not_null(pipe);
    size_t length = fread(output, 1, size - 1, pipe);
    output[length] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_copy(void) {
    char command[600], output[200];
    if (access("scripts/generate.py", R_OK) != 0) cr_skip_test("not started in the project's top folder");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cp --parents cmodel/*/*.tbl cmodel/isa/save_handler.s tb/*.tbl rtl/*.tbl fpga/map.tbl %s", folder);
    cr_assert_eq(run(command, output, sizeof output), 0, "%s", output);
}

static void remove_copy(void) {
    char command[100], output[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    run(command, output, sizeof output);
}

static int generate(char *output, size_t size) {
    char command[300];
    snprintf(command, sizeof command, PYTHON " scripts/generate.py --verbose --root %s --out %s/out", folder, folder);
    return run(command, output, size);
}

TestSuite(generate, .init = make_copy, .fini = remove_copy);

Test(generate, again,
     .description = "a second run writes nothing; a file that was changed is put right, and only that") {
    char output[4000], path[200];
    cr_assert_eq(generate(output, sizeof output), 0, "%s", output);
    cr_expect_not_null(strstr(output, "/out/gen/isa.h\n"), "%s", output);
    cr_assert_eq(generate(output, sizeof output), 0, "%s", output);
    cr_expect_str_eq(output, "");
    snprintf(path, sizeof path, "%s/out/gen/isa.h", folder);
    FILE *file = fopen(path, "a");
    cr_assert_not_null(file);
    fputs("// more\n", file);
    fclose(file);
    cr_assert_eq(generate(output, sizeof output), 0, "%s", output);
    strcat(path, "\n");
    cr_expect_str_eq(output, path);
}

static const struct {
    const char *table, *row, *message;  // row: appended
} bad_rows[] = {
    {"cmodel/isa/isa.tbl", "FOO", "expected 2 columns separated by '|', found 1"},
    {"cmodel/host/registers.tbl", "FOO | 1", "expected 3 columns"},
    {"cmodel/isa/isa.tbl", "[colours]", "unknown table '[colours]'"},
    {"cmodel/isa/isa.tbl", "[cmp]\\nEQ | 9", "EQ or its number stands twice in [cmp]"},
    {"cmodel/isa/isa.tbl", "[cmp]\\nFOO | 16", "number 16 is outside 0..15"},
    {"cmodel/isa/isa.tbl", "[cmp]\\nFOO | x", "number 'x' is not a number"},
    {"cmodel/host/registers.tbl", "FOO | 300 | too large", "code 300 is outside 0..255"},
    {"cmodel/host/registers.tbl", "[global]", "block [global] stands twice"},
    {"cmodel/host/registers.tbl", ". FOO | 0 | | x", "'. FOO' is not a name"},
    {"cmodel/host/registers.tbl", "[bank]", "unknown block '[bank]'"},
    {"cmodel/host/methods.tbl", "FOO | 0x161", "expected 3 columns"},
    {"cmodel/host/methods.tbl", "FOO | 0x1611 | x", "address 0x1611 is not a multiple of 4"},
    {"cmodel/host/methods.tbl", "FOO | 0x80 | x", "address 0x80 is outside 256.."},
    {"cmodel/host/methods.tbl", "FOO | 0x4000 | x", "address 0x4000 is outside"},
    {"cmodel/host/methods.tbl", "FOO | - | x", "a method has a byte address"},
    {"cmodel/host/methods.tbl", "FOO | 0x1608 | x", "FOO or its address stands twice"},
    {"cmodel/host/methods.tbl", "[HOST] class 0xB06F, from 0x000 | again", "block [HOST] stands twice"},
    {"cmodel/host/methods.tbl", "[SOME] words", "unknown block"},
    {"cmodel/host/methods.tbl", ". FOO | 32 | | x", "bits 32 do not lie in 31:0"},
    {"cmodel/host/methods.tbl", ". FOO | 3:4 | | x", "bits 3:4 do not lie in 31:0"},
    {"cmodel/host/methods.tbl", ". FOO | low | | x", "bits 'low' are neither HIGH:LOW nor one number"},
    {"cmodel/host/methods.tbl", ". ADDRESS_LOWER | 0 | | x", "field ADDRESS_LOWER stands twice"},
    {"cmodel/host/methods.tbl", ". FOO | 1:0 | A 4 | x", "value 4 is outside 0..3"},
    {"cmodel/host/methods.tbl", ". FOO | 1:0 | A 1, B 1 | x", "value B or its number stands twice"},
    {"cmodel/host/methods.tbl", ". FOO | 1:0 | A | x", "value 'A' is not NAME number"},
    {"cmodel/task/tmd.tbl", "FOO | 960 | | x", "CONSTANT_BUFFER_FOO lies over CONSTANT_BUFFER_ADDR_UPPER"},
    {"cmodel/task/tmd.tbl", "FOO | 1443 | | x", "CONSTANT_BUFFER_FOO lies over LOCAL_MEMORY_LOW"},
    {"cmodel/task/tmd.tbl", "FOO | 1600 | | x", "bits 1600 do not lie in 1599:0"},
    {"cmodel/task/tmd.tbl", "FOO | 1599:1567 | | x", "at most 32 bits"},
    {"cmodel/task/tmd.tbl", "SIZE | 0 | | x", "field SIZE stands twice"},
    {"cmodel/task/tmd.tbl", "[FOO]", "unknown block"},
    {"cmodel/task/tmd.tbl", "[RELEASE] 1, stride 32", "block [RELEASE] stands twice"},
    {"tb/trace_events.tbl", "[FOO] cpu | x:1\\nmeaning", "unknown unit 'cpu'"},
    {"tb/trace_events.tbl", "[FOO] sm | x:65\\nmeaning", "width 65 of x is neither 1..64 nor 256"},
    {"tb/trace_events.tbl", "[FOO] sm | x\\nmeaning", "field 'x' is not name:width"},
    {"tb/trace_events.tbl", "[FOO] sm | x:1 x:2\\nmeaning", "field name x is taken"},
    {"tb/trace_events.tbl", "[FOO] sm | data:LANES*32\\nmeaning", "needs a mask:LANES"},
    {"tb/trace_events.tbl", "[INSTR] sm | x:1\\nmeaning", "event INSTR stands twice"},
    {"tb/trace_events.tbl", "one line too many", "expected one line of meaning"},
    {"rtl/configs.tbl", "FOO | 1 | 2 | meaning", "expected 6 columns"},
    {"rtl/configs.tbl", "FOO | 0 | 1 | 2 | 3 | meaning", "FOO 0 is outside 1.."},
    {"rtl/configs.tbl", "THREADS | 1 | 1 | 2 | 3 | meaning", "THREADS stands twice"},
    {"rtl/bundles.tbl", "[FOO] | meaning", "expected '[NAME] bundle | meaning'"},
    {"rtl/bundles.tbl", "[REQUEST] bundle | meaning", "[REQUEST] stands twice"},
    {"rtl/bundles.tbl", "[FOO] part of BAR | meaning", "there is no bundle BAR above"},
    {"rtl/bundles.tbl", "[FOO] part of REQUEST | meaning\\nvalid colour", "REQUEST has no field colour"},
    {"rtl/bundles.tbl", "[FOO] bundle | meaning\\nx | = | 1 | meaning", "direction '=' of x is neither"},
    {"rtl/bundles.tbl", "[FOO] bundle | meaning\\nx | > | many | meaning", "width 'many' of x is not a number"},
    {"rtl/bundles.tbl", "[FOO] bundle | meaning\\nx | > | 1 | meaning\\nx | < | 1 | meaning", "x stands twice"},
    {"rtl/bundles.tbl", "[FOO] bundle | meaning\\nX | > | 1 | meaning", "'X' is not a field"},
    {"rtl/bundles.tbl", "[FOO] values of 2 bits | meaning\\nX | 4 | meaning", "number 4 is outside 0..3"},
    {"rtl/bundles.tbl", "[FOO] values of 2 bits | meaning\\nX | 1 | meaning\\nX | 2 | meaning",
     "X or its number stands twice"},
    {"rtl/bundles.tbl", "[FOO] bundle | meaning", "[FOO] is empty"},
};

Test(generate, bad_rows, .description = "a malformed row gives file:line: message and exit code 1") {
    char command[600], output[4000], where[100];
    for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
        snprintf(command, sizeof command, "cp %s %s/%s && printf '%s\\n' >> %s/%s && wc -l < %s/%s", bad_rows[i].table,
                 folder, bad_rows[i].table, bad_rows[i].row, folder, bad_rows[i].table, folder, bad_rows[i].table);
        cr_assert_eq(run(command, output, sizeof output), 0, "%s", output);
        long last = strtol(output, NULL, 10);
        cr_expect_eq(generate(output, sizeof output), 1, "%s", bad_rows[i].row);
        cr_expect_not_null(strstr(output, bad_rows[i].message), "%s: %s", bad_rows[i].row, output);
        bool event = strstr(bad_rows[i].table, "trace") != NULL && strstr(bad_rows[i].row, "meaning") != NULL;
        snprintf(where, sizeof where, "%s:%ld: ", bad_rows[i].table, event ? last - 1 : last);
        cr_expect_not_null(strstr(output, where), "%s: %s", where, output);
        snprintf(command, sizeof command, "cp %s %s/%s", bad_rows[i].table, folder, bad_rows[i].table);
        cr_assert_eq(run(command, output, sizeof output), 0, "%s", output);
    }
}

// Rows of the instruction table proper, put before the first side table.
static const struct {
    const char *row, *message;
} bad_instructions[] = {
    {"foo | 0x70 | NONE | yes | x", "'foo' is not a name"},
    {"FOO | 112 | NONE | yes | x", "opcode '112' is not 0xNN"},
    {"FOO | 0x70 | WHAT | yes | x", "unknown format 'WHAT'"},
    {"FOO | 0x70 | NONE | maybe | x", "built is 'maybe'"},
    {"IADD | 0x70 | NONE | yes | x", "IADD stands twice"},
    {"FOO | 0x11 | NONE | yes | x", "opcode 0x11 is taken by IADD"},
    {"FOO | 0x10 R+I | B | yes | x", "opcode 0x10 is taken by MOV"},
    {"FOO | 0xF0 R+I | B | yes | x", "bit 7 must be clear"},
    {"FOO | 0x70 | B | yes | x", "format B needs R+I"},
    {"FOO | 0x70 | LD | yes | x", "bit 7 of the opcode must be set"},
    {"FOO | 0xC0 | NONE | yes | x", "bit 7 of the opcode must be clear"},
    {"FOO | 0x70 R+I | LD | yes | x", "format LD has no immediate form beside a register form"},
    {"FOO | 0x70 | NONE | yes", "expected 5 columns"},
};

Test(generate, bad_instructions, .description = "each kind of malformed instruction is refused by file and line") {
    char command[800], output[4000];
    for (size_t i = 0; i < sizeof bad_instructions / sizeof bad_instructions[0]; i++) {
        snprintf(command, sizeof command, "sed '/^.cmp. /i %s' cmodel/isa/isa.tbl > %s/cmodel/isa/isa.tbl",
                 bad_instructions[i].row, folder);
        cr_assert_eq(run(command, output, sizeof output), 0, "%s", output);
        cr_expect_eq(generate(output, sizeof output), 1, "%s", bad_instructions[i].row);
        cr_expect_not_null(strstr(output, bad_instructions[i].message), "%s: %s", bad_instructions[i].row, output);
        cr_expect_not_null(strstr(output, "cmodel/isa/isa.tbl:"), "%s", output);
    }
}

// Values in place of the table's.
static const struct {
    const char *set, *message;  // NULL: it is taken
} replaced[] = {
    {"nano.LANES=2", NULL},
    {"full.OUTSTANDING=4", NULL},
    {"nano.LANES=3", "rtl/configs.tbl: nano: LANES 3 is no power of two from 2 to half of THREADS"},
    {"nano.LANES=32", "nano: LANES 32 is no power of two from 2 to half of THREADS"},
    {"small.SPECIALS=3", "small: SPECIALS 3 does not divide LANES"},
    {"small.SHARED_BYTES=12288", "small: SHARED_BYTES 12288 is no power of two"},
    {"full.WARPS=64", "full: WARPS 64 is too much"},
    {"nano.SMS=2", "nano: SMS 2 is too much: several SMs want token queues"},
    {"nano.AXI_DATA_W=512", "nano: AXI_DATA_W 512 is no power of two from 32 to 256"},
    {"nano.FOO=1", "--set nano.FOO=1: no parameter FOO"},
    {"tiny.LANES=2", "--set tiny.LANES=2: no configuration tiny; there are pico, nano, small, full"},
    {"LANES=2", "--set LANES=2: expected CONFIGURATION.PARAMETER=NUMBER"},
    {"nano.LANES=two", "--set nano.LANES=two: expected CONFIGURATION.PARAMETER=NUMBER"},
    {"nano.LANES=0", "--set nano.LANES=0: 0 is outside 1.."},
};

Test(generate, replaced_values,
     .description = "values in place of the table's reach what is generated; bad ones are one line") {
    char command[400], output[4000];
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
        snprintf(command, sizeof command, PYTHON " scripts/generate.py --root %s --out %s/out --set %s", folder, folder,
                 replaced[i].set);
        int status = run(command, output, sizeof output);
        cr_expect_eq(status, replaced[i].message != NULL, "%s: %s", replaced[i].set, output);
        if (replaced[i].message != NULL) {
            cr_expect_not_null(strstr(output, replaced[i].message), "%s: %s", replaced[i].set, output);
            cr_expect_null(strstr(output, "Traceback"));
            continue;
        }
        const char *value = strchr(replaced[i].set, '.') + 1;
        snprintf(command, sizeof command, "grep -c -e '-G%s ' %s/out/gen/config.mk", value, folder);
        cr_assert_eq(run(command, output, sizeof output), 0, "%s", output);
        cr_expect_geq(strtol(output, NULL, 10), 1, "%s: %s", replaced[i].set, output);
    }
}

Test(generate, missing_tables,
     .description = "a table that is not there, and a folder that cannot be written, give one line") {
    char command[300], output[4000];
    snprintf(command, sizeof command, PYTHON " scripts/generate.py --root %s --out /dev/null/x", folder);
    cr_expect_eq(run(command, output, sizeof output), 1);
    cr_expect_not_null(strstr(output, "generate.py: cannot write: "), "%s", output);
    snprintf(command, sizeof command, "rm %s/rtl/configs.tbl", folder);
    cr_assert_eq(run(command, output, sizeof output), 0);
    cr_expect_eq(generate(output, sizeof output), 1);
    cr_expect_not_null(strstr(output, "rtl/configs.tbl: cannot be read: "), "%s", output);
    cr_expect_null(strstr(output, "Traceback"));
}
