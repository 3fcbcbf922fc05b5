// Parents that wait for a child each, one generation more than there are warps and slots: those that came first step
// aside, and all come back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/assembler.h"
#include "programs.h"

#define DEADLINE 3000000u
#define MOST 80u

static const char family[] =
    ".handler\n"
    ".kernel leaf\n.registers 8\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n"
    ".kernel parent\n.registers 12\n.local_bytes 48\n.saves 1\n.arg global count\n.arg value child\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LAUNCH.WAIT R2\n    MOV R2, 1\n"
    "    ATOMG.ADD RZ, [R1], R2\n    EXIT\n";

static enum tandem_status load(struct tandem_device *device, struct tandem_module **module, char *why, size_t size) {
    struct code_object object;
    void *elf = NULL;
    size_t elf_size = 0;
    if (!assemble(family, strlen(family), "steps_aside", &object, why, size)) return TANDEM_BAD_CODE;
    const bool written = code_object_write(&object, &elf, &elf_size, why, size);
    code_object_free(&object);
    const enum tandem_status status = written ? tandem_module_load(device, elf, elf_size, module) : TANDEM_BAD_CODE;
    free(elf);
    return status;
}

// The oldest of `depth` generations is launched; the youngest is a leaf. Each one adds one to the word.
static enum tandem_status launch(struct tandem_channel *channel, struct tandem_module *module, tandem_addr count,
                                 uint32_t depth, tandem_addr *tmd) {
    const struct tandem_range one = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
    const struct tandem_scheduling plain = {0, false};
    uint32_t child = 0;
    enum tandem_status status = TANDEM_OK;
    for (uint32_t i = 0; i + 1 < depth && status == TANDEM_OK; i++) {
        const struct tandem_argument arguments[] = {{&count, 4}, {&child, 4}};
        status = tandem_task_build(channel, module, i == 0 ? "leaf" : "parent", &one, &plain, arguments, i == 0 ? 1 : 2,
                                   &tmd[i]);
        child = tmd[i] >> 8;
    }
    const struct tandem_argument arguments[] = {{&count, 4}, {&child, 4}};
    return status == TANDEM_OK ? tandem_launch(channel, module, "parent", &one, arguments, 2) : status;
}

enum tandem_status program_steps_aside(struct tandem_device *device, char *why, size_t why_size) {
    struct tandem_info info;
    tandem_get_info(device, &info);
    const uint32_t wanted = info.warps * info.sms + 2, depth = wanted < MOST ? wanted : MOST;
    struct tandem_module *module = NULL;
    struct tandem_channel *channel = NULL;
    tandem_addr count = 0, tmd[MOST] = {0};
    uint32_t word = 0;
    why[0] = '\0';
    enum tandem_status status = load(device, &module, why, why_size);
    if (status == TANDEM_OK) status = tandem_channel_open(device, 8, 1, &channel);
    if (status == TANDEM_OK) status = tandem_alloc(device, 4, 256, &count);
    if (status == TANDEM_OK) status = tandem_write(device, count, &word, sizeof word);
    if (status == TANDEM_OK) status = launch(channel, module, count, depth, tmd);
    if (status == TANDEM_OK) status = tandem_finish(channel, DEADLINE);
    if (status == TANDEM_OK) status = tandem_read(device, count, &word, sizeof word);
    if (status != TANDEM_OK && why[0] == '\0')
        snprintf(why, why_size, "%s: %s", tandem_status_name(status), tandem_message(device));
    if (status == TANDEM_OK && word != depth) {
        snprintf(why, why_size, "steps_aside: %u of %u generations have ended", word, depth);
        status = TANDEM_BAD_CODE;
    }
    tandem_channel_close(channel);
    for (uint32_t i = 0; i < MOST && status == TANDEM_OK; i++) {
        if (tmd[i] != 0) tandem_free(device, tmd[i]);
    }
    if (status == TANDEM_OK) tandem_free(device, count);
    tandem_module_unload(module);
    return status;
}
