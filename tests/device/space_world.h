// Spaces of a device with a hostile one among them: in front of it and behind it in memory stand witnesses, whose memory
// nobody may change, and an honest one, whose launches must give their results whatever the hostile one does.
#ifndef TANDEM_TESTS_SPACE_WORLD_H
#define TANDEM_TESTS_SPACE_WORLD_H

#include "on_devices.h"

#define SPACE_BYTES 0x80000u
#define CODE_END (SPACE_BYTES / 8)  // code stands below
#define HONEST_THREADS 64u

struct space_world {
    struct tandem_device *device;
    struct tandem_space *witness[2], *hostile, *honest;
    struct tandem_channel *bad, *good;  // of the hostile, of the honest space
    struct tandem_module *bad_module, *good_module;
    tandem_addr scratch, in, out;  // scratch: of the hostile space, 4096 bytes
    uint64_t random;
    unsigned rounds;  // of the honest space
};

// seed 0: that of TANDEM_SEED, or a fresh one. It is printed.
void space_world_begin(struct space_world *w, const char *name, uint64_t seed);
void space_world_end(struct space_world *w);
uint32_t space_random(struct space_world *w);  // 32 bits
// A program of the text in the space.
struct tandem_module *space_assembly(struct tandem_space *space, struct tandem_device *device, const char *text);
// The hostile space's program; its scratch.
void hostile_load(struct space_world *w);
// That, again, in place of a program that was overwritten; no task of the channel is left.
void hostile_renew(struct space_world *w);
// The honest space's launch: submitted, then awaited and compared. True: it ended in time with the right results.
void honest_submit(struct space_world *w);
bool honest_done(struct space_world *w, uint64_t deadline);
// One of both; a mismatch or a wrong result fails the test, and so does one that is late, unless the hostile channel is
// reset (may_stop) and it is in time then.
void honest_round(struct space_world *w, bool may_stop);
// Launches a kernel of the hostile module (arguments: words) without waiting; the status of it.
enum tandem_status hostile_launch(struct space_world *w, const char *kernel, uint32_t threads, const uint32_t *words,
                                  size_t count);
// The hostile channel as new: reset when it is faulted or does not end by itself; a mismatch fails the test.
void hostile_settle(struct space_world *w, uint64_t deadline);
// Nobody has changed the witnesses.
void witnesses_whole(struct space_world *w);

#endif
