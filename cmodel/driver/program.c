// Programs with variants: see program.h.
#include "driver/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/channel.h"
#include "driver/kernel_task.h"
#include "driver/module.h"
#include "driver/policy.h"

enum { VARIANTS_DEFAULT = 64, PAIRS_MAX = ALIAS_ARGUMENTS_MAX * (ALIAS_ARGUMENTS_MAX - 1) / 2 };

enum variant_state { VARIANT_WAITS, VARIANT_READY, VARIANT_REFUSED };

// A second compile. kernel, pairs, alignment: its key.
struct variant {
    const struct code_kernel *kernel;  // of the first compile
    struct alias_pair *pairs;
    size_t pair_count;
    uint8_t alignment[ALIAS_ARGUMENTS_MAX];
    enum variant_state state;
    struct tandem_module *module;       // VARIANT_READY
    const struct code_kernel *own;      // the kernel in it
    struct tandem_relation *relations;  // of the launch that made it, as the pairs
    uint64_t waited;                    // launches before it was compiled
    double spent;                       // seconds that these took on the device, as far as is known
    double seconds;
    char *text;  // the compiler's, or why it is refused
    struct measured measured;
};

struct tandem_program {
    struct tandem_device *device;
    alias_compile *compile;
    void *context;
    struct tandem_program_options options;
    struct tandem_module *first;
    double first_seconds;
    struct measured *measured;  // of the first compile's kernels
    struct variant *variants;
    size_t variant_count;
    uint64_t launches, hits;
    struct measured *last;
    uint64_t last_threads;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Compiles and loads. NULL: failed; *text (the caller's) then tells why.
static struct tandem_module *compile(struct tandem_program *program, const struct alias_metadata *metadata,
                                     double *seconds, char **text, enum tandem_status *status) {
    struct alias_compiled compiled = {0};
    struct tandem_module *module = NULL;
    const double begin = seconds_now();
    bool good = program->compile(program->context, metadata, &compiled) && compiled.elf != NULL;
    *seconds = seconds_now() - begin;
    *text = compiled.text;
    *status = TANDEM_BAD_CODE;
    if (good) *status = tandem_module_load(program->device, compiled.elf, compiled.elf_size, &module);
    if (good && *status != TANDEM_OK) {
        free(*text);
        *text = strdup(tandem_message(program->device));
    }
    free(compiled.elf);
    return module;
}

enum tandem_status tandem_program_build(struct tandem_device *device, alias_compile *call, void *context,
                                        const struct tandem_program_options *options, struct tandem_program **result) {
    *result = NULL;
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    struct tandem_program *program = calloc(1, sizeof *program);
    if (program == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a program");
    program->device = device;
    program->compile = call;
    program->context = context;
    if (options != NULL) program->options = *options;
    if (program->options.variants_max == 0) program->options.variants_max = VARIANTS_DEFAULT;
    char *text = NULL;
    program->first = compile(program, NULL, &program->first_seconds, &text, &status);
    if (program->first != NULL) {
        program->measured = calloc(program->first->object.kernel_count, sizeof *program->measured);
        program->variants = calloc(program->options.variants_max, sizeof *program->variants);
    }
    if (program->first != NULL && program->measured != NULL && program->variants != NULL) {
        free(text);
        *result = program;
        return TANDEM_OK;
    }
    if (program->first != NULL) {
        status = driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a program");
    } else {
        status =
            driver_fail(device, status, "%.*s", text != NULL ? (int)strcspn(text, "\n") : 0, text != NULL ? text : "");
    }
    free(text);
    tandem_program_free(program);
    return status;
}

void tandem_program_free(struct tandem_program *program) {
    if (program == NULL) return;
    for (size_t k = 0; k < program->variant_count; k++) {
        struct variant *variant = &program->variants[k];
        tandem_module_unload(variant->module);
        free(variant->pairs);
        free(variant->relations);
        free(variant->text);
    }
    tandem_module_unload(program->first);
    free(program->variants);
    free(program->measured);
    free(program);
}

// ---- the facts of a launch ----

struct launch_facts {
    struct alias_pair pairs[PAIRS_MAX];
    struct tandem_relation relations[PAIRS_MAX];
    size_t count;
    uint8_t alignment[ALIAS_ARGUMENTS_MAX];
};

static bool is_pointer(const struct code_kernel *kernel, size_t index) {
    return kernel->arguments[index].kind == ARG_GLOBAL || kernel->arguments[index].kind == ARG_CONSTANT;
}

static enum tandem_status check_region(struct tandem_device *device, const struct code_kernel *kernel, size_t index,
                                       const struct tandem_argument *argument, const struct tandem_region *region) {
    if (region->size == 0 || argument->data == NULL || argument->size != sizeof(tandem_addr)) return TANDEM_OK;
    tandem_addr value;
    memcpy(&value, argument->data, sizeof value);
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

// Pairs that allow something. What nothing writes, two constants, needs no facts.
static uint8_t alignment_of(const struct tandem_region *region) {
    const tandem_addr value = region->address + region->offset;
    uint8_t alignment = 16;
    while ((value & (alignment - 1u)) != 0)
        alignment /= 2;
    return region->size == 0 ? 0 : alignment;
}

static void find_facts(const struct code_kernel *kernel, const struct tandem_region *regions,
                       struct launch_facts *facts) {
    *facts = (struct launch_facts){.count = 0};
    const size_t count = kernel->argument_count < ALIAS_ARGUMENTS_MAX ? kernel->argument_count : ALIAS_ARGUMENTS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (is_pointer(kernel, i)) facts->alignment[i] = alignment_of(&regions[i]);
        for (uint32_t j = i + 1; j < count; j++) {
            if (!is_pointer(kernel, i) || !is_pointer(kernel, j)) continue;
            if (kernel->arguments[i].kind == ARG_CONSTANT && kernel->arguments[j].kind == ARG_CONSTANT) continue;
            struct tandem_relation found = tandem_relate(&regions[i], &regions[j]);
            if (found.relation != ALIAS_APART && found.relation != ALIAS_OVERLAP) continue;
            facts->relations[facts->count] = found;
            facts->pairs[facts->count++] = (struct alias_pair){
                i, j, found.relation, found.relation == ALIAS_OVERLAP ? (uint32_t)(uint64_t)found.distance : 0};
        }
    }
}

static bool same_facts(const struct variant *variant, const struct launch_facts *facts) {
    if (variant->pair_count != facts->count) return false;
    if (memcmp(variant->alignment, facts->alignment, sizeof variant->alignment) != 0) return false;
    for (size_t k = 0; k < facts->count; k++) {
        const struct alias_pair *a = &variant->pairs[k], *b = &facts->pairs[k];
        if (a->first != b->first || a->second != b->second || a->relation != b->relation || a->distance != b->distance)
            return false;
    }
    return true;
}

// ---- variants ----

static void refuse(struct variant *variant, const char *why) {
    variant->state = VARIANT_REFUSED;
    tandem_module_unload(variant->module);
    variant->module = NULL;
    if (why == NULL) return;
    free(variant->text);
    variant->text = strdup(why);
}

static bool same_code(const struct tandem_module *a, const struct code_kernel *in_a, const struct tandem_module *b,
                      const struct code_kernel *in_b) {
    return in_a->code_size == in_b->code_size &&
           memcmp(a->object.text + in_a->entry / 8, b->object.text + in_b->entry / 8, in_a->code_size) == 0;
}

static void make_variant(struct tandem_program *program, struct variant *variant) {
    struct alias_metadata metadata = {variant->kernel->name, variant->pairs, variant->pair_count, {0}};
    memcpy(metadata.alignment, variant->alignment, sizeof metadata.alignment);
    enum tandem_status status;
    variant->module = compile(program, &metadata, &variant->seconds, &variant->text, &status);
    if (variant->module == NULL) {
        refuse(variant, NULL);
        return;
    }
    variant->state = VARIANT_READY;
    variant->own = code_object_find(&variant->module->object, variant->kernel->name);
    if (variant->own == NULL) {
        refuse(variant, "the second compile has no such kernel\n");
    } else if (variant->own->spill_bytes > variant->kernel->spill_bytes) {
        refuse(variant, "the second compile keeps more values in memory\n");
    } else if (same_code(variant->module, variant->own, program->first, variant->kernel)) {
        refuse(variant, "the second compile is the same code\n");
    }
}

static struct variant *find_variant(struct tandem_program *program, const struct code_kernel *kernel,
                                    const struct launch_facts *facts) {
    for (size_t k = 0; k < program->variant_count; k++)
        if (program->variants[k].kernel == kernel && same_facts(&program->variants[k], facts))
            return &program->variants[k];
    return NULL;
}

// NULL: no room.
static struct variant *add_variant(struct tandem_program *program, const struct code_kernel *kernel,
                                   const struct launch_facts *facts) {
    if (program->variant_count == program->options.variants_max) return NULL;
    struct variant *variant = &program->variants[program->variant_count];
    *variant = (struct variant){.kernel = kernel,
                                .pairs = malloc(facts->count * sizeof *variant->pairs),
                                .pair_count = facts->count,
                                .relations = malloc(facts->count * sizeof *variant->relations)};
    if (variant->pairs == NULL || variant->relations == NULL) {
        free(variant->pairs);
        free(variant->relations);
        return NULL;
    }
    memcpy(variant->alignment, facts->alignment, sizeof variant->alignment);
    memcpy(variant->pairs, facts->pairs, facts->count * sizeof *variant->pairs);
    memcpy(variant->relations, facts->relations, facts->count * sizeof *variant->relations);
    program->variant_count++;
    return variant;
}

// A work-group that the first compile can run must not become too large for its registers.
static bool can_run(const struct tandem_program *program, const struct variant *variant,
                    const struct tandem_range *range) {
    uint64_t threads = 1;
    for (unsigned i = 0; i < range->dimensions && i < 3; i++)
        threads *= range->local[i];
    return threads <= kernel_threads_limit(program->device, variant->own);
}

// Whether the variant is to be compiled before this launch; else the launch is counted.
static bool is_due(struct tandem_program *program, struct variant *variant, const struct tandem_range *range) {
    const struct code_kernel *kernel = variant->kernel;
    variant->spent +=
        policy_launch_seconds(program->device->options.config, kernel->code_size / 8,
                              &program->measured[kernel - program->first->object.kernels], policy_threads(range));
    const bool worth =
        program->options.second != TANDEM_SECOND_WHEN_WORTH || policy_is_worth(variant->spent, program->first_seconds);
    if (worth && variant->waited >= program->options.patience) return true;
    variant->waited++;
    return false;
}

// The variant for this launch, NULL: the first compile.
static struct variant *choose(struct tandem_program *program, const struct code_kernel *kernel,
                              const struct tandem_range *range, const struct launch_facts *facts, bool *hit) {
    *hit = false;
    if (facts->count == 0 || program->options.second == TANDEM_SECOND_NEVER) return NULL;
    struct variant *variant = find_variant(program, kernel, facts);
    if (variant == NULL) variant = add_variant(program, kernel, facts);
    if (variant == NULL) return NULL;
    if (variant->state == VARIANT_WAITS) {
        if (!is_due(program, variant, range)) return NULL;
        make_variant(program, variant);
    } else {
        *hit = variant->state == VARIANT_READY;
    }
    return variant->state == VARIANT_READY && can_run(program, variant, range) ? variant : NULL;
}

enum tandem_status tandem_program_launch(struct tandem_channel *channel, struct tandem_program *program,
                                         const char *name, const struct tandem_range *range,
                                         const struct tandem_argument *arguments, const struct tandem_region *regions,
                                         size_t count) {
    enum tandem_status status = driver_check(program->device);
    if (status != TANDEM_OK) return status;
    const struct code_kernel *kernel = code_object_find(&program->first->object, name);
    // What is wrong with the launch itself is told as ever.
    if (kernel == NULL || count != kernel->argument_count || channel->device != program->device)
        return tandem_launch(channel, program->first, name, range, arguments, count);
    struct launch_facts facts = {.count = 0};
    for (size_t k = 0; k < count && regions != NULL && status == TANDEM_OK; k++)
        if (is_pointer(kernel, k)) status = check_region(program->device, kernel, k, &arguments[k], &regions[k]);
    if (status != TANDEM_OK) return status;
    if (regions != NULL) find_facts(kernel, regions, &facts);
    bool hit;
    struct variant *variant = choose(program, kernel, range, &facts, &hit);
    status = tandem_launch(channel, variant != NULL ? variant->module : program->first, name, range, arguments, count);
    if (status != TANDEM_OK) return status;
    program->last = variant != NULL ? &variant->measured : &program->measured[kernel - program->first->object.kernels];
    program->last->launches++;
    program->last_threads = policy_threads(range);
    program->launches++;
    program->hits += variant != NULL && hit;
    return TANDEM_OK;
}

// ---- reports ----

void tandem_program_cycles(struct tandem_program *program, uint64_t cycles) {
    if (program->last == NULL) return;
    program->last->timed++;
    program->last->cycles += cycles;
    program->last->threads += program->last_threads;
}

struct tandem_program_counts tandem_program_counts(const struct tandem_program *program) {
    struct tandem_program_counts counts = {
        .launches = program->launches, .hits = program->hits, .variants = (unsigned)program->variant_count};
    for (size_t k = 0; k < program->first->object.kernel_count; k++)
        counts.first += program->measured[k].launches;
    for (size_t k = 0; k < program->variant_count; k++) {
        counts.refused += program->variants[k].state == VARIANT_REFUSED;
        counts.seconds += program->variants[k].seconds;
    }
    return counts;
}

static void log_measured(FILE *to, const char *what, const struct measured *measured) {
    fprintf(to, "  %s: %llu launches", what, (unsigned long long)measured->launches);
    if (measured->timed > 0)
        fprintf(to, ", %.1f cycles each (%llu measured)", (double)measured->cycles / (double)measured->timed,
                (unsigned long long)measured->timed);
    fprintf(to, "\n");
}

static void log_pair(FILE *to, const struct variant *variant, size_t k) {
    const struct alias_pair *pair = &variant->pairs[k];
    const struct tandem_relation *found = &variant->relations[k];
    fprintf(to, "  %s, %s: ", variant->kernel->arguments[pair->first].name,
            variant->kernel->arguments[pair->second].name);
    if (found->relation == ALIAS_APART) {
        fprintf(to, "apart, gap %u bytes\n", found->gap);
    } else {
        fprintf(to, "overlap of %u bytes, 0x%08x to 0x%08x, distance %lld bytes\n", found->bytes, found->start,
                found->end, (long long)found->distance);
    }
}

static void log_text(FILE *to, const char *text) {
    for (; text != NULL && *text != 0; text += strcspn(text, "\n") + (strchr(text, '\n') != NULL))
        fprintf(to, "  %.*s\n", (int)strcspn(text, "\n"), text);
}

static void log_variant(FILE *to, const struct variant *variant, size_t number) {
    static const char *const states[] = {"waits for more launches", "in use", "refused, the first compile runs"};
    fprintf(to, "variant %zu of kernel %s: %s\n", number, variant->kernel->name, states[variant->state]);
    for (size_t k = 0; k < variant->pair_count; k++)
        log_pair(to, variant, k);
    if (variant->state == VARIANT_WAITS) return;
    fprintf(to, "  compiled in %.1f ms\n", variant->seconds * 1e3);
    log_text(to, variant->text);
    if (variant->waited > 0)
        fprintf(to, "  made after %llu launches, about %.3f ms on the device\n", (unsigned long long)variant->waited,
                variant->spent * 1e3);
    if (variant->state == VARIANT_REFUSED) return;
    fprintf(to, "  code %u bytes, before %u; registers %u, before %u\n", variant->own->code_size,
            variant->kernel->code_size, variant->own->registers, variant->kernel->registers);
    log_measured(to, "this variant", &variant->measured);
}

char *tandem_program_log(const struct tandem_program *program) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) return NULL;
    const struct code_object *object = &program->first->object;
    fprintf(to, "first compile: %.1f ms\n", program->first_seconds * 1e3);
    for (size_t k = 0; k < object->kernel_count; k++) {
        fprintf(to, "kernel %s: code %u bytes, %u registers\n", object->kernels[k].name, object->kernels[k].code_size,
                object->kernels[k].registers);
        log_measured(to, "first compile", &program->measured[k]);
    }
    for (size_t k = 0; k < program->variant_count; k++)
        log_variant(to, &program->variants[k], k + 1);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}
