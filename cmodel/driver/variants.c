// Second compiles of a program's kernels: see recompile.h for what it is, policy.c for when.
#include "driver/variants.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/again.h"
#include "driver/kernel_task.h"
#include "driver/loaded.h"
#include "driver/policy.h"
#include "driver/regions.h"
#include "driver/timing.h"
#include "gen/isa.h"

enum { VARIANTS_DEFAULT = 64 };

enum variant_state {
    VARIANT_WAITS,    // is not compiled yet
    VARIANT_TRIAL,    // takes turns with the first compile
    VARIANT_KEPT,     // runs
    VARIANT_REFUSED,  // the first compile runs: there is no better one
    VARIANT_DROPPED,  // the same: it was no faster
};

// kernel, pairs, alignment: its key.
struct variant {
    const struct code_kernel *kernel;  // of the first compile
    struct alias_pair *pairs;
    size_t pair_count;
    uint8_t alignment[ALIAS_ARGUMENTS_MAX];
    enum variant_state state;
    struct tandem_module *module;   // NULL: none is loaded
    const struct code_kernel *own;  // the kernel in it
    uint64_t launches;              // before it was compiled
    double spent;                   // cycles that these took, with the one to come
    uint64_t used;                  // by the launches of the module
    struct trial trial;
};

// A timed launch.
struct sample {
    struct sample *next;
    struct timing *timing;
    struct variant *variant;
    enum trial_side side;
    uint64_t key, threads;
};

struct kernel_state {
    struct measured measured;
    struct gains gains;
    bool told;  // why none of its launches is compiled again
};

struct variants {
    struct tandem_module *module;
    struct kernel_state *kernels;  // as in the code object
    struct variant **list;         // count of them
    size_t count;
    struct sample *samples;
    struct tandem_recompile_counts counts;
};

// ---- a program's variants ----

struct variants *variants_make(struct tandem_module *module) {
    struct variants *variants = calloc(1, sizeof *variants);
    if (variants == NULL) return NULL;
    variants->module = module;
    variants->kernels = calloc(module->object.kernel_count + 1, sizeof *variants->kernels);
    if (variants->kernels != NULL) return variants;
    free(variants);
    return NULL;
}

static void free_variant(struct variant *variant) {
    if (variant->module != NULL) loaded_free(variant->module);
    free(variant->pairs);
    free(variant);
}

void variants_free(struct variants *variants) {
    if (variants == NULL) return;
    while (variants->samples != NULL) {
        struct sample *sample = variants->samples;
        variants->samples = sample->next;
        timing_release(sample->timing);
        free(sample);
    }
    for (size_t k = 0; k < variants->count; k++)
        free_variant(variants->list[k]);
    free(variants->list);
    free(variants->kernels);
    free(variants);
}

static struct kernel_state *state_of(struct variants *variants, const struct code_kernel *kernel) {
    return &variants->kernels[kernel - variants->module->object.kernels];
}

// ---- making one ----

static void log_facts(struct tandem_device *device, const struct code_kernel *kernel,
                      const struct launch_facts *facts) {
    for (size_t k = 0; k < facts->count; k++) {
        const struct tandem_relation *found = &facts->relations[k];
        const char *first = kernel->arguments[facts->pairs[k].first].name,
                   *second = kernel->arguments[facts->pairs[k].second].name;
        if (found->relation == ALIAS_APART) {
            again_log(device, "kernel %s: %s, %s: apart, gap %u bytes", kernel->name, first, second, found->gap);
        } else {
            again_log(device, "kernel %s: %s, %s: overlap of %u bytes, 0x%08x to 0x%08x, distance %lld bytes",
                      kernel->name, first, second, found->bytes, found->start, found->end, (long long)found->distance);
        }
    }
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// A launch with this kernel in place of the other is the same launch.
static bool same_interface(const struct code_kernel *a, const struct code_kernel *b) {
    bool same = a->argument_count == b->argument_count && a->shared_bytes == b->shared_bytes &&
                a->work_queue == b->work_queue && memcmp(a->reqd_local, b->reqd_local, sizeof a->reqd_local) == 0;
    for (size_t k = 0; same && k < a->argument_count; k++) {
        const struct code_argument *x = &a->arguments[k], *y = &b->arguments[k];
        same = x->kind == y->kind && x->offset == y->offset && x->size == y->size;
    }
    return same;
}

static bool same_code(const struct code_object *a, const struct code_kernel *in_a, const struct code_object *b,
                      const struct code_kernel *in_b) {
    return in_a->code_size == in_b->code_size &&
           memcmp(a->text + in_a->entry / 8, b->text + in_b->entry / 8, in_a->code_size) == 0;
}

// Loads what was compiled. NULL, or why not.
static const char *take(struct variants *variants, struct variant *variant, const struct alias_compiled *compiled) {
    const struct code_object *first = &variants->module->object;
    struct code_object object;
    char error[256];
    if (!code_object_read(compiled->elf, compiled->elf_size, &object, error, sizeof error))
        return "the second compile is no code object";
    const struct code_kernel *own = code_object_find(&object, variant->kernel->name);
    const char *why = NULL;
    if (own == NULL || !same_interface(own, variant->kernel)) {
        why = "the second compile has no such kernel";
    } else if (own->spill_bytes > variant->kernel->spill_bytes) {
        why = "the second compile keeps more values in memory";
    } else if (same_code(&object, own, first, variant->kernel)) {
        why = "the second compile is the same code";
    }
    if (why != NULL) {
        code_object_free(&object);
        return why;
    }
    if (loaded_make(variants->module->space, &object, NULL, &variant->module) != TANDEM_OK) {
        variant->module = NULL;
        return driver_lock_last_message(variants->module->device->lock);
    }
    variant->own = code_object_find(&variant->module->object, variant->kernel->name);
    return NULL;
}

static void compile(struct variants *variants, struct variant *variant, const struct launch_facts *facts) {
    struct tandem_device *device = variants->module->device;
    const struct code_object *object = &variants->module->object;
    const struct code_kernel *kernel = variant->kernel;
    struct alias_metadata metadata = {.kernel = kernel->name, .pairs = facts->pairs, .pair_count = facts->count};
    memcpy(metadata.alignment, facts->alignment, sizeof metadata.alignment);
    struct alias_compiled compiled = {0};
    const double begin = seconds_now();
    const bool good = again_compiler(device)(device->again.compile_context, object->again, object->again_size,
                                             &metadata, &compiled) &&
                      compiled.elf != NULL;
    const double seconds = seconds_now() - begin;
    variants->counts.compiles++;
    variants->counts.seconds += seconds;
    again_log(device, "kernel %s: compiled again in %.1f ms, after %llu launches of about %.0f cycles in all",
              kernel->name, seconds * 1e3, (unsigned long long)variant->launches, variant->spent);
    again_log_text(device, kernel, compiled.text);
    const char *why = good ? take(variants, variant, &compiled) : "the second compile failed";
    free(compiled.elf);
    free(compiled.text);
    if (why != NULL) {
        variant->state = VARIANT_REFUSED;
        variants->counts.refused++;
        state_of(variants, kernel)->gains.count++;
        device->again.gains.count++;
        again_log(device, "kernel %s: refused: %s", kernel->name, why);
        return;
    }
    variant->state = device->again.options.when == TANDEM_RECOMPILE_AUTO ? VARIANT_TRIAL : VARIANT_KEPT;
    again_log(device, "kernel %s: code %u bytes, before %u; registers %u, before %u; %s", kernel->name,
              variant->own->code_size, kernel->code_size, variant->own->registers, kernel->registers,
              variant->state == VARIANT_TRIAL ? "on trial" : "in use");
}

// ---- judging ----

static bool idle(const struct tandem_device *device) {
    for (uint32_t k = 0; k < device->options.config->channels; k++)
        if (device->channels[k] != NULL && device->channels[k]->launches != NULL) return false;
    return true;
}

static void judge(struct variants *variants, struct variant *variant) {
    struct tandem_device *device = variants->module->device;
    const struct trial_result result = trial_result(&variant->trial);
    if (variant->state != VARIANT_TRIAL || result.verdict == TRIAL_OPEN) return;
    const char *name = variant->kernel->name;
    variant->state = result.verdict == TRIAL_NO_FASTER ? VARIANT_DROPPED : VARIANT_KEPT;
    if (result.verdict == TRIAL_UNKNOWN) {
        again_log(device, "kernel %s: kept without a figure: too few of %u launches ran alone", name,
                  (unsigned)TRIAL_LAUNCHES);
        return;
    }
    struct gains *gains[] = {&state_of(variants, variant->kernel)->gains, &device->again.gains};
    for (size_t k = 0; k < 2; k++) {
        gains[k]->count++;
        if (result.verdict == TRIAL_FASTER) gains[k]->sum += 1 - result.variant / result.first;
    }
    variants->counts.dropped += result.verdict == TRIAL_NO_FASTER;
    again_log(device, "kernel %s: %s: %.0f cycles before, %.0f after, for %s (%u launches each that ran alone)", name,
              result.verdict == TRIAL_FASTER ? "kept" : "dropped", result.first, result.variant,
              result.of_items ? "1000 work-items" : "the same launch", result.samples);
}

// Takes in what timed launches have taken.
static void collect(struct variants *variants) {
    for (struct sample **place = &variants->samples; *place != NULL;) {
        struct sample *sample = *place;
        if (!sample->timing->ended) {
            place = &sample->next;
            continue;
        }
        *place = sample->next;
        if (sample->timing->alone) {
            trial_add(&sample->variant->trial, sample->side, sample->key, sample->timing->cycles, sample->threads);
            if (sample->side == TRIAL_FIRST) {
                struct measured *measured = &state_of(variants, sample->variant->kernel)->measured;
                measured->cycles += sample->timing->cycles;
                measured->threads += sample->threads;
            }
            judge(variants, sample->variant);
        }
        timing_release(sample->timing);
        free(sample);
    }
    for (size_t k = 0; k < variants->count; k++) {
        struct variant *variant = variants->list[k];
        if (variant->state != VARIANT_DROPPED || variant->module == NULL || !idle(variants->module->device)) continue;
        loaded_free(variant->module);
        variant->module = NULL;
    }
}

// ---- finding one ----

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

static struct variant *find(const struct variants *variants, const struct code_kernel *kernel,
                            const struct launch_facts *facts) {
    for (size_t k = 0; k < variants->count; k++)
        if (variants->list[k]->kernel == kernel && same_facts(variants->list[k], facts)) return variants->list[k];
    return NULL;
}

// Facts without code are forgotten when there is no room, those first that have not come for the longest time.
static bool forget_one(struct variants *variants) {
    size_t oldest = variants->count;
    for (size_t k = 0; k < variants->count; k++) {
        const struct variant *variant = variants->list[k];
        if (variant->module == NULL && (oldest == variants->count || variant->used < variants->list[oldest]->used))
            oldest = k;
    }
    if (oldest == variants->count) return false;
    struct variant *variant = variants->list[oldest];
    for (struct sample **place = &variants->samples; *place != NULL;) {
        struct sample *sample = *place;
        if (sample->variant != variant) {
            place = &sample->next;
            continue;
        }
        *place = sample->next;
        timing_release(sample->timing);
        free(sample);
    }
    free_variant(variant);
    variants->list[oldest] = variants->list[--variants->count];
    return true;
}

// NULL: no room.
static struct variant *add(struct variants *variants, const struct code_kernel *kernel,
                           const struct launch_facts *facts) {
    struct tandem_device *device = variants->module->device;
    const unsigned asked = device->again.options.variants_max, most = asked != 0 ? asked : VARIANTS_DEFAULT;
    if (variants->count >= most && !forget_one(variants)) return NULL;
    struct variant **list = realloc(variants->list, (variants->count + 1) * sizeof(struct variant *));
    if (list == NULL) return NULL;
    variants->list = list;
    struct variant *variant = calloc(1, sizeof *variant);
    struct alias_pair *pairs = malloc(facts->count * sizeof *pairs);
    if (variant == NULL || pairs == NULL) {
        free(variant);
        free(pairs);
        return NULL;
    }
    *variant = (struct variant){.kernel = kernel, .pairs = pairs, .pair_count = facts->count};
    memcpy(variant->alignment, facts->alignment, sizeof variant->alignment);
    memcpy(pairs, facts->pairs, facts->count * sizeof *pairs);
    variants->list[variants->count++] = variant;
    log_facts(device, kernel, facts);
    return variant;
}

// ---- a launch ----

static bool launches_tasks(const struct code_object *object, const struct code_kernel *kernel) {
    for (uint32_t k = 0; k < kernel->code_size / 8; k++)
        if (isa_opcode(object->text[kernel->entry / 8 + k]) == OP_LAUNCH) return true;
    return false;
}

// Why no launch of this kernel can run a variant; NULL: it may.
static const char *why_never(const struct variants *variants, const struct code_kernel *kernel) {
    const struct code_object *object = &variants->module->object;
    if (object->again_size == 0) return "its code object keeps nothing for a second compile";
    if (again_compiler(variants->module->device) == NULL) return "this program has no compiler linked into it";
    // What these have in device memory there must be once.
    if (object->data_size > 0) return "its program has variables in global memory";
    if (object->format_count > 0) return "its program prints";
    if (kernel->work_queue != 0 || launches_tasks(object, kernel)) return "its threads launch tasks";
    return NULL;
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ ((const uint8_t *)bytes)[k]) * UINT64_C(0x100000001B3);
    return hash;
}

// Of launches that do the same work, as far as can be known: range and values (FNV-1a).
static uint64_t key_of(const struct code_kernel *kernel, const struct tandem_range *range,
                       const struct tandem_argument *arguments) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (unsigned d = 0; d < range->dimensions; d++) {
        hash = add_bytes(hash, &range->global[d], sizeof range->global[d]);
        hash = add_bytes(hash, &range->local[d], sizeof range->local[d]);
    }
    for (size_t k = 0; k < kernel->argument_count; k++)
        if (kernel->arguments[k].kind == ARG_VALUE) hash = add_bytes(hash, arguments[k].data, arguments[k].size);
    return hash;
}

static uint64_t threads_of(const uint32_t sizes[3], unsigned dimensions) {
    uint64_t threads = 1;
    for (unsigned d = 0; d < dimensions; d++)
        threads *= sizes[d];
    return threads;
}

// Whether the variant is to be compiled before this launch.
static bool is_due(struct variants *variants, struct variant *variant, uint64_t threads) {
    const struct tandem_device *device = variants->module->device;
    const struct code_kernel *kernel = variant->kernel;
    const struct kernel_state *state = state_of(variants, kernel);
    variant->spent += policy_launch_cycles(device->options.config, kernel->code_size / 8, &state->measured, threads);
    if (device->again.options.when == TANDEM_RECOMPILE_ALWAYS) return true;
    const uint64_t given = device->again.options.price;
    const double price = given != 0 ? (double)given : policy_price(device, variants->module->object.text_words);
    const double expected = policy_expected(&state->gains, &device->again.gains);
    if (policy_is_worth(variant->spent, expected, price)) return true;
    if (variant->launches++ == 0) {
        again_log(variants->module->device,
                  "kernel %s: waits: a compile costs %.0f cycles and should save %.0f %%, launches so far take %.0f",
                  kernel->name, price, 100 * expected, variant->spent);
    }
    return false;
}

// The variant of these facts, which this launch may run. NULL: the first compile it is.
static struct variant *variant_for(struct variants *variants, const struct code_kernel *kernel,
                                   const struct launch_facts *facts) {
    struct tandem_device *device = variants->module->device;
    if (facts->count == 0 || device->again.options.when == TANDEM_RECOMPILE_NEVER) return NULL;
    const char *why = why_never(variants, kernel);
    struct kernel_state *state = state_of(variants, kernel);
    if (why != NULL) {
        if (!state->told) again_log(device, "kernel %s: never compiled again: %s", kernel->name, why);
        state->told = true;
        return NULL;
    }
    struct variant *variant = find(variants, kernel, facts);
    return variant != NULL ? variant : add(variants, kernel, facts);
}

// choice->key and threads are set.
static void decide(struct variants *variants, struct variant *variant, const struct launch_facts *facts, uint64_t group,
                   struct variant_choice *choice) {
    struct tandem_device *device = variants->module->device;
    bool made = false;
    variant->used = variants->counts.launches;
    if (variant->state == VARIANT_WAITS && is_due(variants, variant, choice->threads)) {
        compile(variants, variant, facts);
        made = true;
    }
    if (variant->state == VARIANT_WAITS) {
        trial_before(&variant->trial, choice->key);
        choice->variant = variant;
    }
    judge(variants, variant);
    if (variant->state != VARIANT_TRIAL && variant->state != VARIANT_KEPT) return;
    // A work-group that the first compile can run must not become too large for its registers.
    if (group > kernel_threads_limit(device, variant->own)) return;
    if (variant->state == VARIANT_TRIAL) {
        choice->variant = variant;
        choice->side = trial_turn(&variant->trial, choice->key);
        if (choice->side == TRIAL_FIRST) return;
    }
    choice->module = variant->module;
    choice->hit = !made;
}

enum tandem_status variants_choose(struct tandem_channel *channel, struct tandem_module *module,
                                   const struct code_kernel *kernel, const struct tandem_range *range,
                                   const struct tandem_argument *arguments, const struct tandem_region *regions,
                                   struct variant_choice *choice) {
    struct variants *variants = module->variants;
    struct launch_facts facts;
    *choice = (struct variant_choice){.module = module, .side = TRIAL_FIRST};
    enum tandem_status status = regions_find_facts(channel, kernel, arguments, regions, &facts);
    if (status != TANDEM_OK) return status;
    collect(variants);
    struct variant *variant = variant_for(variants, kernel, &facts);
    if (variant == NULL) return TANDEM_OK;
    choice->key = key_of(kernel, range, arguments);
    choice->threads = threads_of(range->global, range->dimensions);
    decide(variants, variant, &facts, threads_of(range->local, range->dimensions), choice);
    return TANDEM_OK;
}

void variants_launched(struct tandem_module *module, const struct variant_choice *choice, struct timing *timing) {
    struct variants *variants = module->variants;
    variants->counts.launches++;
    variants->counts.hits += choice->hit;
    variants->counts.first += choice->module == module;
    if (timing == NULL) return;
    struct sample *sample = malloc(sizeof *sample);
    if (sample == NULL) {
        timing_release(timing);
        return;
    }
    *sample = (struct sample){variants->samples, timing, choice->variant, choice->side, choice->key, choice->threads};
    variants->samples = sample;
}

struct tandem_recompile_counts variants_counts(const struct tandem_module *module) {
    collect(module->variants);
    return module->variants->counts;
}
