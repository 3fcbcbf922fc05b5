// Signature: one number that tells what the warps of a multiprocessor have done, and that depends neither on the order among them nor on
// times, so that a device at full speed is compared with the model without a trace. cmodel/sm/signature.c is its twin.
//
// Each committed event that counts is folded into a word x, made one with the key of its warp, and multiplied: the halves of x are the
// factors. The products are added up, so their order does not matter. What counts: the kinds of SIGNATURE_KINDS, of warps whose name is
// SIGNATURE_NAME where SIGNATURE_NAME_MASK has ones, of results those of SIGNATURE_PLACE, and no more than SIGNATURE_LIMIT says:
// of those of one cycle the first ones, an instruction before a result before a store.
// A warp's name says what it works on and not where: its task's TMD, its CTA, its number in it.
//   INSTR   pc, active and executing threads, each if it is asked for
//   RESULT  a portion written to a vector register: register, portion, lanes, their words turned left by 5 bits more each
//   STORE   a request of a store or atomic: line and strobes; what is stored stands in registers, whose results count
// RAW: instead of the product x, keys included, of the first two: with a limit, two runs give the word of one event.
//
// Protocol: write_i puts data_i into the register place_i while nothing runs; LIMIT also clears the sum. Events are those of the trace.
// Latency: left_o shows an event 2 cycles later, sum_o 5. Throughput: one event of each kind a cycle, of results two.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"

module signature #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    `SIGNING_IN(signing),
    input  wire                  start_i,
    input  wire  [WARP_W-1:0]    start_warp_i,
    input  wire  [31:0]          start_name_i,

    input  wire                  instr_i,
    input  wire  [WARP_W-1:0]    instr_warp_i,
    input  wire  [31:0]          instr_pc_i,
    input  wire  [63:0]          instr_active_i,
    input  wire  [63:0]          instr_exec_i,

    input  wire  [1:0]           result_i,         // of each field two, side by side
    input  wire  [2*WARP_W-1:0]  result_warp_i,
    input  wire  [2*8-1:0]       result_rd_i,
    input  wire  [2*8-1:0]       result_portion_i,
    input  wire  [2*LANES-1:0]   result_mask_i,
    input  wire  [2*LANES*32-1:0] result_data_i,

    input  wire                  store_i,
    input  wire  [WARP_W-1:0]    store_warp_i,
    input  wire  [31:0]          store_addr_i,
    input  wire  [31:0]          store_strb_i,

    output logic [31:0]          sum_o,
    output logic [31:0]          left_o
);
    localparam int LANE_W = $clog2(LANES);

    // ---- what counts ----
    logic [31:0] name_q, name_mask_q;
    logic [27:0] place_q;
    logic [6:0]  kinds_q;
    wire         clear = signing_write_i && signing_place_i == `SIGNING_PLACE_LIMIT;
    always_ff @(posedge clk_i) begin
        if (rst_i) kinds_q <= 7'd0;
        else if (signing_write_i && signing_place_i == `SIGNING_PLACE_KINDS) kinds_q <= signing_data_i[6:0];
        if (rst_i) {name_q, name_mask_q, place_q} <= '0;
        else if (signing_write_i) begin
            if (signing_place_i == `SIGNING_PLACE_NAME) name_q <= signing_data_i;
            if (signing_place_i == `SIGNING_PLACE_NAME_MASK) name_mask_q <= signing_data_i;
            if (signing_place_i == `SIGNING_PLACE_PLACE) place_q <= signing_data_i[27:0];
        end
    end
    wire       raw = kinds_q[`REG_SIGNATURE_KINDS_RAW];
    wire [7:0] place_rd = place_q[7:0], place_rd_mask = place_q[15:8];
    wire [5:0] place_thread = place_q[21:16], place_thread_mask = place_q[27:22];

    logic [WARPS-1:0]    chosen_q;
    logic [WARPS*16-1:0] keys_q;
    always_ff @(posedge clk_i)
        if (start_i) begin
            chosen_q[start_warp_i] <= ((start_name_i ^ name_q) & name_mask_q) == 32'd0;
            keys_q[32'(start_warp_i)*16 +: 16] <= start_name_i[31:16] ^ start_name_i[15:0];
        end
    wire [15:0] instr_key = keys_q[32'(instr_warp_i)*16 +: 16];
    wire [15:0] store_key = keys_q[32'(store_warp_i)*16 +: 16];

    // ---- words ----
    logic [31:0] instr_x, store_x;
    always_comb begin
        instr_x = {~instr_key, instr_key};
        if (kinds_q[`REG_SIGNATURE_KINDS_PC]) instr_x = instr_x ^ instr_pc_i;
        if (kinds_q[`REG_SIGNATURE_KINDS_ACTIVE]) instr_x = instr_x ^ {instr_active_i[22:0], instr_active_i[31:23]};
        if (kinds_q[`REG_SIGNATURE_KINDS_EXEC]) instr_x = instr_x ^ {instr_exec_i[12:0], instr_exec_i[31:13]};
        if (THREADS > 32) begin
            if (kinds_q[`REG_SIGNATURE_KINDS_ACTIVE]) instr_x = instr_x ^ {instr_active_i[59:32], instr_active_i[63:60]};
            if (kinds_q[`REG_SIGNATURE_KINDS_EXEC]) instr_x = instr_x ^ {instr_exec_i[49:32], instr_exec_i[63:50]};
        end
    end
    // Which lanes of a result count, and its word without the warp's key.
    function automatic [LANES-1:0] counting(input [LANES-1:0] mask, input [5:0] lane_0, input [5:0] thread, input [5:0] thread_mask);
        for (int l = 0; l < LANES; l++) counting[l] = mask[l] && (((lane_0 | 6'(l)) ^ thread) & thread_mask) == 6'd0;
    endfunction
    function automatic [31:0] result_word(input [7:0] rd, input [5:0] portion, input [LANES-1:0] lanes, input [LANES*32-1:0] data);
        begin
            result_word = {rd, portion, 18'd0} ^ 32'(lanes);
            for (int l = 0; l < LANES; l++)
                if (lanes[l]) result_word = result_word ^ (data[32*l +: 32] << (5 * l) % 32) ^ (data[32*l +: 32] >> (32 - (5 * l) % 32));
        end
    endfunction
    assign store_x = {~store_key, store_key} ^ store_addr_i ^ {store_strb_i[24:0], store_strb_i[31:25]};

    // ---- products, and their sum, one after the other: a chain of adders is smaller than one for all ----
    logic        instr_q, store_q;
    logic [1:0]  result_q;
    logic [3:0]  counts;
    logic [2:0]  n, under_way_q;  // some count: products, two sums, all of them
    logic [31:0] instr_x_q, store_x_q, instr_p_q, store_p_q, first_q, second_q, all_q, sum_q, left_q;
    logic [63:0] result_x_q, result_p_q;
    wire  [3:0]  asks = {store_q, result_q, instr_q};
    wire         many = left_q[31:2] != '0;
    always_comb begin
        n = 3'd0;
        counts = 4'd0;
        for (int e = 0; e < 4; e++)
            if (asks[e] && (many || n[1:0] < left_q[1:0])) begin
                counts[e] = 1'b1;
                n = n + 3'd1;
            end
    end

    for (genvar r = 0; r < 2; r++) begin : g_result
        wire [WARP_W-1:0] warp = result_warp_i[r*WARP_W +: WARP_W];
        wire [7:0]        rd = result_rd_i[r*8 +: 8], portion = result_portion_i[r*8 +: 8];
        wire [15:0]       key = keys_q[32'(warp)*16 +: 16];
        wire [LANES-1:0]  lanes = counting(result_mask_i[r*LANES +: LANES], 6'(portion << LANE_W), place_thread, place_thread_mask);
        wire [31:0]       x = result_x_q[r*32 +: 32];
        always_ff @(posedge clk_i) begin
            result_q[r] <= 1'b0;
            if (result_i[r]) begin
                result_x_q[r*32 +: 32] <= {~key, key} ^ result_word(rd, portion[5:0], lanes, result_data_i[r*LANES*32 +: LANES*32]);
                result_q[r] <= kinds_q[`REG_SIGNATURE_KINDS_RESULT] && chosen_q[warp] && lanes != '0 && ((rd ^ place_rd) & place_rd_mask) == 8'd0;
            end
            result_p_q[r*32 +: 32] <= !counts[1 + r] ? 32'd0 : raw ? x : 32'(x[15:0]) * 32'(x[31:16]);
        end
    end
    always_ff @(posedge clk_i) begin
        instr_x_q <= instr_x;
        store_x_q <= store_x;
        instr_q <= instr_i && kinds_q[`REG_SIGNATURE_KINDS_INSTR] && chosen_q[instr_warp_i];
        store_q <= store_i && kinds_q[`REG_SIGNATURE_KINDS_STORE] && chosen_q[store_warp_i];
        // Nothing that does not count gets into the sum.
        instr_p_q <= !counts[0] ? 32'd0 : raw ? instr_x_q : 32'(instr_x_q[15:0]) * 32'(instr_x_q[31:16]);
        store_p_q <= !counts[3] ? 32'd0 : 32'(store_x_q[15:0]) * 32'(store_x_q[31:16]);
        first_q <= instr_p_q + result_p_q[31:0];
        second_q <= store_p_q + result_p_q[63:32];
        all_q <= first_q + second_q;
        under_way_q <= rst_i ? 3'd0 : {under_way_q[1:0], counts != 4'd0};
        if (rst_i) begin
            sum_q <= 32'd0;
            left_q <= 32'd0;
        end else if (clear) begin
            sum_q <= 32'd0;
            left_q <= signing_data_i;
        end else begin
            if (under_way_q[2]) sum_q <= sum_q + all_q;
            left_q <= left_q - {29'd0, n};
        end
    end
    assign sum_o = sum_q;
    assign left_o = left_q;

`ifndef SYNTHESIS
    initial if (LANES < 2 || THREADS > 64) $error("a portion has lanes, a warp at most 64 threads");
    always_ff @(posedge clk_i)
        if (!rst_i) assert (!(clear && (counts != 4'd0 || under_way_q != 3'd0)));
`endif
endmodule
`default_nettype wire
