// The facts of one launch: the region of each pointer argument, and the pairs of them that allow something.
#include "driver/regions.h"

#include <string.h>

static bool is_pointer(const struct code_argument *argument) {
    return argument->kind == ARG_GLOBAL || argument->kind == ARG_CONSTANT || argument->kind == ARG_PIPE;
}

static tandem_addr value_of(const struct tandem_argument *argument) {
    tandem_addr value;
    memcpy(&value, argument->data, sizeof value);
    return value;
}

static enum tandem_status check_region(struct tandem_device *device, const struct code_kernel *kernel, size_t index,
                                       tandem_addr value, const struct tandem_region *region) {
    if (region->size == 0) return TANDEM_OK;
    if ((uint64_t)region->address + region->size > UINT64_C(1) << 32 || region->offset >= region->size) {
        return driver_fail(
            device, TANDEM_BAD_ARGUMENT,
            "kernel %s: argument %zu: the region of %u bytes at 0x%08x, offset %u, is not inside memory, "
            "or the offset not inside the region",
            kernel->name, index, region->size, region->address, region->offset);
    }
    if (value == region->address + region->offset) return TANDEM_OK;
    return driver_fail(device, TANDEM_BAD_ARGUMENT,
                       "kernel %s: argument %zu is 0x%08x, its region says 0x%08x (address 0x%08x, offset %u)",
                       kernel->name, index, value, region->address + region->offset, region->address, region->offset);
}

// The allocation that the value points into or just behind: tandem_alloc() keeps a byte there.
static struct tandem_region region_in_heap(const struct heap *heap, tandem_addr value) {
    uint64_t start = 0, size = 0;
    if (!heap_find(heap, value, &start, &size) || size < 2) return (struct tandem_region){0};
    return (struct tandem_region){(tandem_addr)start, (uint32_t)(size - 1), (uint32_t)(value - start)};
}

static uint8_t alignment_of(tandem_addr value) {
    uint8_t alignment = 16;
    while ((value & (alignment - 1u)) != 0)
        alignment /= 2;
    return alignment;
}

// What nothing writes, two constants, needs no facts.
static void compare(const struct code_kernel *kernel, const struct tandem_region *regions, size_t count,
                    struct launch_facts *facts) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            const struct code_argument *first = &kernel->arguments[i], *second = &kernel->arguments[j];
            if (!is_pointer(first) || !is_pointer(second)) continue;
            if (first->kind == ARG_CONSTANT && second->kind == ARG_CONSTANT) continue;
            const struct tandem_relation found = tandem_relate(&regions[i], &regions[j]);
            if (found.relation != ALIAS_APART && found.relation != ALIAS_OVERLAP) continue;
            facts->relations[facts->count] = found;
            facts->pairs[facts->count++] = (struct alias_pair){
                i, j, found.relation, found.relation == ALIAS_OVERLAP ? (uint32_t)(uint64_t)found.distance : 0};
        }
    }
}

enum tandem_status regions_find_facts(struct tandem_channel *channel, const struct code_kernel *kernel,
                                      const struct tandem_argument *arguments, const struct tandem_region *regions,
                                      struct launch_facts *facts) {
    struct tandem_region found[ALIAS_ARGUMENTS_MAX] = {{0}};
    facts->count = 0;
    memset(facts->alignment, 0, sizeof facts->alignment);
    const size_t count = kernel->argument_count < ALIAS_ARGUMENTS_MAX ? kernel->argument_count : ALIAS_ARGUMENTS_MAX;
    for (size_t k = 0; k < kernel->argument_count; k++) {
        if (!is_pointer(&kernel->arguments[k])) continue;
        const tandem_addr value = value_of(&arguments[k]);
        if (regions != NULL) {
            const enum tandem_status status = check_region(channel->device, kernel, k, value, &regions[k]);
            if (status != TANDEM_OK) return status;
        }
        if (k >= count) continue;
        found[k] = regions != NULL ? regions[k] : region_in_heap(&channel->space->data, value);
        facts->alignment[k] = found[k].size == 0 ? 0 : alignment_of(value);
    }
    compare(kernel, found, count, facts);
    return TANDEM_OK;
}
