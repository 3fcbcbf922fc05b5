// How busy an SM is: instructions issued, and cycles in which the lanes would have taken an instruction and got none, by reason. Since reset, 32 bits,
// they wrap.
//
// Reasons, the first that holds: memory (some warp waits for something of memory that is in flight, or for a unit of it to be free),
// score (some warp waits for a result of the lanes), none (no warp waits for a value: all are on their way through the front end, held, at
// barriers, or there are none).
`default_nettype none

module issue_counters (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         issued_i,
    input  wire         idle_i,
    input  wire         memory_i,
    input  wire         score_i,
    output logic [31:0] issued_o,
    output logic [31:0] idle_memory_o,
    output logic [31:0] idle_score_o,
    output logic [31:0] idle_none_o
);

    always_ff @(posedge clk_i)
        if (rst_i) begin
            issued_o <= '0;
            idle_memory_o <= '0;
            idle_score_o <= '0;
            idle_none_o <= '0;
        end else begin
            issued_o <= issued_o + 32'(issued_i);
            idle_memory_o <= idle_memory_o + 32'(idle_i && memory_i);
            idle_score_o <= idle_score_o + 32'(idle_i && !memory_i && score_i);
            idle_none_o <= idle_none_o + 32'(idle_i && !memory_i && !score_i);
        end

endmodule
`default_nettype wire
