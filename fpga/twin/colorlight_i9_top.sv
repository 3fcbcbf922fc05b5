// twin_top of a Colorlight i9: the board: what LiteX made for it, and its memory chip, whose DM, CKE and CS pins are tied.
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
    wire [10:0] a;
    wire  [1:0] ba;
    wire        ras_n, cas_n, we_n, clock, led_n;
    wire [31:0] dq;

    colorlight_i9 u_board (
        .clk25(clk_i), .cpu_reset_n(!rst_i), .serial_rx(rx_i), .serial_tx(tx_o), .user_led_n(led_n),
        .sdram_a(a), .sdram_ba(ba), .sdram_cas_n(cas_n), .sdram_clock(clock), .sdram_dq(dq), .sdram_ras_n(ras_n), .sdram_we_n(we_n)
    );
    sdram #(.DATA_W(32), .ROW_W(11), .COLUMN_W(8)) u_sdram (
        .clk_i(clock), .cke_i(1'b1), .cs_n_i(1'b0), .ras_n_i(ras_n), .cas_n_i(cas_n), .we_n_i(we_n), .ba_i(ba), .dm_i(4'b0000), .a_i(a), .dq_io(dq),
        .error_o(memory_error_o)
    );
    assign leds_o = {3'b000, !led_n};
endmodule
`default_nettype wire
