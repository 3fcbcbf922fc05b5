// Memory of the model: the twin of rtl/mem. There is no bus here: a request is performed at once, whole, in the order
// in which mem_perform is called, which in tandem is the order of the RTL's PERFORM events.
#ifndef TANDEM_CMODEL_MEM_H
#define TANDEM_CMODEL_MEM_H

#include <stddef.h>

#include "base/fault.h"
#include "base/image.h"
#include "base/memory_given.h"
#include "base/run.h"
#include "base/why.h"
#include "gen/bundles.h"

#define LINE_BYTES 32u

// Ports of the memory unit (rtl/mem/README.md).
enum mem_port {
    MEM_PORT_HOST = 0,
    MEM_PORT_SEMAPHORE = 1,
    MEM_PORT_TASK = 2,
    MEM_PORT_SM = 3,  // + 2s fetch, + 2s + 1 load/store; behind those of all SMs + s tokens, then the CPU's, host_port
    MEM_PORTS = 52    // of 16 SMs
};
// In place of a channel: the address is physical. So are those of tokens and of host_port.
#define MEM_PHYSICAL 0xFFu
enum mem_op { MEM_READ = REQUEST_READ, MEM_WRITE = REQUEST_WRITE, MEM_ATOMIC = REQUEST_ATOMIC };

// A request as the memory unit sees it; see the table in rtl/mem/README.md.
struct mem_request {
    enum mem_op op;
    uint32_t atom;     // table atom, for MEM_ATOMIC
    uint32_t channel;  // whose address space
    uint32_t addr;     // line address, or word address for MEM_ATOMIC
    uint32_t wstrb;
    uint8_t wdata[LINE_BYTES];  // MEM_ATOMIC: bytes 0-3 operand, 4-7 new value of CAS
};
struct mem_response {
    uint8_t data[LINE_BYTES];  // MEM_ATOMIC: bytes 0-3 old word
    uint32_t fault;            // enum answer_value
    uint64_t order;            // later requests have higher numbers
};

// In tandem: whose a request is, for the case that the memory answers it with an error. What is written here means
// something to the unit on the port only.
struct mem_note {
    uint32_t what, number, serial, pc;
    uint64_t threads, order;
};

// A request that was performed in tandem: what it was, and what an error of the memory takes back.
struct mem_record {
    struct mem_request request;
    uint64_t physical;
    uint8_t before[LINE_BYTES];  // the line, of an atomic the word
    uint32_t fault;
    bool told;  // that it failed
    struct mem_note note;
};

// The address space of a channel: physical addresses base to base + size.
struct mem_space {
    uint32_t base, size;
};

// What comes from above: inputs of rtl/mem/memory_unit.sv. Whoever owns what is pointed to outlives the memory's use.
struct mem_wires {
    const struct mem_space *space;  // of each channel: registers of the host interface
    fault_action *fault;            // atomics of a channel that were answered are lost
    void *context;                  // of the action
};

// bytes: device memory, zeroed, or what is given (NULL: nothing is; copied, what it points to must outlive the memory).
// run must outlive it. NULL: memory is short. The caller owns it: mem_destroy.
struct mem;
struct mem *mem_create(struct run *run, size_t bytes, const struct memory_given *given);
void mem_connect(struct mem *mem, const struct mem_wires *wires);  // before the first request
void mem_destroy(struct mem *mem);
// pages: of 4096 bytes, what the memory of the RTL has (MEMORY_PAGES); past its end all is outside. 0: 4 GiB.
void mem_set_pages(struct mem *mem, uint32_t pages);
uint8_t *mem_bytes(struct mem *mem);  // NULL: it is reached by functions
size_t mem_size(const struct mem *mem);
// Bytes of [physical, physical + size), which is inside.
void mem_get(const struct mem *mem, uint64_t physical, void *to, size_t size);
void mem_put(struct mem *mem, uint64_t physical, const void *from, size_t size);
// They become 0, and cost the host no memory any more. False: the memory is somebody else's, and as it was.
bool mem_clear(struct mem *mem, uint64_t physical, size_t size);

// Saves or loads memory and what belongs to it; when loading fails the device is to be destroyed.
void mem_image(struct mem *mem, struct image *image);

// ---- address_space.c ----
// Physical address of [addr, addr + size) in the channel's space; false when any of it is outside.
bool address_space_translate(const struct mem *mem, uint32_t channel, uint32_t addr, uint32_t size, uint64_t *physical);
struct mem_space address_space_of(const struct mem *mem, uint32_t channel);

// ---- atomic_unit.c ----
// The pure part of an atomic: the word after the operation.
uint32_t atomic_unit_result(uint32_t atom, uint32_t old, uint32_t operand, uint32_t swap);

// ---- mem.c ----
// Performs a request now, in the space of its channel. Never fails: the fault is in the response.
void mem_perform(struct mem *mem, const struct mem_request *request, struct mem_response *response);
// What a read of the line would bring, for questions: nothing changes. False: it would fail.
bool mem_look(const struct mem *mem, uint32_t channel, uint32_t addr, uint8_t line[LINE_BYTES]);
// Performs the request and fills in the PERFORM event that it is, all fields by the rules of the RTL: wdata shows the
// bytes that wstrb names, of an atomic operand and swap value, of a read nothing; fault is 1 outside the space and else
// 0, because a bus error (response->fault 2) is known only later.
void mem_perform_event(struct mem *mem, uint32_t port, const struct mem_request *request, struct mem_response *response,
                       struct trace_event *model);
// Alone: reports an event, and after PERFORM what follows it if its request failed.
void mem_emit(struct mem *mem, const struct trace_event *event);

// ---- bus_error.c ----
// Alone: a part of memory answers with errors. size 0: none.
void mem_set_errors(struct mem *mem, uint64_t base, uint64_t size, bool writes_only);
bool mem_may_fail(const struct mem *mem);
// Does the memory answer with an error? Alone; in tandem only for what lies past its end.
bool mem_fails(const struct mem *mem, enum mem_op op, uint64_t physical, uint32_t size);
// A read that changes nothing here: a line of a program.
void mem_record_read(struct mem *mem, uint32_t port, const struct mem_request *request, bool inside, uint64_t physical);
// Of the request that was performed last on the port.
void mem_note(struct mem *mem, uint32_t port, const struct mem_note *note);
// The note of the last request performed on the port that touched the physical line, if that was a read; NULL: it was
// none, or too long ago for its answer to come.
const struct mem_note *mem_last_read(const struct mem *mem, uint32_t port, uint64_t line);
// BUS_ERROR: the request is taken back. NULL: refused; else the request, whose unit is to be told.
struct mem_record *mem_follow_bus_error(struct mem *mem, const struct trace_event *rtl, struct trace_event *model,
                                        struct why why);
// WRITE_BACK_ERROR: the line's last atomics are taken back, their channel faults.
bool mem_follow_write_back_error(struct mem *mem, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why);

#endif
