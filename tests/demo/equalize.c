// The first ride: histogram equalization of a photograph by OpenCL kernels through a channel of any device, checked
// against plain C. The samples of a colour picture share one table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/streams.h"
#include "picture.h"
#include "ride.h"

static const char help[] =
    "usage: equalize [OPTION]... IN OUT\n"
    "Equalizes the picture IN (binary PGM or PPM, 8 bits) on a device and writes OUT.\n"
    "  --device NAME    default tandem:small; model:full, rtl:nano and so on\n"
    "  --seed N         seed of the device's schedule and memory timing\n"
    "  --kernels DIR    where histogram.cl and compute_output.cl are (default tests/kernels)\n"
    "  --again WHEN     compile kernels again when their arguments are known: auto (where it should pay; default), "
    "never, always;\n"
    "                   with TANDEM_LOG=recompile in the environment it is told why\n"
    "  --repeat N       equalize the picture N times (1 to 1000), as if they were several\n"
    "  --deadline N     give up after N cycles (default 4294967296)\n"
    "Ends with one line: DEVICE: PASS or FAIL and figures. Exit code 0 PASS, 1 FAIL, 2 wrong usage, 128 + N ended by "
    "signal N.\n";

struct options {
    const char *device, *seed, *kernels, *again, *in, *out;
    unsigned long repeat;
    uint64_t deadline;
};

static void show_progress(void *context, const struct tandem_statistics *s) {
    time_t *last = context;
    time_t now = time(NULL);
    if (now == *last) return;
    *last = now;
    fprintf(stderr, "%s%llu cycles, %llu warp-instructions, %llu events compared, %.0f s%s", isatty(2) ? "\r" : "",
            (unsigned long long)s->cycles, (unsigned long long)s->warp_instructions, (unsigned long long)s->compared,
            s->seconds, isatty(2) ? "  " : "\n");
}

static int wrong_usage(const char *what) {
    fprintf(stderr, "equalize: %s; see equalize --help\n", what);
    return 2;
}

static int parse_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.device = "tandem:small", .kernels = "tests/kernels", .repeat = 1};
    for (int i = 1; i < argc; i++) {
        const char **texts[] = {&options->device, &options->seed, &options->kernels, &options->again};
        static const char *const names[] = {"--device", "--seed", "--kernels", "--again"};
        bool known = false;
        for (int t = 0; t < 4; t++) {
            if (strcmp(argv[i], names[t]) != 0) continue;
            if (i + 1 >= argc) return wrong_usage("an option has no value");
            *texts[t] = argv[++i];
            known = true;
            break;
        }
        if (known) continue;
        if (strcmp(argv[i], "--deadline") == 0) {
            char *end = NULL;
            if (i + 1 < argc) options->deadline = strtoull(argv[++i], &end, 0);
            if (end == NULL || *end != '\0' || end == argv[i])
                return wrong_usage("--deadline needs a number of cycles");
        } else if (strcmp(argv[i], "--repeat") == 0) {
            char *end = NULL;
            if (i + 1 < argc) options->repeat = strtoul(argv[++i], &end, 10);
            if (end == NULL || *end != '\0' || end == argv[i] || options->repeat < 1 || options->repeat > 1000)
                return wrong_usage("--repeat needs a number from 1 to 1000");
        } else if (argv[i][0] == '-') {
            return wrong_usage("unknown option");
        } else if (options->in == NULL) {
            options->in = argv[i];
        } else if (options->out == NULL) {
            options->out = argv[i];
        } else {
            return wrong_usage("more than two files");
        }
    }
    return options->out != NULL ? 0 : wrong_usage("two files are needed, IN and OUT");
}

static int equalize(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        fputs(help, stdout);
        return 0;
    }
    struct options options;
    int usage = parse_options(argc, argv, &options);
    if (usage != 0) return usage;

    char message[1024];
    struct picture picture;
    if (!picture_read(options.in, &picture, message, sizeof message)) {
        fprintf(stderr, "equalize: %s\n", message);
        return 1;
    }
    fprintf(stderr, "equalize: %s: %u x %u pixels, %u channel(s)\n", options.in, picture.width, picture.height,
            picture.channels);
    if (picture.size > RIDE_SAMPLES_MAX) {
        fprintf(stderr, "equalize: %s: more than %u samples, for which the table's arithmetic has no bits\n",
                options.in, RIDE_SAMPLES_MAX);
        picture_free(&picture);
        return 1;
    }
    uint8_t *expected = malloc(picture.size), *got = calloc(1, picture.size);
    if (expected == NULL || got == NULL) {
        fprintf(stderr, "equalize: the host has no memory for %zu samples\n", picture.size);
        free(expected);
        free(got);
        picture_free(&picture);
        return 1;
    }
    equalize_plainly(picture.samples, expected, picture.size);

    char name[1024];
    snprintf(name, sizeof name, "%s%s%s%s%s", options.device, options.seed != NULL ? ",seed=" : "",
             options.seed != NULL ? options.seed : "", options.again != NULL ? ",again=" : "",
             options.again != NULL ? options.again : "");
    struct ride ride = {.deadline = options.deadline};
    time_t last = time(NULL);
    bool pass = ride_begin(&ride, name, options.kernels);
    if (ride.device != NULL) interrupt_begin(ride.device);
    if (pass) {
        tandem_set_progress(ride.device, show_progress, &last);
    }
    size_t wrong = 0;
    for (unsigned long k = 0; pass && wrong == 0 && k < options.repeat; k++) {
        memset(got, 0, picture.size);
        pass = ride_equalize(&ride, picture.samples, got, picture.size);
        for (size_t i = 0; pass && i < picture.size; i++)
            wrong += expected[i] != got[i];
    }
    if (isatty(2)) fputc('\n', stderr);
    if (wrong > 0)
        fprintf(stderr, "equalize: %zu of %zu samples differ from the plain C computation\n", wrong, picture.size);
    struct tandem_statistics s;
    interrupt_closing();
    pass = ride_end(&ride, &s) && pass && wrong == 0;
    const int number = ride.device != NULL ? interrupt_end() : 0;
    memcpy(picture.samples, got, picture.size);
    if (pass && !picture_write(options.out, &picture, message, sizeof message)) {
        fprintf(stderr, "equalize: %s\n", message);
        pass = false;
    }
    size_t kind = strcspn(options.device, ":");
    printf("%.*s: %s warp-instructions=%llu events=%llu mismatches=%llu cycles=%llu cycles/s=%.0f\n", (int)kind,
           options.device, pass ? "PASS" : "FAIL", (unsigned long long)s.warp_instructions,
           (unsigned long long)s.events, (unsigned long long)s.mismatches, (unsigned long long)s.cycles,
           s.seconds > 0 ? (double)s.cycles / s.seconds : 0.0);
    free(expected);
    free(got);
    picture_free(&picture);
    if (number != 0) return EXIT_SIGNAL(number);
    return pass ? 0 : 1;
}

int main(int argc, char **argv) {
    streams_begin();
    const int result = equalize(argc, argv);
    return streams_end("equalize") || result != 0 ? result : 1;
}
