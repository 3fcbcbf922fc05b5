// Takes an instruction through the portions of its warp: LANES threads at a time, lowest portion first, portions without a thread of
// exec left out.
//
// start: taken when start_valid_i and start_ready_o are high; the first portion is there in the next cycle, or none if exec is zero.
// portion: stays until portion_ready_i; then the next one is there in the next cycle; portion_last_o marks the last. start_ready_o is
// high in the cycle in which the last portion goes, so instructions follow each other without a gap. clear_i forgets what is left.
// Throughput: one portion a cycle.
`default_nettype none

module sequencer #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire                  clear_i,
    input  wire                  start_valid_i,
    output logic                 start_ready_o,
    input  wire  [THREADS-1:0]   start_exec_i,
    output logic                 portion_valid_o,
    input  wire                  portion_ready_i,
    output logic [PORTION_W-1:0] portion_o,
    output logic [LANES-1:0]     portion_lanes_o,
    output logic                 portion_last_o
);
    logic [THREADS-1:0] mask_q;  // threads of portions not yet done
    logic [P-1:0]       left;    // portions that have such threads
    logic [P-1:0]       first;   // the lowest of them
    logic [THREADS-1:0] mask_after;

    for (genvar p = 0; p < P; p++) begin : g_portion
        assign left[p] = |mask_q[p*LANES +: LANES];
        assign mask_after[p*LANES +: LANES] = first[p] ? '0 : mask_q[p*LANES +: LANES];
    end
    assign first = left & (~left + P'(1));

    always_comb begin
        portion_o = '0;
        portion_lanes_o = '0;
        for (int p = 0; p < P; p++) begin
            if (first[p]) begin
                portion_o = PORTION_W'(p);
                portion_lanes_o = mask_q[p*LANES +: LANES];
            end
        end
    end
    assign portion_valid_o = |left;
    assign portion_last_o = left == first;
    assign start_ready_o = !portion_valid_o || (portion_last_o && portion_ready_i);

    always_ff @(posedge clk_i) begin
        if (rst_i || clear_i) mask_q <= '0;
        else if (start_valid_i && start_ready_o) mask_q <= start_exec_i;
        else if (portion_valid_o && portion_ready_i) mask_q <= mask_after;
    end

`ifndef SYNTHESIS
    initial if (THREADS % LANES != 0) $error("LANES must divide THREADS");
    always_ff @(posedge clk_i) begin
        if (!rst_i && portion_valid_o) assert (|portion_lanes_o);
        if (!rst_i && start_valid_i && start_ready_o && portion_valid_o) assert (portion_last_o);
    end
`endif
endmodule
`default_nettype wire
