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
`include "host_interface.svh"

module host_interface #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SMS = 1,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int PENDING_TASKS = 8,
    parameter int DEQUE_ENTRIES = 256,
    parameter int VGPR_ROWS = 1024,
    parameter int CONST_BANKS = 2,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0,
    parameter int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire  [7:0]              inject_i,

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
    output logic                    irq_o,

    // ports 0 and 1 of the memory unit, port k at k*W +: W
    `REQUEST_OUTS(mem_req, 2),
    `ANSWER_INS(mem_rsp, 2),
    input  wire                     snoop_valid_i,
    input  wire  [31:0]             snoop_addr_i,
    output logic [CHANNELS*32-1:0]  space_base_o,
    output logic [CHANNELS*32-1:0]  space_size_o,

    // task unit
    output logic                    launch_valid_o,
    input  wire                     launch_ready_i,
    output logic [CHANNEL_W-1:0]    launch_channel_o,
    output logic [31:0]             launch_tmd_o,
    output logic [31:0]             launch_region_o,
    output logic [31:0]             launch_local_o,
    output logic [CHANNELS-1:0]     channel_halt_o,
    output logic                    icache_invalidate_o,
    input  wire  [CHANNELS-1:0]     channel_idle_i,
    input  wire                     fault_valid_i,
    input  wire  [CHANNEL_W-1:0]    fault_channel_i,
    input  wire  [7:0]              fault_code_i,
    input  wire  [31:0]             fault_info_i,
    input  wire  [31:0]             fault_pc_i,
    input  wire  [CHANNELS*24-1:0]  tasks_outstanding_i,

    // the warp that the WARP_* registers show
    // the token deques of held warps, and what YIELD and the deques are told
    output logic                    l1_enable_o,
    input  wire  [31:0]             l1_hits_i,       // of the SM of warp_select_o
    input  wire  [31:0]             l1_misses_i,
    input  wire  [31:0]             shared_passes_i,
    input  wire  [31:0]             shared_conflicts_i,
    output logic                    deque_serve_o,
    output logic [31:0]             yield_seed_o,
    output logic [1:0]              sv_order_o,
    input  wire  [15:0]             resident_i,
    output logic [16:0]             sv_threshold_o,
    output logic                    task_round_robin_o,
    input  wire                     warp_held_i,     // pulse: a warp is held from the next cycle on
    input  wire  [31:0]             deque_held_i,    // DEQUE_HELD
    input  wire                     deque_selected_i, // the warp of warp_select_o is held
    output logic                    deque_valid_o,   // an operation on its deque, until ready: LOAD, STORE, MOVE, RESUME
    input  wire                     deque_ready_i,
    output logic [1:0]              deque_op_o,
    output logic [15:0]             deque_entry_o,
    input  wire  [31:0]             deque_ends_i,
    input  wire  [127:0]            deque_token_i,

    output logic [1:0]              warp_policy_o,
    input  wire  [127:0]            issue_counters_i,
    output logic [15:0]             warp_select_o,
    input  wire  [31:0]             warp_pc_i,
    input  wire  [63:0]             warp_mask_i,
    input  wire  [15:0]             warp_state_i,

    `TRACE_REG_WRITE_PORTS,
    `TRACE_REG_READ_PORTS,
    `TRACE_GP_ENTRY_PORTS,
    `TRACE_METHOD_PORTS,
    `TRACE_SEMAPHORE_PORTS,
    `TRACE_GP_GET_PORTS,
    `TRACE_FAULT_PORTS,
    `TRACE_INTERRUPT_PORTS
);

  logic                   hold, quiet;
  logic [CHANNELS-1:0]    enable, faulted, reset;
  logic [CHANNELS*2-1:0]  priorities;
  logic [CHANNELS*32-1:0] gp_base, gp_entries, gp_put, acquire_retry, acquire_timeout, get, blocked_addr, blocked_payload;
  logic [CHANNELS*16-1:0] gp_get;
  logic [CHANNELS*4-1:0]  status;
  logic [63:0]            now;
  logic                   gp_get_valid, fault_valid, reference_valid, interrupt_valid;
  logic [CHANNEL_W-1:0]   gp_get_channel, fault_channel;
  logic [15:0]            gp_get_value;
  logic [7:0]             fault_code;
  logic [31:0]            fault_info, reference_value;
  logic                   serving, fetching;
  logic [CHANNEL_W-1:0]   serving_channel;
  logic                   run_valid, run_held, run_done;
  logic [CHANNEL_W-1:0]   run_channel;
  logic [31:0]            run_word, run_info;
  logic [2:0]             run_result;
  logic [7:0]             run_code;
  logic [CHANNELS-1:0]    held, held_ready, retry, blocked;
  logic [CHANNELS*2-1:0]  held_reason;
  logic                   sem_valid, sem_done;
  logic [31:0]            sem_word, sem_payload, sem_info;
  logic [39:0]            sem_addr;
  logic [1:0]             sem_result;
  logic [7:0]             sem_code;

  host_registers #(
      .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS),
      .PENDING_TASKS(PENDING_TASKS), .DEQUE_ENTRIES(DEQUE_ENTRIES), .VGPR_ROWS(VGPR_ROWS), .CONST_BANKS(CONST_BANKS),
      .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
  ) u_registers (
      .clk_i(clk_i), .rst_i(rst_i), .inject_i(inject_i),
      .s_axil_awvalid_i(s_axil_awvalid_i), .s_axil_awready_o(s_axil_awready_o), .s_axil_awaddr_i(s_axil_awaddr_i),
      .s_axil_wvalid_i(s_axil_wvalid_i), .s_axil_wready_o(s_axil_wready_o), .s_axil_wdata_i(s_axil_wdata_i),
      .s_axil_wstrb_i(s_axil_wstrb_i),
      .s_axil_bvalid_o(s_axil_bvalid_o), .s_axil_bready_i(s_axil_bready_i), .s_axil_bresp_o(s_axil_bresp_o),
      .s_axil_arvalid_i(s_axil_arvalid_i), .s_axil_arready_o(s_axil_arready_o), .s_axil_araddr_i(s_axil_araddr_i),
      .s_axil_rvalid_o(s_axil_rvalid_o), .s_axil_rready_i(s_axil_rready_i), .s_axil_rdata_o(s_axil_rdata_o),
      .s_axil_rresp_o(s_axil_rresp_o), .irq_o(irq_o),
      .hold_o(hold), .quiet_i(quiet),
      .enable_o(enable), .faulted_o(faulted), .reset_o(reset), .priority_o(priorities), .gp_base_o(gp_base),
      .gp_entries_o(gp_entries), .gp_put_o(gp_put), .gp_get_o(gp_get), .space_base_o(space_base_o), .space_size_o(space_size_o),
      .acquire_retry_o(acquire_retry), .acquire_timeout_o(acquire_timeout), .time_o(now),
      .gp_get_valid_i(gp_get_valid), .gp_get_channel_i(gp_get_channel), .gp_get_value_i(gp_get_value),
      .reference_valid_i(reference_valid), .reference_channel_i(run_channel), .reference_value_i(reference_value),
      .interrupt_valid_i(interrupt_valid), .interrupt_channel_i(run_channel),
      .host_fault_valid_i(fault_valid), .host_fault_channel_i(fault_channel), .host_fault_code_i(fault_code),
      .host_fault_info_i(fault_info),
      .status_i(status), .get_i(get), .blocked_addr_i(blocked_addr), .blocked_payload_i(blocked_payload),
      .channel_idle_i(channel_idle_i), .tasks_outstanding_i(tasks_outstanding_i),
      .fault_valid_i(fault_valid_i), .fault_channel_i(fault_channel_i), .fault_code_i(fault_code_i), .fault_info_i(fault_info_i),
      .fault_pc_i(fault_pc_i),
      .l1_enable_o(l1_enable_o), .l1_hits_i(l1_hits_i), .l1_misses_i(l1_misses_i), .shared_passes_i(shared_passes_i), .shared_conflicts_i(shared_conflicts_i),
      .deque_serve_o(deque_serve_o), .yield_seed_o(yield_seed_o), .task_round_robin_o(task_round_robin_o), .sv_order_o(sv_order_o), .resident_i(resident_i), .sv_threshold_o(sv_threshold_o), .warp_held_i(warp_held_i), .deque_held_i(deque_held_i),
      .deque_selected_i(deque_selected_i), .deque_valid_o(deque_valid_o), .deque_ready_i(deque_ready_i), .deque_op_o(deque_op_o),
      .deque_entry_o(deque_entry_o), .deque_ends_i(deque_ends_i), .deque_token_i(deque_token_i),
      .warp_policy_o(warp_policy_o), .issue_counters_i(issue_counters_i),
      .warp_select_o(warp_select_o), .warp_pc_i(warp_pc_i), .warp_mask_i(warp_mask_i), .warp_state_i(warp_state_i),
      `TRACE_REG_WRITE_CONNECT, `TRACE_REG_READ_CONNECT, `TRACE_FAULT_CONNECT, `TRACE_INTERRUPT_CONNECT
  );

  gp_fetch #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_gp_fetch (
      .clk_i(clk_i), .rst_i(rst_i), .inject_i(inject_i), .hold_i(hold), .quiet_o(quiet),
      .enable_i(enable), .faulted_i(faulted), .reset_i(reset), .priority_i(priorities), .gp_base_i(gp_base),
      .gp_entries_i(gp_entries), .gp_put_i(gp_put), .gp_get_i(gp_get),
      .gp_get_valid_o(gp_get_valid), .gp_get_channel_o(gp_get_channel), .gp_get_value_o(gp_get_value),
      .fault_valid_o(fault_valid), .fault_channel_o(fault_channel), .fault_code_o(fault_code), .fault_info_o(fault_info),
      .get_o(get), .serving_o(serving), .fetching_o(fetching), .serving_channel_o(serving_channel),
      .run_valid_o(run_valid), .run_channel_o(run_channel), .run_held_o(run_held), .run_word_o(run_word),
      .run_done_i(run_done), .run_result_i(run_result), .run_code_i(run_code), .run_info_i(run_info),
      .held_i(held), .held_ready_i(held_ready),
      `REQUEST_PASS_OUT_AT(mem_req, mem_req, 0), `ANSWER_PASS_IN_AT(mem_rsp, mem_rsp, 0),
      `TRACE_GP_ENTRY_CONNECT, `TRACE_GP_GET_CONNECT
  );

  method_parser #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_parser (
      .clk_i(clk_i), .rst_i(rst_i), .inject_i(inject_i),
      .reset_i(reset),
      .run_valid_i(run_valid), .run_channel_i(run_channel), .run_held_i(run_held), .run_word_i(run_word),
      .run_done_o(run_done), .run_result_o(run_result), .run_code_o(run_code), .run_info_o(run_info),
      .held_o(held), .held_ready_o(held_ready), .held_reason_o(held_reason),
      .sem_valid_o(sem_valid), .sem_word_o(sem_word), .sem_addr_o(sem_addr), .sem_payload_o(sem_payload),
      .sem_done_i(sem_done), .sem_result_i(sem_result), .sem_code_i(sem_code), .sem_info_i(sem_info), .sem_retry_i(retry),
      .reference_valid_o(reference_valid), .reference_value_o(reference_value), .interrupt_valid_o(interrupt_valid),
      .launch_valid_o(launch_valid_o), .launch_ready_i(launch_ready_i), .launch_tmd_o(launch_tmd_o),
      .launch_region_o(launch_region_o), .launch_local_o(launch_local_o), .icache_invalidate_o(icache_invalidate_o), .channel_idle_i(channel_idle_i),
      `TRACE_METHOD_CONNECT
  );
  assign launch_channel_o = run_channel;
  assign channel_halt_o = faulted;

  semaphore_unit #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_semaphore (
      .clk_i(clk_i), .rst_i(rst_i), .inject_i(inject_i),
      .op_valid_i(sem_valid), .op_channel_i(run_channel), .op_word_i(sem_word), .op_addr_i(sem_addr), .op_payload_i(sem_payload),
      .time_i(now), .op_done_o(sem_done), .op_result_o(sem_result), .op_code_o(sem_code), .op_info_o(sem_info),
      .clear_i(reset), .acquire_retry_i(acquire_retry), .acquire_timeout_i(acquire_timeout), .space_base_i(space_base_o),
      .snoop_valid_i(snoop_valid_i), .snoop_addr_i(snoop_addr_i),
      .blocked_o(blocked), .retry_o(retry), .blocked_addr_o(blocked_addr), .blocked_payload_o(blocked_payload),
      `REQUEST_PASS_OUT_AT(mem_req, mem_req, 1), `ANSWER_PASS_IN_AT(mem_rsp, mem_rsp, 1),
      `TRACE_SEMAPHORE_CONNECT
  );

  // ---- STATUS
  genvar g;
  generate
    for (g = 0; g < CHANNELS; g = g + 1) begin : g_status
      wire served = serving && serving_channel == CHANNEL_W'(g);
      wire has_entries = enable[g] && gp_put[g*32 +: 32] != {16'd0, gp_get[g*16 +: 16]};
      assign status[g*4 +: 4] = blocked[g] ? `CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE
                                : (held[g] && held_reason[g*2 +: 2] == `HELD_LAUNCH) ? `CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT
                                : held[g] ? `CHANNEL_STATUS_STATE_WAITING_FOR_IDLE
                                : served ? (fetching ? `CHANNEL_STATUS_STATE_FETCHING : `CHANNEL_STATUS_STATE_EXECUTING)
                                : has_entries ? `CHANNEL_STATUS_STATE_FETCHING : `CHANNEL_STATUS_STATE_IDLE;
    end
  endgenerate
endmodule
`default_nettype wire
