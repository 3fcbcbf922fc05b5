// The whole PPU: registers on an AXI4-Lite port, memory on an AXI4 master, one interrupt line. README.md beside this file is its description.
//
// Parameters: configs.tbl says what they are and which sets of them are used. INJECT: 1 builds the deliberate defects in that inject_i
// switches on (tests only), 0 leaves them out. The trace ports show every event of ../tb/trace_events.tbl in the cycle it belongs to; left
// open they cost nothing. rmw_busy_o: an atomic holds a line; whoever else writes memory waits. One clock, rst_i synchronous.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module ppu #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SMS = 1,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int PENDING_TASKS = 8,
    parameter int DEQUE_ENTRIES = 256,
    parameter int VGPR_ROWS = 1024,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    parameter int ICACHE_LINES = 64,
    parameter int L1_LINES = 32,
    parameter int L1_WAYS = 2,
    parameter int LSU_DEPTH = 8,
    parameter int AXI_DATA_W = 64,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire  [7:0]              inject_i,
    output logic                    irq_o,
    output logic                    rmw_busy_o,
    input  wire                     memory_changed_i,  // somebody else has changed memory before this cycle

    // registers
    input  wire                     s_axil_awvalid_i,
    output logic                    s_axil_awready_o,
    input  wire  [19:0]             s_axil_awaddr_i,
    input  wire                     s_axil_wvalid_i,
    output logic                    s_axil_wready_o,
    input  wire  [31:0]             s_axil_wdata_i,
    input  wire  [3:0]              s_axil_wstrb_i,
    output logic                    s_axil_bvalid_o,
    input  wire                     s_axil_bready_i,
    output logic [1:0]              s_axil_bresp_o,
    input  wire                     s_axil_arvalid_i,
    output logic                    s_axil_arready_o,
    input  wire  [19:0]             s_axil_araddr_i,
    output logic                    s_axil_rvalid_o,
    input  wire                     s_axil_rready_i,
    output logic [31:0]             s_axil_rdata_o,
    output logic [1:0]              s_axil_rresp_o,

    // memory
    output logic                    m_axi_awvalid_o,
    output logic [3:0]              m_axi_awid_o,
    output logic [31:0]             m_axi_awaddr_o,
    output logic [7:0]              m_axi_awlen_o,
    output logic [2:0]              m_axi_awsize_o,
    output logic [1:0]              m_axi_awburst_o,
    input  wire                     m_axi_awready_i,
    output logic                    m_axi_wvalid_o,
    output logic [AXI_DATA_W-1:0]   m_axi_wdata_o,
    output logic [AXI_DATA_W/8-1:0] m_axi_wstrb_o,
    output logic                    m_axi_wlast_o,
    input  wire                     m_axi_wready_i,
    input  wire                     m_axi_bvalid_i,
    input  wire  [3:0]              m_axi_bid_i,
    input  wire  [1:0]              m_axi_bresp_i,
    output logic                    m_axi_bready_o,
    output logic                    m_axi_arvalid_o,
    output logic [3:0]              m_axi_arid_o,
    output logic [31:0]             m_axi_araddr_o,
    output logic [7:0]              m_axi_arlen_o,
    output logic [2:0]              m_axi_arsize_o,
    output logic [1:0]              m_axi_arburst_o,
    input  wire                     m_axi_arready_i,
    input  wire                     m_axi_rvalid_i,
    input  wire  [3:0]              m_axi_rid_i,
    input  wire  [AXI_DATA_W-1:0]   m_axi_rdata_i,
    input  wire  [1:0]              m_axi_rresp_i,
    input  wire                     m_axi_rlast_i,
    output logic                    m_axi_rready_o,

    `TRACE_REG_WRITE_PORTS,
    `TRACE_REG_READ_PORTS,
    `TRACE_GP_ENTRY_PORTS,
    `TRACE_METHOD_PORTS,
    `TRACE_SEMAPHORE_PORTS,
    `TRACE_GP_GET_PORTS,
    `TRACE_FAULT_PORTS,
    `TRACE_INTERRUPT_PORTS,
    `TRACE_TASK_TAKE_PORTS, `TRACE_TASK_EVICT_PORTS, `TRACE_TASK_START_PORTS,
    `TRACE_CTA_LAUNCH_PORTS,
    `TRACE_CTA_END_PORTS,
    `TRACE_TASK_END_PORTS,
    `TRACE_TASK_PENDING_PORTS, `TRACE_TASK_STUCK_PORTS, `TRACE_TASK_DROP_PORTS, `TRACE_TASK_REFUSED_PORTS,
    `TRACE_PERFORM_PORTS,
    `TRACE_BUS_ERROR_PORTS,
    `TRACE_WRITE_BACK_ERROR_PORTS,
    `TRACE_WARP_START_PORTS_TOP,
    `TRACE_INSTR_PORTS_TOP,
    `TRACE_SV_MODE_PORTS_TOP,
    `TRACE_CHILD_LAUNCH_PORTS_TOP,
    `TRACE_MEM_REQ_PORTS_TOP,
    `TRACE_L1_HIT_PORTS_TOP,
    `TRACE_WB_PORTS_TOP,
    `TRACE_PWB_PORTS_TOP,
    `TRACE_SWB_PORTS_TOP,
    `TRACE_TOKEN_PORTS_TOP,
    `TRACE_BARRIER_PORTS_TOP,
    `TRACE_WARP_HELD_PORTS_TOP,
    `TRACE_WARP_FAULT_PORTS_TOP,
    `TRACE_WARP_END_PORTS_TOP
);

    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1;
    localparam int PORTS = 3 + 2 * SMS;

    // Cycles since reset, for the clock that threads read.
    logic [63:0] cycle_q;
    always_ff @(posedge clk_i)
        if (rst_i) cycle_q <= '0;
        else cycle_q <= cycle_q + 64'd1;

    // ---- memory unit ----
    // Port of the memory unit: 0 and 1 host, 2 task unit, 3 + 2s and 4 + 2s fetch, loads and stores of SM s.
    `REQUEST_WIRES(req, PORTS);
    `ANSWER_WIRES(rsp, PORTS);
    logic                       snoop_valid;
    logic [31:0]                snoop_addr, lost_addr;
    logic                       lost_valid, lost_take;
    logic [CHANNEL_W-1:0]       lost_channel;
    logic [CHANNELS*32-1:0]     space_base, space_size;

    memory_unit #(.CHANNELS(CHANNELS), .SMS(SMS), .AXI_DATA_W(AXI_DATA_W), .INJECT(INJECT)) u_memory_unit (
        .clk_i, .rst_i, .inject_i, .space_base_i(space_base), .space_size_i(space_size),
        `REQUEST_TO(req, req), `ANSWER_FROM(rsp, rsp),
        .rmw_busy_o, .snoop_valid_o(snoop_valid), .snoop_addr_o(snoop_addr),
        .m_axi_awvalid_o, .m_axi_awid_o, .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o, .m_axi_awready_i,
        .m_axi_wvalid_o, .m_axi_wdata_o, .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_wready_i, .m_axi_bvalid_i, .m_axi_bid_i,
        .m_axi_bresp_i, .m_axi_bready_o, .m_axi_arvalid_o, .m_axi_arid_o, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o,
        .m_axi_arburst_o, .m_axi_arready_i, .m_axi_rvalid_i, .m_axi_rid_i, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i,
        .m_axi_rready_o, .lost_valid_o(lost_valid), .lost_take_i(lost_take), .lost_channel_o(lost_channel), .lost_addr_o(lost_addr),
        `TRACE_PERFORM_CONNECT, `TRACE_BUS_ERROR_CONNECT, `TRACE_WRITE_BACK_ERROR_CONNECT
    );

    logic l1_enable;
    logic [31:0] l1_hits, l1_misses, shared_passes, shared_conflicts;
    logic [SMS*32-1:0] sm_l1_hits, sm_l1_misses, sm_shared_passes, sm_shared_conflicts;

    // ---- host interface ----
    logic                   launch_valid, launch_ready, icache_invalidate, fault_valid;
    logic [CHANNEL_W-1:0]   launch_channel, fault_channel;
    logic [31:0]            launch_tmd, launch_region, launch_local, fault_info, fault_pc;
    logic [7:0]             fault_code;
    logic [CHANNELS-1:0]    channel_halt, channel_idle;
    logic [CHANNELS*24-1:0] tasks_outstanding;
    // A lost write-back is a fault of its channel like those of the task unit. It waits while one of these is told or on its way, and
    // while a register is written: so which comes first is the same for everybody.
    logic [SMS-1:0]         sm_fault_valid;
    assign lost_take = lost_valid && !fault_valid && sm_fault_valid == '0 && !s_axil_awready_o && !rst_i;

    logic                   task_round_robin;
    logic [15:0]            warp_select, warp_state;
    logic                   deque_serve, deque_selected, deque_valid, deque_ready;
    logic [31:0]            yield_seed, deque_held, deque_ends;
    logic [1:0]             sv_order;
    logic [SMS*WARPS-1:0]   sm_live;
    logic [15:0]            resident;
    logic [16:0]            sv_threshold;
    logic [1:0]             deque_op;
    logic [15:0]            deque_entry;
    logic [127:0]           deque_token;
    logic [SMS-1:0]         sm_warp_held, sm_deque_ready;
    logic [SMS*WARPS-1:0]   sm_held;
    logic [SMS*32-1:0]      sm_deque_ends;
    logic [SMS*128-1:0]     sm_deque_token;
    logic [1:0]             warp_policy;
    logic [127:0]           issue_counters;
    logic [SMS*128-1:0]     sm_issue_counters;
    logic [31:0]            warp_pc;
    logic [63:0]            warp_mask;

    host_interface #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
        .PENDING_TASKS(PENDING_TASKS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .VGPR_ROWS(VGPR_ROWS), .CONST_BANKS(CONST_BANKS),
        .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_host_interface (
        .clk_i, .rst_i, .inject_i, .irq_o,
        .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i, .s_axil_wvalid_i, .s_axil_wready_o, .s_axil_wdata_i,
        .s_axil_wstrb_i, .s_axil_bvalid_o, .s_axil_bready_i, .s_axil_bresp_o, .s_axil_arvalid_i, .s_axil_arready_o,
        .s_axil_araddr_i, .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o,
        .mem_req_valid_o(req_valid[1:0]), .mem_req_ready_i(req_ready[1:0]), .mem_req_op_o(req_op[3:0]), .mem_req_atom_o(req_atom[7:0]),
        .mem_req_channel_o(req_channel[2*CHANNEL_W-1:0]), .mem_req_addr_o(req_addr[63:0]), .mem_req_wstrb_o(req_wstrb[63:0]),
        .mem_req_wdata_o(req_wdata[511:0]), .mem_rsp_valid_i(rsp_valid[1:0]), .mem_rsp_data_i(rsp_data[511:0]),
        .mem_rsp_fault_i(rsp_fault[3:0]), .snoop_valid_i(snoop_valid), .snoop_addr_i(snoop_addr), .space_base_o(space_base),
        .space_size_o(space_size), .launch_valid_o(launch_valid), .launch_ready_i(launch_ready), .launch_channel_o(launch_channel),
        .launch_tmd_o(launch_tmd), .launch_region_o(launch_region), .launch_local_o(launch_local), .channel_halt_o(channel_halt), .icache_invalidate_o(icache_invalidate),
        .channel_idle_i(channel_idle), .fault_valid_i(fault_valid || lost_take), .fault_channel_i(lost_take ? lost_channel : fault_channel),
        .fault_code_i(lost_take ? `FAULT_BUS_ERROR : fault_code), .fault_info_i(lost_take ? lost_addr : fault_info), .fault_pc_i(lost_take ? 32'd0 : fault_pc), .tasks_outstanding_i(tasks_outstanding), .warp_select_o(warp_select),
        .l1_enable_o(l1_enable), .l1_hits_i(l1_hits), .l1_misses_i(l1_misses), .shared_passes_i(shared_passes), .shared_conflicts_i(shared_conflicts),
        .deque_serve_o(deque_serve), .yield_seed_o(yield_seed), .task_round_robin_o(task_round_robin), .sv_order_o(sv_order), .resident_i(resident), .sv_threshold_o(sv_threshold), .warp_held_i(|sm_warp_held), .deque_held_i(deque_held),
        .deque_selected_i(deque_selected), .deque_valid_o(deque_valid), .deque_ready_i(deque_ready), .deque_op_o(deque_op),
        .deque_entry_o(deque_entry), .deque_ends_i(deque_ends), .deque_token_i(deque_token),
        .warp_policy_o(warp_policy), .issue_counters_i(issue_counters),
        .warp_pc_i(warp_pc), .warp_mask_i(warp_mask), .warp_state_i(warp_state),
        `TRACE_REG_WRITE_CONNECT, `TRACE_REG_READ_CONNECT, `TRACE_GP_ENTRY_CONNECT, `TRACE_METHOD_CONNECT,
        `TRACE_SEMAPHORE_CONNECT, `TRACE_GP_GET_CONNECT, `TRACE_FAULT_CONNECT, `TRACE_INTERRUPT_CONNECT
    );

    // ---- task unit ----
    logic [TASK_SLOTS*CHANNEL_W-1:0] slot_channel;
    logic [TASK_SLOTS*32-1:0] slot_region;
    logic [TASK_SLOTS*32-1:0] slot_code_base;
    logic [TASK_SLOTS*32-1:0] slot_code_size;
    logic [TASK_SLOTS*16-1:0] slot_ntid_x;
    logic [TASK_SLOTS*16-1:0] slot_ntid_y;
    logic [TASK_SLOTS*16-1:0] slot_ntid_z;
    logic [TASK_SLOTS*32-1:0] slot_grid_x;
    logic [TASK_SLOTS*16-1:0] slot_grid_y;
    logic [TASK_SLOTS*16-1:0] slot_grid_z;
    logic [TASK_SLOTS*16-1:0] slot_threads;
    logic [TASK_SLOTS*8-1:0] slot_registers;
    logic [TASK_SLOTS*8-1:0] slot_shared_rows;
    logic [TASK_SLOTS*18-1:0] slot_shared;
    logic [TASK_SLOTS*32-1:0] slot_local_base;
    logic [TASK_SLOTS*24-1:0] slot_local_bytes;
    logic [TASK_SLOTS*32-1:0] slot_tmd;
    logic [TASK_SLOTS*CONST_BANKS-1:0] slot_const_valid;
    logic [TASK_SLOTS*CONST_BANKS*32-1:0] slot_const_addr;
    logic [TASK_SLOTS*CONST_BANKS*17-1:0] slot_const_size;
    logic [TASK_SLOTS-1:0] slot_kill;
    logic [SMS-1:0]        cta_valid, cta_ready, cta_done_valid;
    logic [SMS*SLOT_W-1:0] cta_slot, cta_done_slot, sm_fault_slot;
    logic [SMS*32-1:0]     cta_x, sm_fault_info, sm_fault_pc;
    logic [SMS*16-1:0]     cta_y, cta_z;
    logic [SMS*8-1:0]      sm_fault_code;

    logic [SMS-1:0]        child_valid, child_ready, child_wait, child_ended_valid, sm_waiting, sm_stuck;
    logic [SMS*SLOT_W-1:0] child_slot;
    logic [SMS*32-1:0]     child_tmd;
    logic [SMS*8-1:0]      child_warp;
    logic [7:0]            child_ended_warp;
    logic [CHANNEL_W-1:0]  child_ended_channel;

    task_unit #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
        .PENDING_TASKS(PENDING_TASKS), .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS), .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_task_unit (
        .clk_i, .rst_i, .inject_i, .space_size_i(space_size), .launch_valid_i(launch_valid), .launch_ready_o(launch_ready),
        .launch_channel_i(launch_channel), .launch_tmd_i(launch_tmd), .launch_region_i(launch_region), .launch_local_i(launch_local),
        .channel_halt_i(channel_halt),
        .round_robin_i(task_round_robin), .channel_idle_o(channel_idle), .fault_valid_o(fault_valid), .fault_channel_o(fault_channel),
        .fault_code_o(fault_code), .fault_info_o(fault_info), .fault_pc_o(fault_pc), .tasks_outstanding_o(tasks_outstanding),
        `REQUEST_FROM_AT(req, req, 2), `ANSWER_TO_AT(rsp, rsp, 2),
        .slot_channel_o(slot_channel), .slot_region_o(slot_region), .slot_code_base_o(slot_code_base),
        .slot_code_size_o(slot_code_size), .slot_ntid_x_o(slot_ntid_x), .slot_ntid_y_o(slot_ntid_y), .slot_ntid_z_o(slot_ntid_z),
        .slot_grid_x_o(slot_grid_x), .slot_grid_y_o(slot_grid_y), .slot_grid_z_o(slot_grid_z), .slot_threads_o(slot_threads),
        .slot_registers_o(slot_registers), .slot_shared_rows_o(slot_shared_rows), .slot_shared_o(slot_shared), .slot_tmd_o(slot_tmd),
        .slot_local_base_o(slot_local_base), .slot_local_bytes_o(slot_local_bytes),
        .slot_const_valid_o(slot_const_valid), .slot_const_addr_o(slot_const_addr), .slot_const_size_o(slot_const_size), .slot_kill_o(slot_kill),
        .cta_valid_o(cta_valid), .cta_slot_o(cta_slot), .cta_x_o(cta_x), .cta_y_o(cta_y), .cta_z_o(cta_z), .cta_ready_i(cta_ready),
        .cta_done_valid_i(cta_done_valid), .cta_done_slot_i(cta_done_slot), .sm_fault_valid_i(sm_fault_valid),
        .sm_fault_slot_i(sm_fault_slot), .sm_fault_code_i(sm_fault_code), .sm_fault_info_i(sm_fault_info),
        .sm_fault_pc_i(sm_fault_pc), .child_valid_i(child_valid), .child_ready_o(child_ready), .child_slot_i(child_slot),
        .child_tmd_i(child_tmd), .child_wait_i(child_wait), .child_warp_i(child_warp), .child_ended_valid_o(child_ended_valid),
        .child_ended_warp_o(child_ended_warp), .child_ended_channel_o(child_ended_channel), .sm_waiting_i(sm_waiting), .sm_stuck_i(sm_stuck),
        `TRACE_TASK_TAKE_CONNECT, `TRACE_TASK_EVICT_CONNECT, `TRACE_TASK_START_CONNECT, `TRACE_CTA_LAUNCH_CONNECT, `TRACE_CTA_END_CONNECT,
        `TRACE_TASK_END_CONNECT, `TRACE_TASK_PENDING_CONNECT, `TRACE_TASK_STUCK_CONNECT, `TRACE_TASK_DROP_CONNECT, `TRACE_TASK_REFUSED_CONNECT
    );

    // ---- multiprocessors ----
    logic [SMS*32-1:0] sm_warp_pc;
    logic [SMS*64-1:0] sm_warp_mask;
    logic [SMS*16-1:0] sm_warp_state;

    for (genvar g = 0; g < SMS; g++) begin : g_sm
        localparam int F = 3 + 2 * g;  // port of the instruction fetch
        localparam int L = 4 + 2 * g;  // port of loads and stores
        sm #(
            .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .DEQUE_ENTRIES(DEQUE_ENTRIES),
            .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS), .ICACHE_LINES(ICACHE_LINES), .L1_LINES(L1_LINES), .L1_WAYS(L1_WAYS), .LSU_DEPTH(LSU_DEPTH), .INJECT(INJECT)
        ) u_sm (
            .clk_i, .rst_i, .inject_i, .sm_index_i(8'(g)), .cycle_i(cycle_q), .icache_invalidate_i(icache_invalidate),
            .cta_valid_i(cta_valid[g]), .cta_ready_o(cta_ready[g]), .cta_slot_i(cta_slot[g*SLOT_W +: SLOT_W]), .cta_x_i(cta_x[g*32 +: 32]),
            .child_valid_o(child_valid[g]), .child_ready_i(child_ready[g]), .child_slot_o(child_slot[g*SLOT_W +: SLOT_W]),
            .child_tmd_o(child_tmd[g*32 +: 32]), .child_wait_o(child_wait[g]), .child_warp_o(child_warp[g*8 +: 8]),
            .child_ended_valid_i(child_ended_valid[g]), .child_ended_warp_i(child_ended_warp), .child_ended_channel_i(child_ended_channel),
            .waiting_o(sm_waiting[g]), .stuck_o(sm_stuck[g]),
            .cta_y_i(cta_y[g*16 +: 16]), .cta_z_i(cta_z[g*16 +: 16]), .cta_done_valid_o(cta_done_valid[g]),
            .cta_done_slot_o(cta_done_slot[g*SLOT_W +: SLOT_W]), .sm_fault_valid_o(sm_fault_valid[g]),
            .sm_fault_slot_o(sm_fault_slot[g*SLOT_W +: SLOT_W]), .sm_fault_code_o(sm_fault_code[g*8 +: 8]),
            .sm_fault_info_o(sm_fault_info[g*32 +: 32]), .sm_fault_pc_o(sm_fault_pc[g*32 +: 32]), .slot_kill_i(slot_kill),
            .slot_channel_i(slot_channel), .slot_region_i(slot_region), .slot_code_base_i(slot_code_base),
            .slot_code_size_i(slot_code_size), .slot_ntid_x_i(slot_ntid_x), .slot_ntid_y_i(slot_ntid_y),
            .slot_ntid_z_i(slot_ntid_z), .slot_grid_x_i(slot_grid_x), .slot_grid_y_i(slot_grid_y), .slot_grid_z_i(slot_grid_z),
            .slot_threads_i(slot_threads), .slot_registers_i(slot_registers), .slot_shared_i(slot_shared), .slot_tmd_i(slot_tmd),
            .slot_local_base_i(slot_local_base), .slot_local_bytes_i(slot_local_bytes),
            .slot_const_valid_i(slot_const_valid), .slot_const_addr_i(slot_const_addr), .slot_const_size_i(slot_const_size),
            `REQUEST_FROM_AT(if_req, req, F), `ANSWER_TO_AT(if_rsp, rsp, F), `REQUEST_FROM_AT(ls_req, req, L), `ANSWER_TO_AT(ls_rsp, rsp, L),
            .l1_enable_i(l1_enable), .changed_i(memory_changed_i), .snoop_valid_i(snoop_valid), .snoop_addr_i(snoop_addr),
            .space_base_i(space_base), .space_size_i(space_size), .l1_hits_o(sm_l1_hits[g*32 +: 32]), .l1_misses_o(sm_l1_misses[g*32 +: 32]),
            .shared_passes_o(sm_shared_passes[g*32 +: 32]), .shared_conflicts_o(sm_shared_conflicts[g*32 +: 32]),
            .deque_serve_i(deque_serve), .yield_seed_i(yield_seed), .live_o(sm_live[g*WARPS +: WARPS]), .sv_order_i(sv_order),
            .sv_threshold_i(sv_threshold), .slot_shared_rows_i(slot_shared_rows), .warp_held_o(sm_warp_held[g]), .held_o(sm_held[g*WARPS +: WARPS]),
            .deque_valid_i(deque_valid && warp_select[15:8] == 8'(g)), .deque_ready_o(sm_deque_ready[g]), .deque_op_i(deque_op),
            .deque_entry_i(deque_entry), .deque_ends_o(sm_deque_ends[g*32 +: 32]), .deque_token_o(sm_deque_token[g*128 +: 128]),
            .policy_i(warp_policy), .issue_counters_o(sm_issue_counters[g*128 +: 128]),
            .warp_select_i(warp_select[7:0]), .warp_pc_o(sm_warp_pc[g*32 +: 32]), .warp_mask_o(sm_warp_mask[g*64 +: 64]),
            .warp_state_o(sm_warp_state[g*16 +: 16]),
            `TRACE_WARP_START_SLICE(g), `TRACE_INSTR_SLICE(g), `TRACE_SV_MODE_SLICE(g), `TRACE_CHILD_LAUNCH_SLICE(g), `TRACE_MEM_REQ_SLICE(g),
            `TRACE_L1_HIT_SLICE(g), `TRACE_WB_SLICE(g), `TRACE_PWB_SLICE(g),
            `TRACE_SWB_SLICE(g), `TRACE_TOKEN_SLICE(g), `TRACE_BARRIER_SLICE(g), `TRACE_WARP_HELD_SLICE(g), `TRACE_WARP_FAULT_SLICE(g),
            `TRACE_WARP_END_SLICE(g)
        );
    end

    // WARPS_RESIDENT.
    logic [15:0] resident_d;
    always_ff @(posedge clk_i) resident <= rst_i ? 16'd0 : resident_d;
    always_comb begin
        resident_d = '0;
        for (int i = 0; i < SMS * WARPS; i++) resident_d = resident_d + 16'(sm_live[i]);
    end

    // WARP_PC, WARP_MASK, WARP_STATE: of the SM in warp_select 15:8.
    always_comb begin
        issue_counters = '0;
        warp_pc = '0;
        warp_mask = '0;
        warp_state = '0;
        l1_hits = '0;
        l1_misses = '0;
        shared_passes = '0;
        shared_conflicts = '0;
        deque_selected = 1'b0;
        deque_ready = 1'b0;
        deque_ends = '0;
        deque_token = '0;
        deque_held = '0;
        for (int w = SMS * WARPS - 1; w >= 0; w--) if (sm_held[w]) deque_held = {16'h8000, 8'(w / WARPS), 8'(w % WARPS)};
        for (int g = 0; g < SMS; g++)
            if (warp_select[15:8] == 8'(g)) begin
                for (int w = 0; w < WARPS; w++) if (warp_select[7:0] == 8'(w)) deque_selected = sm_held[g*WARPS + w];
                deque_ready = sm_deque_ready[g];
                deque_ends = sm_deque_ends[g*32 +: 32];
                deque_token = sm_deque_token[g*128 +: 128];
                issue_counters = sm_issue_counters[g*128 +: 128];
                warp_pc = sm_warp_pc[g*32 +: 32];
                warp_mask = sm_warp_mask[g*64 +: 64];
                warp_state = sm_warp_state[g*16 +: 16];
                l1_hits = sm_l1_hits[g*32 +: 32];
                l1_misses = sm_l1_misses[g*32 +: 32];
                shared_passes = sm_shared_passes[g*32 +: 32];
                shared_conflicts = sm_shared_conflicts[g*32 +: 32];
            end
    end

endmodule
`default_nettype wire
