// twin_top of an ULX3S: the board: what LiteX made for it, and its memory chip. The serial line, the clock and the reset button are left.
`default_nettype none

module twin_top (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        rx_i,
    input  wire  [7:0] inject_i,    // a deliberate defect of the PPU, 0: none
    output logic       tx_o,
    output logic [3:0] leds_o,
    output logic       memory_error_o
);
    wire [12:0] a;
    wire  [1:0] ba, dm;
    wire        ras_n, cas_n, we_n, cs_n, cke, clock, keep;
    wire [15:0] dq;

    ulx3s u_board (
        .clk25(clk_i), .rst(rst_i), .serial_rx(rx_i), .serial_tx(tx_o), .wifi_gpio0(keep),
        .user_led0(leds_o[0]), .user_led1(leds_o[1]), .user_led2(leds_o[2]), .user_led3(leds_o[3]),
        .sdram_a(a), .sdram_ba(ba), .sdram_cas_n(cas_n), .sdram_cke(cke), .sdram_clock(clock), .sdram_cs_n(cs_n), .sdram_dm(dm), .sdram_dq(dq),
        .sdram_ras_n(ras_n), .sdram_we_n(we_n)
    );
    sdram #(.DATA_W(16), .ROW_W(13), .COLUMN_W(9)) u_sdram (
        .clk_i(clock), .cke_i(cke), .cs_n_i(cs_n), .ras_n_i(ras_n), .cas_n_i(cas_n), .we_n_i(we_n), .ba_i(ba), .dm_i(dm), .a_i(a), .dq_io(dq),
        .error_o(memory_error_o)
    );
    wire unused = &{1'b0, keep};
endmodule
`default_nettype wire
