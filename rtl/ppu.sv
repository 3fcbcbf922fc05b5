// The whole PPU: registers on an AXI4-Lite port, memory on an AXI4 master, one interrupt line. README.md beside this file is its description.
//
// Parameters: configs.tbl says what they are and which sets of them are used. INJECT: 1 builds the deliberate defects in that inject_i
// switches on (tests only), 0 leaves them out. MEMORY_PAGES: 4096-byte pages of memory behind m_axi, 0: as far as 32 bits reach. The trace
// ports show every event of ../tb/trace_events.tbl in the cycle it belongs to; left open they cost nothing. rmw_busy_o: atomics hold
// lines, or a write is half on the bus; whoever else reads or writes memory waits. One clock, rst_i synchronous.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module ppu #(
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
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    parameter int ICACHE_LINES = 64,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int SV_REGIONS = 4,
    parameter int SPECIALS = 8,
    parameter int SHARED_ATOMICS = 8,
    parameter int SHARED_WORDS = 4,
    parameter int SHARED_DEPTH = 4,
    parameter int STORE_LANES = 8,
    parameter int LOAD_WORDS = 4,
    parameter int LOAD_LANES = 8,
    parameter int LSU_INTAKE = 4,
    parameter int LSU_DEPTH = 8,
    parameter int REQUEST_CYCLES = 2,
    parameter int ATOMIC_LINES = 8,
    parameter int OUTSTANDING = 8,
    parameter int WRITE_DEPTH = 1,
    parameter int AXI_DATA_W = 64,
    parameter int NS_PER_CYCLE = 40,
    parameter int MEMORY_PAGES = 0,
    parameter int INJECT = 0
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire  [7:0] inject_i,
    output logic       irq_o,
    output logic       rmw_busy_o,
    input  wire        memory_changed_i,  // somebody else has changed memory before this cycle

    // registers
    `AXIL_IN(s_axil),

    // memory, where the CPU has no way of its own to it
    `AXIL_MEMORY_IN(h_axil),

    // memory
    `AXI_OUT(m_axi),

    `TRACE_HOST_PORTS,
    `TRACE_TASK_PORTS,
    `TRACE_MEM_PORTS,
    `TRACE_SM_PORTS_TOP
);

    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1;
    localparam int PORTS = 4 + 3 * SMS;

    // ---- memory unit; its ports: 0 and 1 host, 2 task unit, 3 + 2s and 4 + 2s fetch, loads and stores of SM s, then tokens of SM s,
    // the last one the CPU ----
    `REQUEST_WIRES(req, PORTS);
    `ANSWER_WIRES(rsp, PORTS);
    `SPACE_WIRES(space, CHANNELS);
    `SNOOP_WIRE(snoop);
    `LOST_WIRE(lost);

    memory_unit #(
        .CHANNELS(CHANNELS), .SMS(SMS), .ATOMIC_LINES(ATOMIC_LINES), .OUTSTANDING(OUTSTANDING), .WRITE_DEPTH(WRITE_DEPTH),
        .REQUEST_CYCLES(REQUEST_CYCLES), .AXI_DATA_W(AXI_DATA_W),
        .MEMORY_PAGES(MEMORY_PAGES), .INJECT(INJECT)
    ) u_memory_unit (
        .clk_i, .rst_i, .inject_i, .rmw_busy_o, .changed_i(memory_changed_i),
        `REQUEST_TO(req, req), `ANSWER_FROM(rsp, rsp), `SPACE_TO(space, space), `SNOOP_FROM(snoop, snoop), `LOST_FROM(lost, lost),
        `AXI_PASS_OUT(m_axi, m_axi),
        `TRACE_MEM_CONNECT
    );

    host_port #(.CHANNELS(CHANNELS)) u_host_port (
        .clk_i, .rst_i, `AXIL_MEMORY_PASS_IN(h_axil, h_axil), `REQUEST_FROM_AT(req, req, PORTS - 1), `ANSWER_TO_AT(rsp, rsp, PORTS - 1)
    );

    // ---- host interface ----
    `LAUNCH_WIRE(launch);
    `FAULT_WIRE(task_fault);
    `FAULT_WIRE(fault);
    `SETTINGS_WIRE(settings);
    `DEQUE_WIRE(deque);
    `WARP_WIRE(warp);
    `COUNTS_WIRE(count);
    `SIGNING_WIRE(signing);
    logic                   icache_invalidate, task_round_robin, warp_held, deque_selected;
    logic [CHANNELS-1:0]    channel_halt, channel_idle, task_suspend, task_settled;
    logic [7:0]             task_slice;
    logic [CHANNELS*24-1:0] tasks_outstanding;
    logic [15:0]            warp_select, resident;
    logic [31:0]            deque_held;
    logic [63:0]            cycle;
    logic [31:12]           deque_base;

    host_interface #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
        .PENDING_TASKS(PENDING_TASKS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .DEQUE_MOST(DEQUE_MOST), .VGPR_ROWS(VGPR_ROWS), .CONST_BANKS(CONST_BANKS),
        .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_host_interface (
        .clk_i, .rst_i, .inject_i, .irq_o, `AXIL_PASS_IN(s_axil, s_axil),
        `REQUEST_FROM_SPAN(mem_req, req, 0, 2), `ANSWER_TO_SPAN(mem_rsp, rsp, 0, 2), `SPACE_FROM(space, space), `SNOOP_TO(snoop, snoop),
        `LAUNCH_FROM(launch, launch), .icache_invalidate_o(icache_invalidate), .channel_halt_o(channel_halt), .channel_idle_i(channel_idle),
        .tasks_outstanding_i(tasks_outstanding), `FAULT_TO(fault, fault), .task_round_robin_o(task_round_robin), .task_slice_o(task_slice),
        .task_suspend_o(task_suspend), .task_settled_i(task_settled),
        `SETTINGS_FROM(settings, settings), `SIGNING_FROM(signing, signing), `COUNTS_TO(count, count), .resident_i(resident),
        .cycle_o(cycle), .warp_held_i(warp_held), .deque_held_i(deque_held), .deque_selected_i(deque_selected), `DEQUE_FROM(deque, deque),
        .deque_base_o(deque_base),
        .warp_select_o(warp_select), `WARP_TO(warp, warp),
        `TRACE_HOST_CONNECT
    );

    // ---- task unit ----
    `SLOT_WIRES(slot, TASK_SLOTS);
    `CTA_WIRES(cta, SMS);
    `CTA_DONE_WIRES(cta_done, SMS);
    `WARP_FAULT_WIRES(sm_fault, SMS);
    `CHILD_WIRES(child, SMS);
    `CHILD_ENDED_WIRES(child_ended, SMS);
    logic [TASK_SLOTS-1:0] slot_kill;
    logic [SMS-1:0]        sm_waiting, sm_stuck;
    logic [TASK_SLOTS-1:0]     slot_stop;
    logic [SMS*TASK_SLOTS-1:0] sm_slot_rests, sm_slot_waits, sm_slot_trapped;

    task_unit #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
        .PENDING_TASKS(PENDING_TASKS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS),
        .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_task_unit (
        .clk_i, .rst_i, .inject_i, `REQUEST_FROM_AT(req, req, 2), `ANSWER_TO_AT(rsp, rsp, 2), .space_size_i(space_size),
        `LAUNCH_TO(launch, launch), .channel_halt_i(channel_halt), .round_robin_i(task_round_robin), .slice_i(task_slice),
        .suspend_i(task_suspend), .settled_o(task_settled), .channel_idle_o(channel_idle),
        .tasks_outstanding_o(tasks_outstanding), `FAULT_FROM(fault, task_fault),
        `SLOT_FROM(slot, slot), .slot_kill_o(slot_kill), .slot_stop_o(slot_stop), `CTA_FROM(cta, cta), `CTA_DONE_TO(cta_done, cta_done),
        `WARP_FAULT_TO(sm_fault, sm_fault), `CHILD_TO(child, child), `CHILD_ENDED_FROM(child_ended, child_ended),
        .sm_waiting_i(sm_waiting), .sm_stuck_i(sm_stuck), .sm_slot_rests_i(sm_slot_rests), .sm_slot_waits_i(sm_slot_waits),
        .sm_slot_trapped_i(sm_slot_trapped),
        `TRACE_TASK_CONNECT
    );

    write_back_fault #(.SMS(SMS), .CHANNELS(CHANNELS)) u_write_back_fault (
        `LOST_TO(lost, lost), `FAULT_TO(task_fault, task_fault), .sm_fault_valid_i(sm_fault_valid), .register_write_i(s_axil_awready_o),
        `FAULT_FROM(fault, fault)
    );

    // ---- multiprocessors ----
    `DEQUE_WIRES(sm_deque, SMS);
    `WARP_WIRES(sm_warp, SMS);
    `COUNTS_WIRES(sm_count, SMS);
    logic [SMS*WARPS-1:0] sm_live, sm_held;
    logic [SMS-1:0]       sm_warp_held;
    logic [SMS*21-1:0]    token_memory;

    token_queue_base #(.THREADS(THREADS), .WARPS(WARPS), .SMS(SMS), .DEQUE_ENTRIES(DEQUE_ENTRIES)) u_token_queue_base (
        .deque_base_i(deque_base), .deque_size_i(settings_deque_size), .token_memory_o(token_memory)
    );

    for (genvar g = 0; g < SMS; g++) begin : g_sm
        localparam int F = 3 + 2 * g;  // port of the instruction fetch
        localparam int L = 4 + 2 * g;  // port of loads and stores
        localparam int T = 3 + 2 * SMS + g;  // port of tokens
        sm #(
            .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .DEQUE_ENTRIES(DEQUE_ENTRIES),
            .DEQUE_MOST(DEQUE_MOST), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS), .ICACHE_LINES(ICACHE_LINES),
            .L1_LINES(L1_LINES), .L1_WAYS(L1_WAYS), .SV_REGIONS(SV_REGIONS), .SPECIALS(SPECIALS), .SHARED_ATOMICS(SHARED_ATOMICS), .SHARED_WORDS(SHARED_WORDS),
            .SHARED_DEPTH(SHARED_DEPTH), .STORE_LANES(STORE_LANES), .LOAD_WORDS(LOAD_WORDS), .LOAD_LANES(LOAD_LANES), .LSU_INTAKE(LSU_INTAKE),
            .LSU_DEPTH(LSU_DEPTH), .REQUEST_CYCLES(REQUEST_CYCLES), .INJECT(INJECT)
        ) u_sm (
            .clk_i, .rst_i, .inject_i, .sm_index_i(8'(g)), .cycle_i(cycle), .icache_invalidate_i(icache_invalidate),
            `SLOT_TO(slot, slot), .slot_kill_i(slot_kill), .slot_stop_i(slot_stop), `CTA_TO_AT(cta, cta, g), `CTA_DONE_FROM_AT(cta_done, cta_done, g),
            `WARP_FAULT_FROM_AT(sm_fault, sm_fault, g), `CHILD_FROM_AT(child, child, g), `CHILD_ENDED_TO_AT(child_ended, child_ended, g),
            .slot_rests_o(sm_slot_rests[g*TASK_SLOTS +: TASK_SLOTS]), .slot_waits_o(sm_slot_waits[g*TASK_SLOTS +: TASK_SLOTS]),
            .slot_trapped_o(sm_slot_trapped[g*TASK_SLOTS +: TASK_SLOTS]),
            .waiting_o(sm_waiting[g]), .stuck_o(sm_stuck[g]), .live_o(sm_live[g*WARPS +: WARPS]),
            `REQUEST_FROM_AT(if_req, req, F), `ANSWER_TO_AT(if_rsp, rsp, F), `REQUEST_FROM_AT(ls_req, req, L), `ANSWER_TO_AT(ls_rsp, rsp, L),
            `REQUEST_FROM_AT(token_req, req, T), `ANSWER_TO_AT(token_rsp, rsp, T), .token_memory_i(token_memory[21*g +: 21]),
            `SPACE_TO(space, space), `SNOOP_TO(snoop, snoop), .changed_i(memory_changed_i),
            `SETTINGS_TO(settings, settings), `SIGNING_TO(signing, signing), `COUNTS_FROM_AT(count, sm_count, g),
            .warp_held_o(sm_warp_held[g]), .held_o(sm_held[g*WARPS +: WARPS]), `DEQUE_TO_AT(deque, sm_deque, g),
            .warp_select_i(warp_select[7:0]), `WARP_FROM_AT(warp, sm_warp, g),
            `TRACE_SM_SLICE(g)
        );
    end

    sm_select #(.WARPS(WARPS), .SMS(SMS)) u_sm_select (
        .clk_i, .rst_i, .warp_select_i(warp_select), .resident_o(resident), .warp_held_o(warp_held), .deque_held_o(deque_held),
        .deque_selected_o(deque_selected), `DEQUE_TO(deque, deque), `WARP_FROM(warp, warp), `COUNTS_FROM(count, count),
        .sm_live_i(sm_live), .sm_warp_held_i(sm_warp_held), .sm_held_i(sm_held), `DEQUE_FROM(sm_deque, sm_deque), `WARP_TO(sm_warp, sm_warp),
        `COUNTS_TO(sm_count, sm_count)
    );
endmodule
`default_nettype wire
