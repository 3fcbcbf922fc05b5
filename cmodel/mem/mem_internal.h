// The state of the memory, shared by the files of this folder; nobody outside reads it.
#ifndef TANDEM_CMODEL_MEM_INTERNAL_H
#define TANDEM_CMODEL_MEM_INTERNAL_H

#include "mem/mem.h"

struct mem {
    struct run *run;
    struct mem_wires wires;
    struct memory_given given;
    uint8_t *bytes;  // NULL: reached by the functions given
    uint8_t *own;    // what is freed
    size_t size;
    uint64_t end;                     // what lies at or past it is outside
    uint64_t error_base, error_size;  // alone: where it answers with errors; error_size 0: nowhere
    bool error_writes_only;
    struct trace_event told;  // alone, if tells: the error that follows the PERFORM event just filled in
    bool tells;
    struct mem_records *records;  // in tandem: what was performed last; NULL: nothing yet
};

// ---- atomic_unit.c ----
// Performs an atomic on a word in memory (physical, inside); returns the old word.
uint32_t atomic_unit_perform(struct mem *mem, uint64_t physical, uint32_t atom, uint32_t operand, uint32_t swap);

// ---- bus_error.c ----
void mem_records_free(struct mem *mem);
void mem_records_image(struct mem *mem, struct image *image);
// The place for the next request of the port, kept for as long as its answer may come; NULL: alone.
struct mem_record *mem_record(struct mem *mem, uint32_t port);
void mem_record_atomic(struct mem *mem, const struct mem_request *request, uint64_t physical, uint32_t old);
// Alone: the event of the request that was performed last and failed, or was lost.
void mem_tell_error(struct mem *mem, uint32_t port, const struct mem_request *request, bool lost);
// Atomics of the channel are lost: its fault.
void mem_tell_lost(const struct mem *mem, uint32_t channel, uint32_t addr);

#endif
