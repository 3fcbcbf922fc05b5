// The predicates P0 to P6 of all warps, a bit for each thread. They are kept twice, because they are read in two ways.
//
// By number: number in, the bits of all threads out, in the same cycle, for guard, p1 and p2 of a warp's instruction; number 7 is PT.
// By portion: of a portion all seven predicates, in the same cycle (P2R). Write: LANES bits of one predicate under a mask, at the clock edge.
// clear_i: the warp's predicates become zero, a number and a portion a cycle in which none is written; clear_ready_o tells that all are. It
// stands until the warp has started, and is low for a cycle before the next warp's.
`default_nettype none
`include "gen/bundles.svh"

module predicate_file #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                 clk_i,
    // by number
    input  wire  [WARP_W-1:0]   read_warp_i,
    input  wire  [2:0]          guard_i,
    input  wire  [2:0]          p1_i,
    input  wire  [2:0]          p2_i,
    output logic [THREADS-1:0]  guard_o,
    output logic [THREADS-1:0]  p1_o,
    output logic [THREADS-1:0]  p2_o,
    // by portion: bit p * LANES + l is predicate p of lane l
    input  wire  [WARP_W-1:0]   look_warp_i,
    input  wire  [PORTION_W-1:0] look_portion_i,
    output logic [7*LANES-1:0]  look_o,
    `PRED_WRITE_IN(write),
    input  wire                 clear_i,
    input  wire  [WARP_W-1:0]   clear_warp_i,
    output logic                clear_ready_o
);

    localparam int CLEARS = (P > 7) ? P : 7;
    localparam int CLEAR_W = $clog2(CLEARS + 1);

    // ---- clearing ----
    logic [CLEAR_W-1:0] cleared_q;
    wire clears = clear_i && !clear_ready_o && !write_valid_i;
    always_ff @(posedge clk_i) begin
        if (!clear_i) {cleared_q, clear_ready_o} <= '0;
        else if (clears) begin
            cleared_q <= cleared_q + CLEAR_W'(1);
            clear_ready_o <= 32'(cleared_q) == CLEARS - 1;
        end
    end

    // ---- what is written ----
    logic [LANES-1:0] was [8];  // of the portion
    wire  [LANES-1:0] word = clears ? '0 : (was[write_pred_i] & ~write_lanes_i) | (write_data_i & write_lanes_i);
    wire  [WARP_W-1:0] to_warp = clears ? clear_warp_i : write_warp_i;
    wire  [2:0]        to_pred = clears ? 3'(cleared_q) : write_pred_i;
    wire  [PORTION_W-1:0] to_where = clears ? PORTION_W'(cleared_q) : write_portion_i;
    assign was[7] = '0;

    // ---- by number ----
    wire [WARP_W+2:0] to_number = {to_warp, to_pred};
    for (genvar p = 0; p < P; p++) begin : g_portion
        logic [LANES-1:0] number_mem_q [8 << WARP_W];
        always_ff @(posedge clk_i) if (clears || (write_valid_i && 32'(write_portion_i) == p)) number_mem_q[to_number] <= word;
        assign guard_o[p*LANES +: LANES] = number_mem_q[{read_warp_i, guard_i}] | {LANES{guard_i == 3'd7}};
        assign p1_o[p*LANES +: LANES] = number_mem_q[{read_warp_i, p1_i}] | {LANES{p1_i == 3'd7}};
        assign p2_o[p*LANES +: LANES] = number_mem_q[{read_warp_i, p2_i}] | {LANES{p2_i == 3'd7}};
    end

    // ---- by portion ----
    wire [WARP_W+PORTION_W-1:0] to_portion = {to_warp, to_where};
    for (genvar k = 0; k < 7; k++) begin : g_number
        logic [LANES-1:0] portion_mem_q [1 << (WARP_W + PORTION_W)];
        always_ff @(posedge clk_i) if (clears || (write_valid_i && write_pred_i == 3'(k))) portion_mem_q[to_portion] <= word;
        assign was[k] = portion_mem_q[{write_warp_i, write_portion_i}];
        assign look_o[k*LANES +: LANES] = portion_mem_q[{look_warp_i, look_portion_i}];
    end

`ifndef SYNTHESIS
    logic clear_q;
    logic [WARP_W-1:0] clear_warp_q;
    always_ff @(posedge clk_i) begin
        clear_q <= clear_i;
        clear_warp_q <= clear_warp_i;
        if (clear_q && clear_i) assert (clear_warp_i == clear_warp_q);
        if (write_valid_i) assert (write_pred_i != 3'd7 && !(clear_i && write_warp_i == clear_warp_i));
    end
`endif

endmodule
`default_nettype wire
