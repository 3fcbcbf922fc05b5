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
};

// Performs the request (mem_perform) and fills in the PERFORM event that it is, all fields by the rules of the RTL:
// wdata shows the bytes that wstrb names, of an atomic operand and swap value, of a read nothing; fault is 1 outside
// the space and else 0, because a bus error (response->fault 2) is known only later.
void mem_perform_event(struct ppu *ppu, uint32_t port, const struct mem_request *request, struct mem_response *response,
                       struct trace_event *model);

// Performs an atomic on a word in memory (physical, inside); returns the old word.
uint32_t atomic_unit_perform(struct ppu *ppu, uint64_t physical, uint32_t atom, uint32_t operand, uint32_t swap);

#endif
