// Memory of the model: the twin of rtl/mem. There is no bus here: a request is performed at once, whole, in the order
// in which mem_perform is called, which in tandem is the order of the RTL's PERFORM events. mem_perform and its friends
// stand in
// ../ppu_internal.h; here is what goes with the events.
#ifndef TANDEM_CMODEL_MEM_H
#define TANDEM_CMODEL_MEM_H

#include "ppu_internal.h"

struct mem {
    uint8_t *bytes;
    size_t size;
    uint64_t error_base, error_size;  // alone: where it answers with errors; error_size 0: nowhere
    bool error_writes_only;
    struct trace_event told;  // alone, if tells: the error that follows the PERFORM event just filled in
    bool tells;
    struct mem_records *records;  // in tandem: what was performed last; NULL: nothing yet
};

// A request that was performed in tandem: what it was, and what an error of the memory takes back.
struct mem_record {
    struct mem_request request;
    uint64_t physical, order;
    uint8_t before[LINE_BYTES];  // the line, of an atomic the word
    uint32_t fault;
    bool told;  // that it failed
    struct mem_note note;
};

// ---- bus_error.c ----
// Does the memory answer with an error? Alone; in tandem only for what lies past its end.
bool mem_fails(const struct ppu *ppu, enum mem_op op, uint64_t physical, uint32_t size);
void mem_set_errors(struct mem *mem, uint64_t base, uint64_t size, bool writes_only);
void mem_records_free(struct mem *mem);
// The place for the next request of the port, kept for as long as its answer may come; NULL: alone.
struct mem_record *mem_record(struct ppu *ppu, uint32_t port);
// A read that changes nothing here: a line of a program.
void mem_record_read(struct ppu *ppu, uint32_t port, const struct mem_request *request, bool inside, uint64_t physical);
void mem_record_atomic(struct ppu *ppu, const struct mem_request *request, uint64_t physical, uint32_t old);
// Alone: the event of the request that was performed last and failed, or was lost.
void mem_tell_error(struct ppu *ppu, uint32_t port, const struct mem_request *request, bool lost);
// BUS_ERROR: the request is taken back. NULL: refused; else the request, whose unit is to be told.
struct mem_record *mem_follow_bus_error(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                        struct why why);
// WRITE_BACK_ERROR: the line's last atomics are taken back, their channel faults.
bool mem_follow_write_back_error(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why);

// Performs the request (mem_perform) and fills in the PERFORM event that it is, all fields by the rules of the RTL:
// wdata shows the bytes that wstrb names, of an atomic operand and swap value, of a read nothing; fault is 1 outside
// the space and else 0, because a bus error (response->fault 2) is known only later.
void mem_perform_event(struct ppu *ppu, uint32_t port, const struct mem_request *request, struct mem_response *response,
                       struct trace_event *model);

// Performs an atomic on a word in memory (physical, inside); returns the old word.
uint32_t atomic_unit_perform(struct ppu *ppu, uint64_t physical, uint32_t atom, uint32_t operand, uint32_t swap);

#endif
