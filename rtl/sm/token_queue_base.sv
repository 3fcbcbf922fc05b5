// token_queue_base: where in memory the token queues of each SM's warps begin, as DEQUE_MEMORY says. Combinational.
//
// A queue has DEQUE_ENTRIES / 2 << deque_size_i places of THREADS / 4 bytes; an SM has as many queues as the next power of two of WARPS, and all
// stand one behind the other. With deque_size_i 0 nothing is kept in memory. Bit 32: past the end of all addresses.
`default_nettype none

module token_queue_base #(
    parameter int THREADS = 32,
    parameter int WARPS = 4,
    parameter int SMS = 1,
    parameter int DEQUE_ENTRIES = 16
) (
    input  wire  [31:12]      deque_base_i,   // DEQUE_MEMORY.BASE
    input  wire  [3:0]        deque_size_i,   // DEQUE_MEMORY.SIZE
    output logic [SMS*21-1:0] token_memory_o  // bits 32:12 of SM s at s * 21
);
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam int PLACE_BYTES = THREADS / 4;
    localparam int SM_BYTES = (1 << WARP_W) * (DEQUE_ENTRIES / 2) * PLACE_BYTES;  // of all queues of an SM, with deque_size_i 0

    for (genvar g = 0; g < SMS; g++) begin : g_sm
        assign token_memory_o[21*g +: 21] = {1'b0, deque_base_i} + 21'((33'(g * SM_BYTES) << deque_size_i) >> 12);
    end

`ifndef SYNTHESIS
    initial if (SMS > 1 && SM_BYTES % 2048 != 0) $error("the token queues of an SM must fill whole pages of 4096 bytes when they have twice as many places");
`endif
endmodule
`default_nettype wire
