// GP_GET and GP_PUT of a channel, for any entry count: GP_GET goes on by one, with the right wrap, only when an entry that has been handed over
// is finished; so neither ever passes the other, and no entry is finished twice or left out. The same of a channel that belongs to the PPU's threads,
// whose GP_PUT follows one behind GP_GET.
//
// proof induction frames 24
// shows WQ-1 WQ-2 WQ-14
// reads rtl/host/gp_fetch.sv rtl/host/channel_choice.sv rtl/host/host_registers.sv
// sets CHANNELS=2
// mutant wraps one entry late: rtl/host/gp_fetch.sv
// - wire        wraps = {15'd0, gp_next} == gp_entries + {31'd0, inject_wrap};
// + wire        wraps = {15'd0, gp_next} == gp_entries + 32'd1;
// mutant an entry is begun though the queue is empty: rtl/host/gp_fetch.sv
// - busy_q[g] || ring_put_i[g*32 +: 32] != {16'd0, ring_get_i[g*16 +: 16]});
// + busy_q[g] || ring_enable_i[g]);
// mutant a finished entry stays the one in work: rtl/host/gp_fetch.sv
// - if (rst_i || ring_reset_i[g] || (mine && state_q == F_FINISH)) busy_q[g] <= 1'b0;
// + if (rst_i || ring_reset_i[g] || (mine && state_q == F_FINISH && left != 21'd0)) busy_q[g] <= 1'b0;
// mutant registers change while an entry is being read: rtl/host/gp_fetch.sv
// - assign quiet_o = hold_i && (state_q == F_CHOOSE ||
// + assign quiet_o = hold_i && (state_q == F_CHOOSE || state_q == F_ENTRY_WAIT || state_q == F_BEGIN ||
// mutant a reset leaves the channel's entry in work: rtl/host/gp_fetch.sv
// - if (rst_i || ring_reset_i[g] || (mine && state_q == F_FINISH)) busy_q[g] <= 1'b0;
// + if (rst_i || (mine && state_q == F_FINISH)) busy_q[g] <= 1'b0;
// mutant GP_PUT of the threads' channel follows too far: rtl/host/host_registers.sv
// - next_put = gp_get_valid_i ? {16'd0, put_get} :
// + next_put = gp_get_valid_i ? {16'd0, gp_get_value_i} :
// mutant the CPU moves GP_PUT of the threads' channel: rtl/host/host_registers.sv
// - (write && waddr == USERD + 20'(`USERD_GP_PUT) && !owned_q[g]) ||
// + (write && waddr == USERD + 20'(`USERD_GP_PUT)) ||
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "formal.svh"

module prove_gp_queue #(
    parameter CHANNELS = 2
) (
    input wire clk_i
);
    localparam CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
    `RESET(rst)
    `SOME(CHANNEL_W, c)          // the channel that is looked at
    `ASSUME(32'(c) < CHANNELS)
    // the CPU
    `ANY(1, awvalid)
    `ANY(1, wvalid)
    `ANY(20, awaddr)
    `ANY(32, wdata)
    `MOSTLY(4, wstrb, 4'hF)
    // the memory, the parser, the task unit
    `MOSTLY(1, mem_ready, 1'b1)
    `ANY(1, mem_rsp)
    `ANY(256, mem_data)
    `ANY(2, mem_fault)
    `ANY(1, run_done)
    `ANY(3, run_result)
    `MOSTLY(CHANNELS, held_ready, '1)
    `MOSTLY(CHANNELS, channel_idle, '1)
    `MOSTLY(1, task_fault, 1'b0)
    `MOSTLY(CHANNEL_W, task_fault_channel, '0)

    wire hold, quiet, get_valid, host_fault, run_valid, run_held, mem_valid, write;
    wire [CHANNELS-1:0] enable, faulted, reset;
    wire [CHANNELS*2-1:0] priorities;
    wire [CHANNELS*32-1:0] base, entries, puts;
    wire [CHANNELS*16-1:0] gets;
    wire [CHANNEL_W-1:0] get_channel, host_fault_channel, run_channel;
    wire [15:0] get_value;
    wire [19:0] write_addr;
    wire [31:0] write_data;
    logic [CHANNELS-1:0] held = '0;

    host_registers #(.CHANNELS(CHANNELS)) registers (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .s_axil_awvalid_i(awvalid), .s_axil_awaddr_i(awaddr), .s_axil_wvalid_i(wvalid),
        .s_axil_wdata_i(wdata), .s_axil_wstrb_i(wstrb), .s_axil_bready_i(1'b1), .s_axil_arvalid_i(1'b0), .s_axil_rready_i(1'b1),
        .hold_o(hold), .quiet_i(quiet), .ring_enable_o(enable), .ring_faulted_o(faulted), .ring_reset_o(reset), .ring_priority_o(priorities), .ring_base_o(base),
        .ring_entries_o(entries), .ring_put_o(puts), .ring_get_o(gets), .gp_get_valid_i(get_valid), .gp_get_channel_i(get_channel),
        .gp_get_value_i(get_value), .reference_valid_i(1'b0), .interrupt_valid_i(1'b0), .host_fault_valid_i(host_fault),
        .host_fault_channel_i(host_fault_channel), .channel_idle_i(channel_idle), .fault_valid_i(task_fault),
        .fault_channel_i(task_fault_channel), .warp_held_i(1'b0), .deque_selected_i(1'b0), .deque_ready_i(1'b0),
        .trace_reg_write_valid_o(write), .trace_reg_write_addr_o(write_addr), .trace_reg_write_data_o(write_data));

    gp_fetch #(.CHANNELS(CHANNELS)) fetch (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .hold_i(hold), .quiet_o(quiet), .ring_enable_i(enable), .ring_faulted_i(faulted), .ring_reset_i(reset),
        .ring_priority_i(priorities), .ring_base_i(base), .ring_entries_i(entries), .ring_put_i(puts), .ring_get_i(gets), .gp_get_valid_o(get_valid),
        .gp_get_channel_o(get_channel), .gp_get_value_o(get_value), .fault_valid_o(host_fault), .fault_channel_o(host_fault_channel),
        .run_valid_o(run_valid), .run_channel_o(run_channel), .run_held_o(run_held), .run_done_i(run_done), .run_result_i(run_result),
        .run_code_i(8'd1), .run_info_i(32'd0), .held_i(held), .held_ready_i(held_ready), .mem_req_valid_o(mem_valid),
        .mem_req_ready_i(mem_ready), .mem_rsp_valid_i(mem_rsp), .mem_rsp_data_i(mem_data), .mem_rsp_fault_i(mem_fault));

    (* hierconn *) wire [3:0] \fetch.state_q ;
    (* hierconn *) wire [CHANNEL_W-1:0] \fetch.channel_q ;
    (* hierconn *) wire [CHANNELS-1:0] \fetch.busy_q , \registers.fault_pending_q , \registers.owned_q ;
    (* hierconn *) wire \fetch.started_q , \fetch.line_valid_q ;
    wire line_valid = \fetch.line_valid_q ;
    wire [3:0] state = \fetch.state_q ;
    localparam [3:0] F_CHOOSE = 4'd0, F_ENTRY = 4'd1, F_ENTRY_WAIT = 4'd3, F_BEGIN = 4'd4, F_CHECK = 4'd5, F_RUN = 4'd6, F_LINE_WAIT = 4'd8, F_HELD = 4'd9,
                     F_FINISH = 4'd10, F_FAULT = 4'd11, F_READ = 4'd13;
    localparam [2:0] RUN_METHOD = 3'd1, RUN_HELD = 3'd2, RUN_YIELD = 3'd5;

    // The memory answers what it was asked; the parser holds a method from RUN_HELD until that one is done, or its channel is reset.
    `ASSUME(!mem_rsp || state == F_ENTRY_WAIT || state == F_LINE_WAIT)
    `ASSUME(!run_done || (run_valid && run_result >= RUN_METHOD && run_result <= RUN_YIELD))
    always_ff @(posedge clk_i) begin
        for (int k = 0; k < CHANNELS; k++) begin
            if (reset[k]) held[k] <= 1'b0;
            else if (run_done && !rst && run_channel == CHANNEL_W'(k)) held[k] <= run_result == RUN_HELD;
        end
    end

    // ---- the channel's queue, in the words of software ----
    logic [31:0] count, put;
    logic [15:0] get;
    logic busy, resets, owned;
    always_comb begin
        count = entries[31:0];
        put = puts[31:0];
        get = gets[15:0];
        busy = \fetch.busy_q [0];
        resets = reset[0];
        owned = \registers.owned_q [0];
        for (int k = 1; k < CHANNELS; k++) begin
            if (c == CHANNEL_W'(k)) begin
                count = entries[32*k +: 32];
                put = puts[32*k +: 32];
                get = gets[16*k +: 16];
                busy = \fetch.busy_q [k];
                resets = reset[k];
                owned = \registers.owned_q [k];
            end
        end
    end
    wire served = \fetch.channel_q == c && state != F_CHOOSE;
    wire reads_entry = state == F_READ && !line_valid;
    wire in_work = busy || (served && ((state >= F_ENTRY && state <= F_CHECK) || reads_entry));
    wire finished = get_valid && get_channel == c && !rst;
    wire begun = served && state == F_BEGIN;
    wire count_good = count >= 32'd2 && count <= 32'd65536;
    wire [16:0] valid_now = put[16:0] >= {1'b0, get} ? put[16:0] - {1'b0, get} : put[16:0] + count[16:0] - {1'b0, get};
    wire [16:0] valid_then = write_data[16:0] >= {1'b0, get} ? write_data[16:0] - {1'b0, get} : write_data[16:0] + count[16:0] - {1'b0, get};
    wire [19:0] block = `REG_CHANNEL_BASE + 20'(c) * `REG_CHANNEL_STRIDE;
    wire put_write = write && write_addr == `REG_USERD_BASE + 20'(c) * `REG_USERD_STRIDE + 20'(`USERD_GP_PUT);
    wire entries_write = write && write_addr == block + 20'(`CHANNEL_GP_ENTRIES);
    wire owned_write = write && write_addr == block + 20'(`CHANNEL_CONTROL) && write_data[2];

    // Software keeps to the rules: it hands entries over and never takes one back, it sets the entry count of a channel that has not been used since
    // reset, and before the channel is given to the PPU's threads. What holds from then on is said of `kept` only; what is begun is sound in any case.
    logic kept_before = 1'b1;
    wire kept = kept_before && !(put_write && !owned && (write_data >= count || valid_then < valid_now)) &&
                !(entries_write && (write_data < 32'd2 || write_data > 32'd65536 || get != '0 || put != '0 || in_work || owned)) &&
                !(owned_write && !count_good);
    always_ff @(posedge clk_i) kept_before <= rst || kept;

    // Entries handed over and not finished, counted by events. Those of a channel that belongs to the PPU's threads are all but one, always: GP_PUT
    // follows GP_GET.
    logic [16:0] outstanding = '0;
    always_ff @(posedge clk_i) begin
        if (rst) outstanding <= '0;
        else if (owned_write) outstanding <= count[16:0] - 17'd1;
        else if (resets) outstanding <= '0;
        else if (!owned) outstanding <= outstanding + (put_write ? valid_then - valid_now : '0) - 17'(finished);
    end

    `CHECK(rst || !kept_before || outstanding == valid_now)
    `CHECK(rst || !kept_before || !owned || (count_good && outstanding == count[16:0] - 17'd1))
    `CHECK(rst || !kept_before || (count == '0 && get == '0 && put == '0) || (count_good && {16'd0, get} < count && put < count))
    `CHECK(!finished || !kept_before || outstanding != '0)
    `CHECK(!finished || get_value == (32'(get) + 1 == count ? 16'd0 : get + 16'd1))
    `CHECK(!finished || busy)
    `CHECK(rst || !(write && finished))
    // Whatever software has written: an entry that is begun lies in the ring and has been handed over.
    `CHECK(!begun || rst || (count_good && {16'd0, get} < count && put < count && put != {16'd0, get}))
    // GP_GET, and the GP_PUT of threads, stay otherwise.
    logic [15:0] get_before = '0;
    logic [31:0] put_before = '0;
    logic moved = 1'b1, handed = 1'b1;
    always_ff @(posedge clk_i) begin
        get_before <= get;
        put_before <= put;
        moved <= rst || finished || resets;
        handed <= rst || put_write && !owned || owned_write || resets || finished && owned;
    end
    `CHECK(moved || get == get_before)
    `CHECK(handed || put == put_before)

    // Invariants: what is in work stands in the queue; registers change only where the fetch expects it.
    `CHECK(rst || !kept_before || !in_work || get != put[15:0])
    `CHECK(rst || !served || state != F_ENTRY || put != {16'd0, get})
    `CHECK(rst || !served || !((state > F_ENTRY && state <= F_BEGIN) || reads_entry) || (count_good && {16'd0, get} < count && put < count && put != {16'd0, get}))
    `CHECK(rst || state <= F_FAULT || state == F_READ)
    `CHECK(rst || state < F_ENTRY || state > F_CHECK || !line_valid)
    `CHECK(rst || !held[c] || busy)
    `CHECK(rst || state == F_CHOOSE || (state == F_HELD) == held[\fetch.channel_q ])
    `CHECK(rst || !served || state != F_FINISH || busy)
    `CHECK(rst || !served || state < F_CHECK || state == F_FAULT || reads_entry || (state == F_RUN && !\fetch.started_q ) || busy)
    `CHECK(rst || !\fetch.started_q || state == F_RUN || state == F_HELD || state == F_CHOOSE)
    `CHECK(rst || state == F_CHOOSE || (state == F_RUN && !\fetch.started_q ) || !faulted[\fetch.channel_q ])
    `CHECK(rst || (faulted & \registers.fault_pending_q ) == '0)

    `REACH(finished && kept && get_value == '0 && count == 32'd2 && !owned)
    `REACH(finished && kept && get_value == '0 && count == 32'd2 && owned)
    `REACH(finished && kept && outstanding == 17'd2)
    `REACH(put_write && kept && in_work)
    `REACH(owned_write && kept && in_work && put != '0)
    `REACH(served && state == F_HELD && run_done)
    `REACH(resets && served)
    `REACH(resets && owned_write && kept)
    `REACH(host_fault && host_fault_channel == c && !kept)
endmodule
