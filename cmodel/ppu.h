// The C golden model of the PPU: one opaque device, no global state; many may live in one process.
//
// Two ways to run it. Alone (ppu_step): the model's own seeded schedule decides who goes next. In tandem (ppu_follow):
// somebody else, the RTL, has decided; the model takes the decisions of timing from each event, checks that they are
// legal, and computes every value itself. Both ways go through the same actions of the units (host/, task/, sm/, mem/),
// so what is checked is what is run.
#ifndef TANDEM_CMODEL_PPU_H
#define TANDEM_CMODEL_PPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/image.h"
#include "base/look.h"
#include "base/memory_given.h"
#include "base/observer.h"  // struct ppu_counters, ppu_trace_sink
#include "gen/config.h"     // struct ppu_config, ppu_config_find(): generated from rtl/configs.tbl
#include "gen/trace.h"      // struct trace_event: generated from tb/trace_events.tbl

struct ppu;

// Makes a device in its reset state. config: copied. mem_bytes: device memory, multiple of 4096, at most 4 GiB - 4096,
// zeroed. seed: of the model's own schedule (ppu_step); any value. Returns NULL when memory is short. The caller owns
// it: ppu_destroy.
struct ppu *ppu_create(const struct ppu_config *config, size_t mem_bytes, uint64_t seed);
// The same with memory of mem_bytes that is the caller's, as it stands; NULL: its own.
struct ppu *ppu_create_on(const struct ppu_config *config, size_t mem_bytes, uint64_t seed,
                          const struct memory_given *given);
void ppu_destroy(struct ppu *ppu);

const struct ppu_config *ppu_get_config(const struct ppu *ppu);

// Device memory as the CPU reaches it, by physical address. False (and nothing done) when [addr, addr + size) is not
// all inside.
bool ppu_mem_read(const struct ppu *ppu, uint64_t addr, void *to, size_t size);
bool ppu_mem_write(struct ppu *ppu, uint64_t addr, const void *from, size_t size);
// All zero; memory that is not the device's own: false.
bool ppu_mem_clear(struct ppu *ppu, uint64_t addr, size_t size);
const uint8_t *ppu_mem(const struct ppu *ppu);  // the whole memory, for comparing; NULL: it is reached by functions
size_t ppu_mem_size(const struct ppu *ppu);

// Registers (gen/registers.h), offset a multiple of 4; a hole reads 0 and ignores writes.
uint32_t ppu_reg_read(struct ppu *ppu, uint32_t offset);
void ppu_reg_write(struct ppu *ppu, uint32_t offset, uint32_t value);
bool ppu_irq(const struct ppu *ppu);

// Alone: physical memory [base, base + size) answers the PPU (not the CPU) with bus errors; with writes_only it can be
// read. size 0: none. In tandem the RTL's memory decides.
void ppu_set_bus_errors(struct ppu *ppu, uint64_t base, uint64_t size, bool writes_only);

// Alone: does up to `quanta` steps of the schedule (about one instruction of one warp, or one host or task action,
// each; this is also what CYCLES counts in the model). Returns the number done; fewer than asked means that nothing can
// go on until the CPU writes a register or memory (idle, or every channel blocked or faulted).
uint64_t ppu_step(struct ppu *ppu, uint64_t quanta);

// Alone: whether what nobody looks at goes the quick way (sm/native.h; so it is at first). Nothing but time depends on it.
void ppu_set_native(struct ppu *ppu, bool native);

// Where the model's own events go while it runs alone; NULL: nowhere (fast).
void ppu_set_trace(struct ppu *ppu, ppu_trace_sink *sink, void *context);

// In tandem: performs what `rtl` says was done. On true, *model is the model's version of the event, every field filled
// in; the caller compares (trace_event_compare). False: the choice was not legal or nothing of the kind was due; why
// (size why_size) says so.
bool ppu_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, char *why, size_t why_size);

// In tandem, before the first event: whoever leads has no instruction cache, or does not tell what it reads. Each
// instruction is then what memory holds when it is issued.
void ppu_follow_without_fetches(struct ppu *ppu);

// In tandem, before the first event, of a device that has run alone: what it has done is done, and nothing of it is due.
void ppu_follow_from_here(struct ppu *ppu);

// Saves the whole device, or loads it into one of the same configuration and size of memory that has done nothing yet.
// image->failed: it did not work; a device that was loaded into is then to be destroyed.
void ppu_image(struct ppu *ppu, struct image *image);
bool ppu_following(const struct ppu *ppu);  // it has followed an event
uint64_t ppu_cycle(const struct ppu *ppu);  // of the last event; alone, steps done

// True when nothing that the model computed is still waiting for its event (write-backs, requests); else why names the
// first.
bool ppu_quiescent(const struct ppu *ppu, char *why, size_t why_size);

void ppu_get_counters(const struct ppu *ppu, struct ppu_counters *to);

// For mismatch reports: writes the state of one warp / one channel as text (several lines), at most size bytes with the
// final 0.
void ppu_describe_warp(const struct ppu *ppu, unsigned sm, unsigned warp, char *to, size_t size);
void ppu_describe_channel(const struct ppu *ppu, unsigned channel, char *to, size_t size);

// For a debugger: looked at, nothing changes. False: there is no such SM, warp (place and look: or it does not run),
// channel, register, thread, token, or not all of the bytes are there. Local memory is that of a thread.
bool ppu_look_place(const struct ppu *ppu, unsigned sm, unsigned warp, struct warp_place *place);
bool ppu_look_warp(const struct ppu *ppu, unsigned sm, unsigned warp, struct warp_look *look);
bool ppu_look_register(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned thread, unsigned number,
                       uint32_t *value);
bool ppu_look_token(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned number, struct token_look *token);
bool ppu_look_shared(const struct ppu *ppu, unsigned sm, unsigned warp, uint32_t offset, void *to, uint32_t size);
bool ppu_look_local(const struct ppu *ppu, unsigned sm, unsigned warp, unsigned thread, uint32_t offset, void *to,
                    uint32_t size);
bool ppu_look_channel(const struct ppu *ppu, unsigned channel, struct channel_look *look);

// A defect on purpose, for the test that the tandem check finds it (each folder's README.md lists its numbers). 0:
// none.
void ppu_inject(struct ppu *ppu, unsigned defect);

#endif
