// Signatures: a device at full speed against the model (tandem-board:). A good one gives no alarm, whatever its timing; one with a defect is found, and
// the first event that differs is named.
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/assembler.h"
#include "isa/code_object.h"
#include "programs.h"

#define DEADLINE 3000000u

static char folder[64];
static void make_folder(void) {
    strcpy(folder, "/tmp/tandem-signatures-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    setenv("TANDEM_REPORTS", folder, 1);
}

static unsigned remove_reports(void) {
    unsigned count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) == 0) count++;
    }
    if (list != NULL) closedir(list);
    return count;
}

static void remove_folder(void) {
    (void)remove_reports();
    rmdir(folder);
}

TestSuite(signatures, .init = make_folder, .fini = remove_folder);

// Each alone: behind a fault nothing is judged any more.
static void passes(const char *device) {
    for (size_t i = 0; i < fixed_program_count; i++) {
        char why[1024] = "";
        const enum tandem_status status = fixed_programs_run(device, fixed_programs[i].name, why, sizeof why);
        cr_expect_eq(status, TANDEM_OK, "%s, %s: %s: %s", device, fixed_programs[i].name, tandem_status_name(status),
                     why);
    }
    cr_expect_eq(remove_reports(), 0);
}

Test(signatures, nano, .description = "BU-6 the fixed programs: no alarm on nano at full speed [rtl]") {
    passes("tandem-board:rtl:nano,mem=4");
}

// ---- one kernel, to be sure what differs first
static const char text[] =
    ".kernel main\n"
    ".registers 16\n"
    ".arg global out\n"
    "    S2R R0, SR_TID_X\n"
    "    S2R R1, SR_CTAID_X\n"
    "    LDC.32 R3, c[0][64]\n"
    "    SHL R1, R1, 5\n"
    "    IADD R0, R0, R1\n"
    "    SHL R2, R0, 2\n"
    "    IADD R3, R3, R2\n"
    "    MOV R4, 20\n"
    "round:\n"
    "    IADD R5, R5, R0\n"
    "    UMAX R6, R5, R4\n"
    "    ISUB R4, R4, 1\n"
    "    ISETP.NE P0, R4, 0\n"
    "    @P0 BRA round\n"
    "    IADD R5, R5, 0xFFFF\n"
    "    STG.32 [R3], R5\n"
    "    EXIT\n";
// What depends on who comes first.
static const char racy[] =
    ".kernel main\n"
    ".registers 8\n"
    ".arg global out\n"
    "    S2R R0, SR_CTAID_X\n"
    "    LDC.32 R1, c[0][64]\n"
    "    MOV R2, 1\n"
    "    ATOMG.ADD R3, [R1], R2\n"
    "    SHL R0, R0, 2\n"
    "    IADD R0, R0, R1\n"
    "    STG.32 [R0+64], R3\n"
    "    EXIT\n";

// Runs a kernel with 8 CTAs three times and reads what it wrote. The message of the device is copied.
static enum tandem_status run(const char *name, const char *program, char *message, size_t size) {
    struct tandem_device *device = NULL;
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    tandem_addr out = 0;
    uint32_t words[256];
    enum tandem_status status = tandem_open(name, &device, message, size);
    if (status != TANDEM_OK) return status;
    const struct tandem_range range = {.dimensions = 1, .global = {256, 1, 1}, .local = {32, 1, 1}};
    status = tandem_channel_open(device, 16, 0, &channel);
    if (status == TANDEM_OK) {
        struct code_object object;
        void *elf = NULL;
        size_t bytes = 0;
        cr_assert(assemble(program, strlen(program), "main.s", &object, message, size), "%s", message);
        cr_assert(code_object_write(&object, &elf, &bytes, message, size), "%s", message);
        status = tandem_module_load(device, elf, bytes, &module);
        free(elf);
        code_object_free(&object);
    }
    if (status == TANDEM_OK) status = tandem_alloc(device, sizeof words, 64, &out);
    memset(words, 0, sizeof words);
    if (status == TANDEM_OK) status = tandem_write(device, out, words, sizeof words);
    for (unsigned i = 0; status == TANDEM_OK && i < 3; i++) {
        const struct tandem_argument arguments[] = {{&out, 4}};
        status = tandem_launch(channel, module, "main", &range, arguments, 1);
        if (status == TANDEM_OK) status = tandem_finish(channel, DEADLINE);
        if (status == TANDEM_OK) status = tandem_read(device, out, words, sizeof words);
    }
    snprintf(message, size, "%s", status == TANDEM_OK ? "" : tandem_message(device));
    if (channel != NULL) (void)tandem_channel_close(channel);
    if (module != NULL) tandem_module_unload(module);
    const enum tandem_status closed = tandem_close(device);
    return status == TANDEM_OK ? closed : status;
}

static void finds(const char *name, const char *event) {
    char message[1024] = "";
    const enum tandem_status status = run(name, text, message, sizeof message);
    cr_expect_eq(status, TANDEM_MISMATCH, "%s: %s: %s", name, tandem_status_name(status), message);
    cr_expect_not_null(strstr(message, event), "%s: expected \"%s\" in: %s", name, event, message);
    cr_expect_eq(remove_reports(), 1, "%s", name);
}

Test(signatures, good, .description = "BU-6 a kernel on a good device: every place of rest is alike [rtl]") {
    char message[1024];
    cr_expect_eq(run("tandem-board:rtl:nano,mem=4", text, message, sizeof message), TANDEM_OK, "%s", message);
    cr_expect_eq(run("tandem-board:rtl:small,mem=4", text, message, sizeof message), TANDEM_OK, "%s", message);
    cr_expect_eq(run("tandem-board:rtl:full,mem=4", text, message, sizeof message), TANDEM_OK, "%s", message);
    cr_expect_eq(run("tandem-board:model:nano,mem=4,seed=3", text, message, sizeof message), TANDEM_OK, "%s", message);
}

Test(signatures, race, .description = "BU-6 a program whose values depend on timing gives no alarm [rtl]") {
    char message[1024];
    cr_expect_eq(run("tandem-board:rtl:nano,mem=4", racy, message, sizeof message), TANDEM_OK, "%s", message);
    cr_expect_eq(remove_reports(), 0);
}

// The carry from bit 15 to bit 16 is lost: the first sum that has one is the one behind the loop, of the first thread whose sum is not zero.
Test(signatures, carry, .description = "BU-6 the first event that differs is named: a sum [model]") {
    finds("tandem-board:model:nano,mem=4,inject_model=101",
          "IADD R5, R5, 65535: R5 of thread 1 is 0x00000013, model 0x00010013");
}

Test(signatures, rtl_defects, .description = "BU-6 defects of the RTL's multiprocessor are found and named [rtl]") {
    finds("tandem-board:rtl:nano_inject,mem=4,inject=1", "SM 0 warp");
}

Test(signatures, bad_names, .description = "BU-6 names of two devices that cannot be compared are refused [model]") {
    static const char *const names[] = {"tandem-board:", "tandem-board:tandem:nano",
                                        "tandem-board:tandem-board:rtl:nano", "tandem-board:nano",
                                        "tandem-board:uart:"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tandem_device *device = NULL;
        char message[512] = "";
        cr_expect_eq(tandem_open(names[i], &device, message, sizeof message), TANDEM_NO_DEVICE, "%s", names[i]);
        cr_expect_gt(strlen(message), 10);
        cr_expect_null(strchr(message, '\n'));
    }
}
