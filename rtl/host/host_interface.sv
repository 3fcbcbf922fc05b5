// Host interface: host_registers, gp_fetch, method_parser and semaphore_unit joined.
//
// What it is: the PPU's front end. The CPU puts GP entries into a channel's ring and moves GP_PUT; the host interface reads them and their
// command blocks (port 0 of the memory unit), executes the methods, works on semaphores (port 1) and hands launches to the task unit.
// Protocols: AXI4-Lite (host_registers), memory ports as in ../mem/README.md, task unit as in README.md. launch_valid_o may fall without launch_ready_i
// having risen: the launch is then held back and another channel is served.
// Latency: about 2 memory latencies + 8 cycles from GP_PUT to an entry's first method. Throughput: a word of a command block a cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module host_interface #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SMS = 1,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int PENDING_TASKS = 8,
    parameter int DEQUE_ENTRIES = 16,
    parameter int DEQUE_MOST = 32768,
    parameter int VGPR_ROWS = 1024,
    parameter int CONST_BANKS = 2,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,

    // registers
    `AXIL_IN(s_axil),
    output logic                   irq_o,

    // ports 0 and 1 of the memory unit, port k at k*W +: W
    `REQUEST_OUTS(mem_req, 2),
    `ANSWER_INS(mem_rsp, 2),
    `SNOOP_IN(snoop),
    `SPACE_OUTS(space, CHANNELS),

    // task unit
    `LAUNCH_OUT(launch),
    output logic [CHANNELS-1:0]    channel_halt_o,
    output logic                   icache_invalidate_o,
    input  wire  [CHANNELS-1:0]    channel_idle_i,
    `FAULT_IN(fault),
    input  wire  [CHANNELS*24-1:0] tasks_outstanding_i,

    // multiprocessors; of those that look at one warp or SM: the one that warp_select_o names
    `SETTINGS_OUT(settings),
    `COUNTS_IN(count),
    `SIGNING_OUT(signing),
    input  wire  [15:0]            resident_i,
    output logic [63:0]            cycle_o,           // since reset
    output logic                   task_round_robin_o,
    output logic [7:0]             task_slice_o,
    output logic [CHANNELS-1:0]    task_suspend_o,
    input  wire  [CHANNELS-1:0]    task_settled_i,
    input  wire                    warp_held_i,       // pulse: a warp is held from the next cycle on
    input  wire  [31:0]            deque_held_i,      // DEQUE_HELD
    input  wire                    deque_selected_i,  // the warp of warp_select_o is held
    `DEQUE_OUT(deque),
    output logic [31:12]           deque_base_o,      // DEQUE_MEMORY.BASE

    output logic [15:0]            warp_select_o,
    `WARP_IN(warp),

    `TRACE_HOST_PORTS
);
    logic                   hold, quiet;
    `GP_RING_WIRES(ring, CHANNELS);
    `GP_GET_WIRE(gp_get);
    `UNIT_FAULT_WIRE(host_fault);
    `RUN_WIRE(run);
    `SEMAPHORE_WIRE(sem);
    `BLOCKED_WIRES(blocked, CHANNELS);
    logic [CHANNELS*32-1:0] acquire_retry, acquire_timeout, get, signature;
    logic [CHANNELS*4-1:0]  status;
    logic [63:0]            now;
    logic                   reference_valid, interrupt_valid, serving, fetching;
    logic [31:0]            reference_value;
    logic [CHANNEL_W-1:0]   serving_channel;
    logic [CHANNELS-1:0]    held, held_ready, retry, blocked;
    logic [CHANNELS*2-1:0]  held_reason;
    logic                   icache_invalidate, space_moved;

    host_registers #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
        .PENDING_TASKS(PENDING_TASKS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .DEQUE_MOST(DEQUE_MOST), .VGPR_ROWS(VGPR_ROWS), .CONST_BANKS(CONST_BANKS),
        .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_registers (
        .clk_i, .rst_i, .inject_i, .irq_o, .hold_o(hold), .quiet_i(quiet), .cycle_o, .time_o(now),
        `AXIL_PASS_IN(s_axil, s_axil),
        `GP_RING_FROM(ring, ring), `GP_GET_TO(gp_get, gp_get), `UNIT_FAULT_TO(host_fault, host_fault),
        .acquire_retry_o(acquire_retry), .acquire_timeout_o(acquire_timeout),
        .reference_valid_i(reference_valid), .reference_channel_i(run_channel), .reference_value_i(reference_value),
        .interrupt_valid_i(interrupt_valid), .interrupt_channel_i(run_channel),
        .status_i(status), .get_i(get), .signature_i(signature), `BLOCKED_TO(blocked, blocked),
        `SPACE_PASS_OUT(space, space), .channel_idle_i, .tasks_outstanding_i, `FAULT_PASS_IN(fault, fault),
        `SETTINGS_PASS_OUT(settings, settings), `COUNTS_PASS_IN(count, count),
        `SIGNING_PASS_OUT(signing, signing), .resident_i, .task_round_robin_o, .task_slice_o, .task_suspend_o, .task_settled_i, .space_moved_o(space_moved),
        .warp_held_i, .deque_held_i, .deque_selected_i, `DEQUE_PASS_OUT(deque, deque), .deque_base_o, .warp_select_o, `WARP_PASS_IN(warp, warp),
        `TRACE_REG_WRITE_CONNECT, `TRACE_REG_READ_CONNECT, `TRACE_FAULT_CONNECT, `TRACE_INTERRUPT_CONNECT
    );

    gp_fetch #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_gp_fetch (
        .clk_i, .rst_i, .inject_i, .hold_i(hold), .quiet_o(quiet),
        `GP_RING_TO(ring, ring), `GP_GET_FROM(gp_get, gp_get), `UNIT_FAULT_FROM(fault, host_fault),
        .get_o(get), .serving_o(serving), .fetching_o(fetching), .serving_channel_o(serving_channel),
        `RUN_FROM(run, run), .held_i(held), .held_ready_i(held_ready),
        `REQUEST_PASS_OUT_AT(mem_req, mem_req, 0), `ANSWER_PASS_IN_AT(mem_rsp, mem_rsp, 0),
        `TRACE_GP_ENTRY_CONNECT, `TRACE_GP_GET_CONNECT
    );

    method_parser #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_parser (
        .clk_i, .rst_i, .inject_i, .reset_i(ring_reset),
        `RUN_TO(run, run), .held_o(held), .held_ready_o(held_ready), .held_reason_o(held_reason),
        `SEMAPHORE_FROM(sem, sem), .sem_retry_i(retry),
        .reference_valid_o(reference_valid), .reference_value_o(reference_value), .interrupt_valid_o(interrupt_valid), .signature_o(signature),
        `LAUNCH_PASS_OUT(launch, launch), .icache_invalidate_o(icache_invalidate), .channel_idle_i,
        `TRACE_METHOD_CONNECT
    );
    assign channel_halt_o = ring_faulted;
    assign icache_invalidate_o = icache_invalidate || space_moved;

    semaphore_unit #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_semaphore (
        .clk_i, .rst_i, .inject_i, `SEMAPHORE_TO(op, sem), .time_i(now),
        .clear_i(ring_reset), .acquire_retry_i(acquire_retry), .acquire_timeout_i(acquire_timeout), .space_base_i(space_base_o),
        `SNOOP_PASS_IN(snoop, snoop), .blocked_o(blocked), .retry_o(retry), `BLOCKED_FROM(blocked, blocked),
        `REQUEST_PASS_OUT_AT(mem_req, mem_req, 1), `ANSWER_PASS_IN_AT(mem_rsp, mem_rsp, 1),
        `TRACE_SEMAPHORE_CONNECT
    );

    // ---- STATUS ----
    for (genvar g = 0; g < CHANNELS; g++) begin : g_status
        wire served = serving && serving_channel == CHANNEL_W'(g);
        wire has_entries = ring_enable[g] && ring_put[g*32 +: 32] != {16'd0, ring_get[g*16 +: 16]};
        assign status[g*4 +: 4] = blocked[g] ? `CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE
                                  : (held[g] && held_reason[g*2 +: 2] == `HELD_LAUNCH) ? `CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT
                                  : held[g] ? `CHANNEL_STATUS_STATE_WAITING_FOR_IDLE
                                  : served ? (fetching ? `CHANNEL_STATUS_STATE_FETCHING : `CHANNEL_STATUS_STATE_EXECUTING)
                                  : has_entries ? `CHANNEL_STATUS_STATE_FETCHING : `CHANNEL_STATUS_STATE_IDLE;
    end
endmodule
`default_nettype wire
