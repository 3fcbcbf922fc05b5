// The state of the host interface, shared by the files of this folder; nobody outside reads it. One struct host_channel
// has what the four RTL units keep for a channel; each file works on its unit's part: host_registers.c, gp_fetch.c,
// method_parser.c, semaphore_unit.c. host.c joins them.
#ifndef TANDEM_CMODEL_HOST_INTERNAL_H
#define TANDEM_CMODEL_HOST_INTERNAL_H

#include "gen/registers.h"
#include "host/channel_choice.h"
#include "host/host.h"
#include "host/semaphore_unit.h"

// What the line buffer holds for a channel.
enum host_line { HOST_LINE_NONE, HOST_LINE_RING, HOST_LINE_BLOCK };

enum host_mode { HOST_MODE_INC, HOST_MODE_NON_INC, HOST_MODE_ONE_INC };

struct host_method {
    uint32_t subchannel, addr, data;  // addr: method byte address / 4
};

struct host_channel {
    // host_registers
    bool enable, fault_pending;
    bool ppu_owned;                             // CONTROL.PPU_OWNED: GP_PUT follows GP_GET
    uint32_t fault_code, fault_info, fault_pc;  // of the fault that the channel has, or that waits for its event
    uint32_t priority, gp_base, gp_entries, gp_put, gp_get;
    uint32_t acquire_retry, acquire_timeout, reference;

    // gp_fetch: the place in the entry
    bool busy;             // an entry is begun
    uint32_t block, left;  // next word's address, words left
    enum host_line line;
    uint32_t line_addr;
    uint8_t line_bytes[LINE_BYTES];
    uint32_t own_code, own_info;  // a fault found by an access or in an entry or header, its event due; 0: none

    // method_parser
    uint32_t count, address, subchannel;  // data words still to come of the running method
    enum host_mode mode;
    bool object;  // the compute class is bound
    uint32_t semaphore_a, semaphore_b, semaphore_c, pcas_a, region, local;
    bool held;  // a method has been taken from the block and is not executed yet
    struct host_method method;
    uint32_t signature;  // of all methods executed

    // semaphore_unit
    bool tried;  // the access is performed, its SEMAPHORE event due
    struct mem_response answer;
    uint64_t time;           // timestamp written
    bool passed;             // the operation is done, its METHOD event due
    bool blocked;            // an acquire has failed
    uint64_t blocked_since;  // cycle of the first failed try
    uint32_t blocked_addr, blocked_payload;
};

struct host {
    struct run *run;
    struct mem *mem;
    struct sm *const *sms;  // run->config.sms of them
    struct task *task;
    struct host_outputs outputs;
    uint32_t channels;
    uint32_t scratch, intr_status, intr_enable, warp_select;
    uint32_t cycles_hi, time_hi;
    bool l1_enable;      // L1_CONTROL.ENABLE; the model alone has no level 1 cache
    uint32_t raised;     // INTR_STATUS bits whose INTERRUPT event is due
    uint64_t last_time;  // the last timestamp written: time does not go back
    // alone: the choice of the channel, as gp_fetch makes it
    bool serving;
    uint32_t channel, turn;
    struct channel_choice choice;
    struct host_channel channel_state[HOST_MAX_CHANNELS];
};

// What a channel does next, seen from outside.
enum host_due {
    HOST_DUE_NOTHING,
    HOST_DUE_WAIT,              // for idle or for the task unit
    HOST_DUE_READ_ENTRY,        // PERFORM on port 0: the ring's line
    HOST_DUE_READ_BLOCK,        // PERFORM on port 0: a command block's line
    HOST_DUE_ENTRY,             // GP_ENTRY
    HOST_DUE_SEMAPHORE_ACCESS,  // PERFORM on port 1
    HOST_DUE_SEMAPHORE,         // SEMAPHORE
    HOST_DUE_METHOD,            // METHOD
    HOST_DUE_GP_GET,            // GP_GET
    HOST_DUE_FAULT,             // FAULT
};
const char *host_due_name(enum host_due due);

struct host_fault_found {
    uint32_t code, info;
};

// ---- host_registers.c
void host_registers_raise(struct host *host, uint32_t bits);  // INTR_STATUS bits, event INTERRUPT due
void host_icache_invalidate(struct host *host);               // SMs forget cached instructions
uint64_t host_time(const struct host *host);                  // nanoseconds
// As host_reg_read in tandem: a counter that is only the same while no task is outstanding (check = idle) is the RTL's
// while one is.
uint32_t host_reg_follow(struct host *host, uint32_t offset, uint32_t rtl);
// Stops the channel with its pending fault or with one of the host's own units (code not FAULT_NONE); fills in FAULT.
void host_registers_stop(struct host *host, uint32_t channel, uint32_t code, uint32_t info, struct trace_event *event);

// ---- gp_fetch.c
// Goes over words of the block's line that nothing shows (headers, NOPs), until something is due that is to be seen.
void gp_fetch_advance(struct host *host, uint32_t channel);
// What is due on the channel, after gp_fetch_advance(). fault: of HOST_DUE_FAULT.
enum host_due gp_fetch_due(const struct host *host, uint32_t channel, struct host_fault_found *fault);
// Line address of the read that is due.
uint32_t gp_fetch_entry_line(const struct host_channel *channel);
uint32_t gp_fetch_block_line(const struct host_channel *channel);
// The read is performed (event PERFORM filled in).
void gp_fetch_read(struct host *host, uint32_t channel, bool ring, struct trace_event *event);
// The line could not be read: the channel's fault.
void gp_fetch_failed(struct host *host, uint32_t channel, bool ring, uint32_t fault);
void gp_fetch_begin(struct host *host, uint32_t channel, struct trace_event *event);   // GP_ENTRY
void gp_fetch_finish(struct host *host, uint32_t channel, struct trace_event *event);  // GP_GET

// ---- method_parser.c
enum parsed { PARSED_NOTHING, PARSED_METHOD, PARSED_END, PARSED_ERROR };
// Takes one word of a command block. PARSED_METHOD: host_channel.method is to be executed.
enum parsed method_parser_word(struct host_channel *channel, uint32_t word);
// What the method taken waits for or does (HOST_DUE_WAIT, _METHOD, _SEMAPHORE_ACCESS, _SEMAPHORE, _FAULT).
enum host_due method_parser_due(const struct host *host, uint32_t channel, struct host_fault_found *fault);
void method_parser_execute(struct host *host, uint32_t channel, struct trace_event *event);  // METHOD
bool method_parser_is_yield(const struct host_method *method);
void method_parser_reset(struct host_channel *channel);

// ---- semaphore operations of a channel (host.c)
struct semaphore_operation host_semaphore_operation(const struct host_channel *channel);

#endif
