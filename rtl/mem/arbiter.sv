// arbiter: picks one of PORTS requesters, fairly.
//
// Loose round robin: the search starts behind the port that was served last, so a port that asks waits for at most
// PORTS - 1 grants to others. grant_valid_o / grant_o are combinational from request_i; taken_i says that the grant
// was used in this cycle and moves the starting point. No latency; a grant every cycle.
// would_o: the ports that would be granted if they asked: what a port itself asks has no part in its bit, which so does not wait for it.
`default_nettype none

module arbiter #(
    parameter int PORTS = 5,
    localparam int PORT_W = $clog2(PORTS)
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire  [PORTS-1:0]  request_i,
    input  wire               taken_i,
    output logic              grant_valid_o,
    output logic [PORT_W-1:0] grant_o,
    output logic [PORTS-1:0]  would_o
);

    logic [PORT_W-1:0] last_q;

    // Lowest requesting port above the last one served; if there is none, the lowest of all.
    always_comb begin
        grant_valid_o = 1'b0;
        grant_o = '0;
        for (int p = PORTS - 1; p >= 0; p--) begin
            if (request_i[p]) begin
                grant_valid_o = 1'b1;
                grant_o = PORT_W'(p);
            end
        end
        for (int p = PORTS - 1; p >= 0; p--) begin
            if (request_i[p] && PORT_W'(p) > last_q) grant_o = PORT_W'(p);
        end
    end

    logic [PORTS-1:0] above;  // the last one served
    always_comb begin
        for (int p = 0; p < PORTS; p++) above[p] = PORT_W'(p) > last_q;
        for (int p = 0; p < PORTS; p++) begin
            would_o[p] = 1'b1;
            for (int q = 0; q < PORTS; q++)
                if (request_i[q] && (above[q] == above[p] ? q < p : above[q])) would_o[p] = 1'b0;
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) last_q <= '0;
        else if (taken_i) last_q <= grant_o;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i && taken_i) assert (grant_valid_o);
        for (int p = 0; p < PORTS; p++) if (request_i[p]) assert (would_o[p] == (grant_o == PORT_W'(p)));
    end
`endif
endmodule
`default_nettype wire
