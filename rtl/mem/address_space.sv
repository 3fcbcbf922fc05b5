// address_space: from an address in a channel's space to a physical one.
//
// physical = SPACE_BASE + address; outside_o when the address is at or past SPACE_SIZE, or the sum past what 32 bits reach (memory may end before:
// memory_unit looks). direct_i: the address is physical already, whatever the channel's space.
// SPACE_BASE and SPACE_SIZE are multiples of 4096, so a line of 32 bytes never lies half inside. Combinational.
`default_nettype none
`include "gen/bundles.svh"

module address_space #(
    parameter int CHANNELS = 2,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire  [7:0]           inject_i,
    `SPACE_INS(space, CHANNELS),
    input  wire                  direct_i,
    input  wire  [CHANNEL_W-1:0] channel_i,
    input  wire  [31:2]          addr_i,
    output logic [31:2]          physical_o,  // of the word
    output logic                 outside_o
);
    logic [19:0] base_page, size_pages;
    logic [20:0] sum;
    logic        past_end;

    always_comb begin
        base_page = direct_i ? 20'd0 : space_base_i[32*channel_i+12 +: 20];
        size_pages = space_size_i[32*channel_i+12 +: 20];
        sum = {1'b0, base_page} + {1'b0, addr_i[31:12]};
        past_end = !direct_i && addr_i[31:12] >= size_pages;
        // Defect 42: the page behind the end counts as inside.
        if (INJECT != 0 && inject_i == 8'd42) past_end = !direct_i && addr_i[31:12] > size_pages;
        physical_o = {sum[19:0], addr_i[11:2]};
        outside_o = past_end || sum[20];
    end

`ifndef SYNTHESIS
    // The low bits are zero by the register map; they are not looked at.
    always @* begin
        for (int c = 0; c < CHANNELS; c++) begin
            assert (space_base_i[32*c +: 12] == 12'd0 || $isunknown(space_base_i[32*c +: 12]));
            assert (space_size_i[32*c +: 12] == 12'd0 || $isunknown(space_size_i[32*c +: 12]));
        end
    end
`endif
endmodule
`default_nettype wire
