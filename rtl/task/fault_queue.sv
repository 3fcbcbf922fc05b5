// fault_queue: holds the faults of one SM until they can be told to the host. Only needed where several SMs share the way.
//
// push_i is always taken; DEPTH entries are enough because the first fault of a warp in a slot is the only one that is pushed for that
// slot, and the slot is not filled again before its faults are told. valid_o/pop_i: first in, first out. Latency one cycle.
`default_nettype none

module fault_queue #(
    parameter int DEPTH = 2,
    parameter int W = 73
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire          push_i,
    input  wire  [W-1:0] push_data_i,
    output logic         valid_o,
    output logic [W-1:0] data_o,
    input  wire          pop_i
);
    localparam int INDEX_W = $clog2(DEPTH);

    logic [W-1:0]       entry_q [DEPTH];
    logic [INDEX_W-1:0] head_q, tail_q;
    logic [INDEX_W:0]   count_q;

    assign valid_o = count_q != '0;
    assign data_o = entry_q[head_q];

    always_ff @(posedge clk_i) begin
        if (push_i) entry_q[tail_q] <= push_data_i;
        if (rst_i) begin
            head_q <= '0;
            tail_q <= '0;
            count_q <= '0;
        end else begin
            if (push_i) tail_q <= tail_q + INDEX_W'(1);
            if (pop_i) head_q <= head_q + INDEX_W'(1);
            count_q <= count_q + (INDEX_W+1)'(push_i) - (INDEX_W+1)'(pop_i);
        end
    end

`ifndef SYNTHESIS
    initial if ((1 << INDEX_W) != DEPTH) $error("DEPTH must be a power of two");
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            if (push_i) assert (count_q != (INDEX_W+1)'(DEPTH));
            if (pop_i) assert (valid_o);
        end
    end
`endif
endmodule
`default_nettype wire
