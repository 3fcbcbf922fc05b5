// write_stage: what of axi_port's writes has not left: their addresses and their beats, which the memory may take in either order, but no beat before
// the address of the write in front of its own.
//
// push_i: a write of the line line_i that has the number slot_i, when full_o is low: close_i says that it is close_data_i, all of it; else it is
// data_i, or half_i twice (the other is zero), where strb_i says. sending_o: some write that came before the last cycle has not left;
// busy_o: a write has not left, nor does it in this cycle. Writes leave in the order in which they came.
//
// DEPTH 1: a register of one write, in which the next may come as the last beat of the one before leaves. More: a ring of so many in RAM,
// and requests behind a write do not wait for its beats; when it has not been empty for 512 cycles, nothing more comes in until it is (so sending_o
// is low at last, however much is written).
// Latency: push to the bus 1 cycle. Throughput: a beat a cycle.
`default_nettype none

module write_stage #(
    parameter int DEPTH = 1,  // a power of two
    parameter int AXI_DATA_W = 64,
    parameter int SLOT_W = 3,
    parameter int INJECT = 0,
    localparam int BEATS = 256 / AXI_DATA_W,
    localparam int STRB_W = AXI_DATA_W / 8
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    input  wire  [7:0]            inject_i,

    input  wire                   push_i,
    input  wire                   close_i,
    input  wire  [SLOT_W-1:0]     slot_i,
    input  wire  [31:5]           line_i,
    input  wire  [31:0]           strb_i,
    input  wire  [255:0]          data_i,
    input  wire  [127:0]          half_i,
    input  wire  [255:0]          close_data_i,
    output logic                  full_o,
    output logic                  busy_o,
    output logic                  sending_o,

    output logic                  awvalid_o,
    input  wire                   awready_i,
    output logic [SLOT_W-1:0]     awid_o,
    output logic [31:5]           awline_o,
    output logic                  wvalid_o,
    input  wire                   wready_i,
    output logic [AXI_DATA_W-1:0] wdata_o,
    output logic [STRB_W-1:0]     wstrb_o,
    output logic                  wlast_o
);
    localparam int BEAT_W = BEATS > 1 ? $clog2(BEATS) : 1;

    logic                  fresh_q;  // a write came in the cycle before
    logic [BEAT_W-1:0]     beat_q;
    logic [AXI_DATA_W-1:0] data;
    logic [STRB_W-1:0]     strb;
    logic                  last_goes;

    always_comb begin
        wlast_o = beat_q == BEAT_W'(BEATS - 1);
        last_goes = wvalid_o && wlast_o && wready_i;
        wdata_o = data;
        wstrb_o = strb;
        // Defect 41: byte 2 of the line is never written.
        if (INJECT != 0 && inject_i == 8'd41 && beat_q == '0) wstrb_o[2] = 1'b0;
    end
    always_ff @(posedge clk_i) begin
        fresh_q <= push_i && !rst_i;
        if (rst_i) beat_q <= '0;
        else if (wvalid_o && wready_i) beat_q <= wlast_o ? '0 : beat_q + BEAT_W'(1);
    end

    if (DEPTH == 1) begin : g_one
        logic              aw_q, w_q, close_q;
        logic [SLOT_W-1:0] slot_q;
        logic [31:5]       line_q;

        assign {awvalid_o, wvalid_o, awid_o, awline_o} = {aw_q, w_q, slot_q, line_q};
        assign busy_o = (aw_q && !awready_i) || (w_q && !(wlast_o && wready_i));
        assign full_o = busy_o;
        assign sending_o = (aw_q || w_q) && !fresh_q;
        always_ff @(posedge clk_i) begin
            if (awready_i) aw_q <= 1'b0;
            if (last_goes) w_q <= 1'b0;
            if (push_i) {aw_q, w_q} <= 2'b11;
            if (rst_i) {aw_q, w_q} <= 2'b00;
            if (push_i) begin
                close_q <= close_i;
                slot_q <= slot_i;
                line_q <= line_i;
            end
        end

        // The beats, of a write and of a line that is closed. Of these only what is on the bus is not zero, so the choice among them is an OR: the first beat
        // goes there at once, each other one when the one before has been taken.
        logic [BEATS-1:0] taken;
        wire              load = push_i && !close_i, load_close = push_i && close_i;
        logic [255:0]     wait_q, close_wait_q, now_q, close_now_q;
        logic [127:0]     half_q;
        logic [31:0]      strb_wait_q, strb_now_q;
        wire  [255:0]     halves = {2{half_q}};
        always_comb begin
            for (int b = 0; b < BEATS; b++) taken[b] = w_q && wready_i && beat_q == BEAT_W'(b);
            data = halves[AXI_DATA_W*beat_q +: AXI_DATA_W];
            strb = {STRB_W{close_q}};
            for (int b = 0; b < BEATS; b++) begin
                data = data | now_q[AXI_DATA_W*b +: AXI_DATA_W] | close_now_q[AXI_DATA_W*b +: AXI_DATA_W];
                strb = strb | strb_now_q[STRB_W*b +: STRB_W];
            end
        end
        always_ff @(posedge clk_i) begin
            if (load) {wait_q, strb_wait_q} <= {data_i, strb_i};
            if (load_close) close_wait_q <= close_data_i;
            if (load_close) half_q <= '0;
            else if (load) half_q <= half_i;
        end
        wire unused = &{1'b0, wait_q[AXI_DATA_W-1:0], close_wait_q[AXI_DATA_W-1:0], strb_wait_q[STRB_W-1:0]};
        for (genvar b = 0; b < BEATS; b++) begin : g_beat
            wire show = b == 0 ? load : taken[b == 0 ? 0 : b-1] && !close_q;
            wire show_close = b == 0 ? load_close : taken[b == 0 ? 0 : b-1] && close_q;
            always_ff @(posedge clk_i) begin
                if (rst_i || (taken[b] && !show)) begin
                    now_q[AXI_DATA_W*b +: AXI_DATA_W] <= '0;
                    strb_now_q[STRB_W*b +: STRB_W] <= '0;
                end else if (show) begin
                    now_q[AXI_DATA_W*b +: AXI_DATA_W] <= b == 0 ? data_i[0 +: AXI_DATA_W] : wait_q[AXI_DATA_W*b +: AXI_DATA_W];
                    strb_now_q[STRB_W*b +: STRB_W] <= b == 0 ? strb_i[0 +: STRB_W] : strb_wait_q[STRB_W*b +: STRB_W];
                end
                if (rst_i || (taken[b] && !show_close)) close_now_q[AXI_DATA_W*b +: AXI_DATA_W] <= '0;
                else if (show_close)
                    close_now_q[AXI_DATA_W*b +: AXI_DATA_W] <= b == 0 ? close_data_i[0 +: AXI_DATA_W] : close_wait_q[AXI_DATA_W*b +: AXI_DATA_W];
            end
        end
    end else begin : g_ring
        localparam int PLACE_W = $clog2(DEPTH);
        localparam int PATIENCE_W = 9;

        logic [PLACE_W-1:0]    in_q, aw_at_q, w_at_q;
        logic [PLACE_W:0]      aw_count_q, w_count_q;  // writes whose address, whose beats have not left
        logic [PATIENCE_W-1:0] patience_q;             // cycles without an empty ring
        logic [SLOT_W-1:0]     slot_mem_q [DEPTH];
        logic [26:0]           line_mem_q [DEPTH];
        logic                  aw_goes;
        logic [PLACE_W:0]      left;                   // of the one of which more have not left
        wire  [255:0]          data_in = close_i ? close_data_i : data_i | {2{half_i}};
        wire  [31:0]           strb_in = strb_i | {32{close_i}};

        assign left = (aw_count_q > w_count_q) ? aw_count_q : w_count_q;
        assign aw_goes = awvalid_o && awready_i;
        assign awvalid_o = aw_count_q != '0;
        assign wvalid_o = w_count_q != '0 && w_count_q >= aw_count_q;
        assign awid_o = slot_mem_q[aw_at_q];
        assign awline_o = line_mem_q[aw_at_q];
        assign full_o = left[PLACE_W] || patience_q == '1;
        assign busy_o = aw_count_q > (PLACE_W+1)'(aw_goes) || w_count_q > (PLACE_W+1)'(last_goes);
        assign sending_o = left > (PLACE_W+1)'(fresh_q);

        always_ff @(posedge clk_i) begin
            if (push_i) in_q <= in_q + PLACE_W'(1);
            if (aw_goes) aw_at_q <= aw_at_q + PLACE_W'(1);
            if (last_goes) w_at_q <= w_at_q + PLACE_W'(1);
            aw_count_q <= aw_count_q + (PLACE_W+1)'(push_i) - (PLACE_W+1)'(aw_goes);
            w_count_q <= w_count_q + (PLACE_W+1)'(push_i) - (PLACE_W+1)'(last_goes);
            if (left == '0) patience_q <= '0;
            else if (patience_q != '1) patience_q <= patience_q + PATIENCE_W'(1);
            if (rst_i) begin
                in_q <= '0;
                aw_at_q <= '0;
                w_at_q <= '0;
                aw_count_q <= '0;
                w_count_q <= '0;
                patience_q <= '0;
            end
        end
        always_ff @(posedge clk_i) if (push_i) slot_mem_q[in_q] <= slot_i;
        always_ff @(posedge clk_i) if (push_i) line_mem_q[in_q] <= line_i;

        logic [AXI_DATA_W-1:0] beat_data [BEATS];
        logic [STRB_W-1:0]     beat_strb [BEATS];
        for (genvar b = 0; b < BEATS; b++) begin : g_beat
            logic [AXI_DATA_W-1:0] data_mem_q [DEPTH];
            logic [STRB_W-1:0]     strb_mem_q [DEPTH];
            always_ff @(posedge clk_i) if (push_i) data_mem_q[in_q] <= data_in[AXI_DATA_W*b +: AXI_DATA_W];
            always_ff @(posedge clk_i) if (push_i) strb_mem_q[in_q] <= strb_in[STRB_W*b +: STRB_W];
            assign beat_data[b] = data_mem_q[w_at_q];
            assign beat_strb[b] = strb_mem_q[w_at_q];
        end
        assign data = beat_data[beat_q];
        assign strb = beat_strb[beat_q];
    end

`ifndef SYNTHESIS
    initial if (DEPTH < 1 || DEPTH != (1 << $clog2(DEPTH))) $error("write_stage: a depth that is no power of two");
    always_ff @(posedge clk_i) if (!rst_i && push_i) assert (!full_o);
`endif
endmodule
`default_nettype wire
