// Instruction fetch: a direct-mapped cache of ICACHE_LINES lines of 32 bytes (4 instructions), tagged with channel and address.
//
// Stage 0 has the picked warp; it makes the address, checks the program's bounds and reads the cache RAMs. Stage 1 has the line and its
// tag: a hit goes on to decode (out_*), a miss sends the warp back (miss_o) and starts a read of the line if none is under way. One line
// is read from memory at a time; other warps go on hitting meanwhile, and warps that miss are picked again when the read is done.
// The warp that asked for the line goes first: until it has been at stage 1 (or is gone: owed_keep_i low) no other line is read, so
// that warps whose lines share a place in the cache cannot take them from each other for ever.
// A read that the memory refuses is noted for the warp that asked (refused_o); that warp then comes back with pick_fault_i and
// faults. invalidate_i forgets everything; a line that is on its way then is not kept.
// Latency: two cycles from pick to out; one instruction a cycle.
`default_nettype none
`include "gen/bundles.svh"

module fetch #(
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int ICACHE_LINES = 64,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                              clk_i,
    input  wire                              rst_i,
    input  wire                              invalidate_i,
    // picked warp
    input  wire                              pick_valid_i,
    output logic                             pick_ready_o,
    input  wire  [WARP_W-1:0]                pick_warp_i,
    input  wire  [21:0]                      pick_pc_i,
    input  wire  [SLOT_W-1:0]                pick_slot_i,
    input  wire  [1:0]                       pick_fault_i,
    // task table
    input  wire  [TASK_SLOTS*CHANNEL_W-1:0]  slot_channel_i,
    input  wire  [TASK_SLOTS*32-1:0]         slot_region_i,
    input  wire  [TASK_SLOTS*32-1:0]         slot_code_base_i,
    input  wire  [TASK_SLOTS*32-1:0]         slot_code_size_i,
    // back to the warp table
    output logic                             miss_o,
    output logic [WARP_W-1:0]                miss_warp_o,
    output logic                             miss_busy_o,
    output logic                             owed_o,          // a line that was read waits for owed_warp_o
    output logic [WARP_W-1:0]                owed_warp_o,
    input  wire                              owed_keep_i,     // that warp will come
    output logic                             refused_o,
    output logic [WARP_W-1:0]                refused_warp_o,
    output logic [1:0]                       refused_code_o,
    // to decode
    output logic                             out_valid_o,
    input  wire                              out_ready_i,
    output logic [WARP_W-1:0]                out_warp_o,
    output logic [21:0]                      out_pc_o,
    output logic [SLOT_W-1:0]                out_slot_o,
    output logic [63:0]                      out_word_o,
    output logic                             out_outside_o,   // PROGRAM_BOUNDS
    output logic [1:0]                       out_fault_o,     // the memory refused the line: 1 outside the space, 2 bus error
    output logic [31:0]                      out_addr_o,      // line address
    // memory unit
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp)
);

    localparam int INDEX_W = $clog2(ICACHE_LINES);
    localparam int TAG_W = 27 - INDEX_W + CHANNEL_W;

    // ---- stage 0: address ----
    logic               v0_q, v1_q;
    logic [WARP_W-1:0]  warp0_q, warp1_q;
    logic [21:0]        pc0_q, pc1_q;
    logic [SLOT_W-1:0]  slot0_q, slot1_q;
    logic [1:0]         fault0_q, fault1_q;

    // verilator lint_off UNUSEDSIGNAL
    wire [31:0] addr0 = slot_region_i[32'(slot0_q)*32 +: 32] + {7'd0, pc0_q, 3'd0};  // bits 2:0 select nothing: instructions are 8-byte aligned
    // verilator lint_on UNUSEDSIGNAL
    wire [31:0] offset0 = addr0 - slot_code_base_i[32'(slot0_q)*32 +: 32];
    wire        outside0 = offset0 >= slot_code_size_i[32'(slot0_q)*32 +: 32];
    wire [CHANNEL_W-1:0] channel0 = slot_channel_i[32'(slot0_q)*CHANNEL_W +: CHANNEL_W];
    wire [INDEX_W-1:0]   index0 = addr0[5 +: INDEX_W];

    wire ready1 = !v1_q || out_ready_i || miss_o;
    wire ready0 = !v0_q || ready1;
    assign pick_ready_o = ready0;

    // ---- cache RAMs, read between stage 0 and 1 ----
    (* no_rw_check *) logic [255:0]     line_q [ICACHE_LINES];
    (* no_rw_check *) logic [TAG_W-1:0] tag_q [ICACHE_LINES];
    logic [ICACHE_LINES-1:0]            valid_q;
    logic [255:0]                       read_line_q;
    logic [TAG_W-1:0]                   read_tag_q;
    logic                               read_valid_q;

    logic                 busy_q, sent_q, stale_q, owed_q;
    logic [WARP_W-1:0]    miss_warp_q;
    logic [CHANNEL_W-1:0] miss_channel_q;
    logic [31:5]          miss_line_q;
    wire                  fill = busy_q && rsp_valid_i;
    wire                  keep = fill && rsp_fault_i == 2'd0 && !stale_q && !invalidate_i;
    wire  [INDEX_W-1:0]   fill_index = miss_line_q[5 +: INDEX_W];

    always_ff @(posedge clk_i) begin
        if (v0_q && ready1) begin
            read_line_q <= line_q[index0];
            read_tag_q <= tag_q[index0];
            read_valid_q <= valid_q[index0] && !(fill && fill_index == index0) && !invalidate_i;
        end
        if (fill) begin
            line_q[fill_index] <= rsp_data_i;
            tag_q[fill_index] <= {miss_channel_q, miss_line_q[31:5+INDEX_W]};
            valid_q[fill_index] <= keep;
        end
        if (rst_i || invalidate_i) valid_q <= '0;
    end

    // ---- stage 1: hit or miss ----
    logic [31:3]          addr1_q;
    logic [CHANNEL_W-1:0] channel1_q;
    logic                 outside1_q;

    wire no_line = outside1_q || fault1_q != 2'd0;
    wire hit = read_valid_q && read_tag_q == {channel1_q, addr1_q[31:5+INDEX_W]};
    assign miss_o = v1_q && !no_line && !hit;
    assign miss_warp_o = warp1_q;
    assign miss_busy_o = busy_q;
    assign owed_o = owed_q;
    assign owed_warp_o = miss_warp_q;

    assign out_valid_o = v1_q && (no_line || hit);
    assign out_warp_o = warp1_q;
    assign out_pc_o = pc1_q;
    assign out_slot_o = slot1_q;
    assign out_word_o = read_line_q[32'(addr1_q[4:3])*64 +: 64];
    assign out_outside_o = outside1_q;
    assign out_fault_o = fault1_q;
    assign out_addr_o = {addr1_q[31:5], 5'd0};

    assign req_valid_o = busy_q && !sent_q;
    assign req_op_o = `REQUEST_READ;
    assign req_atom_o = 4'd0;
    assign req_channel_o = miss_channel_q;
    assign req_addr_o = {miss_line_q, 5'd0};
    assign req_wstrb_o = 32'd0;
    assign req_wdata_o = 256'd0;

    assign refused_o = fill && rsp_fault_i != 2'd0;
    assign refused_warp_o = miss_warp_q;
    assign refused_code_o = rsp_fault_i;

    always_ff @(posedge clk_i) begin
        if (ready0) begin
            v0_q <= pick_valid_i;
            if (pick_valid_i) begin
                warp0_q <= pick_warp_i;
                pc0_q <= pick_pc_i;
                slot0_q <= pick_slot_i;
                fault0_q <= pick_fault_i;
            end
        end
        if (ready1) begin
            v1_q <= v0_q;
            if (v0_q) begin
                warp1_q <= warp0_q;
                pc1_q <= pc0_q;
                slot1_q <= slot0_q;
                fault1_q <= fault0_q;
                addr1_q <= addr0[31:3];
                channel1_q <= channel0;
                outside1_q <= outside0;
            end
        end
        if (fill) owed_q <= 1'b1;
        else if (invalidate_i || !owed_keep_i || (v1_q && warp1_q == miss_warp_q)) owed_q <= 1'b0;
        if (miss_o && !busy_q && !owed_q) begin
            busy_q <= 1'b1;
            sent_q <= 1'b0;
            stale_q <= invalidate_i;
            miss_warp_q <= warp1_q;
            miss_channel_q <= channel1_q;
            miss_line_q <= addr1_q[31:5];
        end else begin
            if (req_valid_o && req_ready_i) sent_q <= 1'b1;
            if (invalidate_i) stale_q <= 1'b1;
            if (fill) busy_q <= 1'b0;
        end
        if (rst_i) begin
            v0_q <= 1'b0;
            v1_q <= 1'b0;
            busy_q <= 1'b0;
            owed_q <= 1'b0;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i && rsp_valid_i) assert (busy_q && sent_q);
    always_ff @(posedge clk_i) if (!rst_i) assert (!(busy_q && owed_q));
`endif

endmodule
`default_nettype wire
