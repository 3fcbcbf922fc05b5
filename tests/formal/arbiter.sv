// The arbiter grants one of those that ask, and nobody waits for more than PORTS - 1 grants to others.
//
// proof quick frames 12
// reads rtl/mem/arbiter.sv
// sets PORTS=5
// sets PORTS=7
// mutant the search always begins at port 0: rtl/mem/arbiter.sv
// - else if (taken_i) last_q <= grant_o;
// + else if (taken_i) last_q <= '0;
// mutant a port above the last one is found, whether it asks or not: rtl/mem/arbiter.sv
// - if (request_i[p] && PORT_W'(p) > last_q)
// + if (PORT_W'(p) > last_q && PORT_W'(p) == PORT_W'(PORTS - 1))
`include "formal.svh"

module prove_arbiter #(
    parameter PORTS = 5
) (
    input wire clk_i
);
    localparam PORT_W = $clog2(PORTS);
    `RESET(rst)
    `ANY(PORTS, request)
    `ANY(1, taken)
    `SOME(PORT_W, watched)  // the port whose wait is watched: any of them
    wire grant_valid;
    wire [PORT_W-1:0] grant;
    wire [PORTS-1:0] would;
    (* hierconn *) wire [PORT_W-1:0] \dut.last_q ;

    arbiter #(.PORTS(PORTS)) dut (.clk_i, .rst_i(rst), .request_i(request), .taken_i(taken), .grant_valid_o(grant_valid), .grant_o(grant), .would_o(would));

    `ASSUME(!taken || (grant_valid && !rst))
    `ASSUME(32'(watched) < PORTS)

    // How many grants to others were used since the watched port asks without a break.
    logic [PORT_W:0] waited = '0;
    always_ff @(posedge clk_i) begin
        if (rst || !request[watched] || (taken && grant == watched)) waited <= '0;
        else if (taken) waited <= waited + 1'b1;
    end
    // Grants that others can still get: those between the last one served and the watched one.
    wire [PORT_W:0] distance = watched > \dut.last_q ? (PORT_W+1)'(watched) - (PORT_W+1)'(\dut.last_q ) - 1'b1
                                                     : (PORT_W+1)'(PORTS - 1) + (PORT_W+1)'(watched) - (PORT_W+1)'(\dut.last_q );

    `CHECK(!request[watched] || would[watched] == (grant == watched))
    `CHECK(grant_valid == (request != '0))
    `CHECK(!grant_valid || (32'(grant) < PORTS && request[grant]))
    `CHECK(32'(waited) <= PORTS - 1)
    `CHECK(rst || 32'(waited) + 32'(distance) <= PORTS - 1)
    `REACH(32'(waited) == PORTS - 1 && grant == watched && taken)
    `REACH(!rst && taken && grant == watched && waited == '0 && request == '1)
endmodule
