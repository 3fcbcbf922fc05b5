// Programs that overwrite code while they run (../device/changing_program.h), any number of them.
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "common/seed.h"
#include "device/changing_program.h"

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf(
            "usage: changing-code [OPTION]...\n"
            "Runs programs that overwrite their own code, and expects model and RTL to agree.\n"
            "  --device NAME   default tandem:nano\n"
            "  --count N       how many (default 500)\n"
            "  --seed N        of the first; each further one has the next number (default: what TANDEM_SEED says,\n"
            "                  else a fresh one)\n"
            "Exit status 1 when one failed, 2 when an option is wrong.\n");
        return 0;
    }
    const char *device = "tandem:nano";
    uint64_t count = 500, seed = seed_from_environment();
    const struct option_row rows[] = {{.name = "--device", .text = &device},
                                      {.name = "--count", .number = &count, .least = 1, .most = UINT32_MAX},
                                      {.name = "--seed", .number = &seed, .most = UINT64_MAX}};
    if (!options_parse("changing-code", rows, sizeof rows / sizeof rows[0], argc, argv, NULL, NULL)) return 2;
    printf("%s: %llu programs that change themselves, --seed %llu repeats them\n", device, (unsigned long long)count,
           (unsigned long long)seed);
    fflush(stdout);
    struct changing_outcomes outcomes = {{0}};
    for (uint64_t i = 0; i < count; i++) {
        char why[2048] = "";
        if (changing_program_run(device, seed + i, &outcomes, why, sizeof why)) continue;
        printf("%s\nreplay: changing-code --device %s --count 1 --seed %llu\n", why, device,
               (unsigned long long)(seed + i));
        return 1;
    }
    printf("%s: agreed; launches:", device);
    for (unsigned s = 0; s < sizeof outcomes.count / sizeof outcomes.count[0]; s++) {
        if (outcomes.count[s] != 0) printf(" %u %s", outcomes.count[s], tandem_status_name((enum tandem_status)s));
    }
    printf("\n");
    return 0;
}
