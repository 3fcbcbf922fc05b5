// What `tandem run` is going to do, checked before there is a device: kernels, values, buffers.
#include <stdlib.h>
#include <string.h>

#include "run.h"

// The argument that is looked at, for messages.
struct place {
    const char *text;
    const struct code_argument *argument;
    size_t number;
};

static bool refuse(const struct place *place, const char *what) {
    complain("run", "argument %zu (%s%s%s), %s: %s", place->number, place->argument->type,
             place->argument->type[0] != '\0' ? " " : "", place->argument->name, place->text, what);
    return false;
}

static bool plan_value(const struct place *place, uint8_t value[RUN_VALUE_MAX]) {
    const size_t size = place->argument->size;
    if (size > RUN_VALUE_MAX) return refuse(place, "a value of this size cannot be given");
    const struct run_element element = run_element_of(place->argument->type, size);
    size_t given = 0;
    const char *wrong = run_numbers(place->text, element, value, size, &given);
    char text[160];
    if (wrong != NULL) {
        snprintf(text, sizeof text, "%s: write %s%s", wrong, element.lanes > 1 ? "numbers with commas" : "a number",
                 element.kind == ELEMENT_FLOAT ? "" : ", decimal or 0x..");
        return refuse(place, text);
    }
    if (given == element.bytes) {  // one number for all
        for (unsigned k = 1; k < element.lanes; k++)
            memcpy(value + (size_t)k * element.bytes, value, element.bytes);
    } else if (given != (size_t)element.lanes * element.bytes) {
        snprintf(text, sizeof text, "%zu numbers, the type has %u", given / element.bytes, element.lanes);
        return refuse(place, text);
    }
    return true;
}

static bool plan_local(const struct place *place, size_t *size) {
    uint64_t bytes = 0;
    if (strncmp(place->text, "local:", 6) != 0 || !parse_number(place->text + 6, &bytes) || bytes == 0 ||
        bytes > UINT32_MAX)
        return refuse(place, "this one points to local memory: local:BYTES");
    *size = (size_t)bytes;
    return true;
}

const struct run_buffer *run_plan_find(const struct run_plan *plan, const char *name, size_t length) {
    for (size_t k = 0; k < plan->buffer_count; k++) {
        const struct run_buffer *buffer = &plan->buffers[k];
        if (length > 0 && strlen(buffer->name) == length && strncmp(buffer->name, name, length) == 0) return buffer;
    }
    return NULL;
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool fill_list(const struct place *place, const char *numbers, struct run_buffer *buffer) {
    size_t count = 1;
    for (const char *at = numbers; *at != '\0'; at++)
        count += *at == ',';
    const size_t room = count * buffer->element.bytes;
    buffer->bytes = malloc(room);
    if (buffer->bytes == NULL) return refuse(place, "too large for the host's memory");
    const char *wrong = run_numbers(numbers, buffer->element, buffer->bytes, room, &buffer->size);
    return wrong == NULL || refuse(place, wrong);
}

// KIND:REST.
static bool fill_buffer(const struct place *place, const char *spec, struct run_buffer *buffer) {
    const bool in = starts(spec, "in:"), inout = starts(spec, "inout:"), out = starts(spec, "out:");
    if (!in && !inout && !out && !starts(spec, "zero:") && !starts(spec, "list:")) {
        return refuse(place,
                      "this one is a pointer: in:FILE, inout:FILE:OUT, out:OUT:BYTES, zero:BYTES, "
                      "list:N,N,.. or the name of an earlier buffer");
    }
    const char *rest = strchr(spec, ':') + 1;
    if (starts(spec, "list:")) return fill_list(place, rest, buffer);
    char *copy = strdup(rest);
    if (copy == NULL) return refuse(place, "too large for the host's memory");
    const char *last = copy;  // behind the last colon, where there are two parts
    if (inout || out) {
        char *colon = strrchr(copy, ':');
        if (colon != NULL) *colon = '\0';
        last = colon != NULL ? colon + 1 : "";
        buffer->out = strdup(inout ? last : copy);
        if (*last == '\0' || *copy == '\0' || buffer->out == NULL) {
            free(copy);
            return refuse(place, inout ? "write inout:FILE:OUT" : "write out:OUT:BYTES");
        }
    }
    bool good = true;
    uint64_t size = 0;
    if (in || inout) {
        buffer->bytes = read_file("run", copy, &buffer->size);
        good = buffer->bytes != NULL;
        if (good && buffer->size == 0) good = refuse(place, "the file is empty");
    } else if (!parse_number(last, &size) || size == 0 || size > UINT32_MAX) {
        good = refuse(place, "its size must be 1 to 4294967295 bytes");
    } else {
        buffer->size = (size_t)size;
    }
    free(copy);
    return good;
}

// [NAME=]KIND:REST, or NAME.
static bool plan_buffer(struct run_plan *plan, const struct place *place, int *number) {
    const size_t word = strcspn(place->text, "=:");
    const struct run_buffer *known = run_plan_find(plan, place->text, word);
    const bool named = place->text[word] == '=';
    if (known != NULL && place->text[word] == '\0') {
        *number = (int)(known - plan->buffers);
        return true;
    }
    if (named && known != NULL) return refuse(place, "an earlier buffer has this name");
    if (named && (word == 0 || word >= RUN_NAME_MAX)) return refuse(place, "the name must have 1 to 31 characters");
    if (plan->buffer_count == RUN_BUFFERS_MAX) return refuse(place, "more than 64 buffers");
    struct run_buffer *buffer = &plan->buffers[plan->buffer_count];
    *number = (int)plan->buffer_count++;
    buffer->element = run_element_of(place->argument->type, 4);
    if (named) snprintf(buffer->name, sizeof buffer->name, "%.*s", (int)word, place->text);
    return fill_buffer(place, named ? place->text + word + 1 : place->text, buffer);
}

static const struct code_kernel *choose_kernel(const char *file, const char *name, const struct code_object *object) {
    if (name == NULL && object->kernel_count == 1) return &object->kernels[0];
    const struct code_kernel *kernel = name != NULL ? code_object_find(object, name) : NULL;
    if (kernel != NULL) return kernel;
    if (name != NULL) {
        complain("run", "%s: no kernel \"%s\"; it has:", file, name);
    } else {
        complain("run", "%s: has several kernels; choose one with --kernel:", file);
    }
    for (size_t i = 0; i < object->kernel_count; i++)
        fprintf(stderr, "    %s\n", object->kernels[i].name);
    return NULL;
}

static bool plan_launch(const struct run_options *options, const struct code_object *object, struct run_plan *plan,
                        size_t number) {
    const struct run_launch *launch = &options->launches[number];
    const struct code_kernel *kernel = choose_kernel(options->file, launch->kernel, object);
    plan->launches[number].kernel = kernel;
    if (kernel == NULL) return false;
    if (launch->argument_count != kernel->argument_count) {
        complain("run", "kernel %s takes %zu arguments, %zu given with --arg", kernel->name, kernel->argument_count,
                 launch->argument_count);
        return false;
    }
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct place place = {launch->arguments[i], &kernel->arguments[i], i};
        plan->launches[number].arguments[i].buffer = -1;
        bool good = false;
        switch (kernel->arguments[i].kind) {
            case ARG_VALUE: good = plan_value(&place, plan->launches[number].arguments[i].value); break;
            case ARG_LOCAL: good = plan_local(&place, &plan->launches[number].arguments[i].size); break;
            case ARG_IMAGE:
            case ARG_PIPE:
            case ARG_SAMPLER:
                good = refuse(&place, "images, samplers and pipes are made through the OpenCL API only");
                break;
            default: good = plan_buffer(plan, &place, &plan->launches[number].arguments[i].buffer); break;
        }
        if (!good) return false;
    }
    return true;
}

bool run_plan_make(const struct run_options *options, const struct code_object *object, struct run_plan *plan) {
    for (size_t k = 0; k < options->launch_count; k++)
        if (!plan_launch(options, object, plan, k)) return false;
    for (size_t k = 0; k < options->shown_count; k++) {
        if (run_plan_find(plan, options->shown[k], strlen(options->shown[k])) != NULL) continue;
        complain("run", "--show %s: no buffer has this name; write --arg %s=KIND:..", options->shown[k],
                 options->shown[k]);
        return false;
    }
    for (size_t k = 0; k < options->saved_count; k++) {
        const size_t length = strcspn(options->saved[k], ":");
        if (options->saved[k][length] == ':' && options->saved[k][length + 1] != '\0' &&
            run_plan_find(plan, options->saved[k], length) != NULL)
            continue;
        complain("run", "--save %s: write NAME:FILE, with the name of a buffer (--arg NAME=KIND:..)",
                 options->saved[k]);
        return false;
    }
    return true;
}

void run_plan_free(struct run_plan *plan) {
    for (size_t k = 0; k < plan->buffer_count; k++) {
        free(plan->buffers[k].bytes);
        free(plan->buffers[k].out);
    }
    plan->buffer_count = 0;
}
