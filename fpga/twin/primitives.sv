// The ECP5 primitives that LiteX's system for a board uses, as a simulator needs them: function, no timing.
// The PLL gives its input clock: the twin's clock is the board's system clock, and the clock of the memory its other phase.
`default_nettype none
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSED */
module EHXPLLL #(
    parameter int CLKFB_DIV = 1, CLKI_DIV = 1,
    parameter int CLKOP_DIV = 1, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0,
    parameter int CLKOS_DIV = 1, CLKOS_CPHASE = 0, CLKOS_FPHASE = 0,
    parameter int CLKOS2_DIV = 1, CLKOS2_CPHASE = 0, CLKOS2_FPHASE = 0,
    parameter CLKOP_ENABLE = "", CLKOS_ENABLE = "", CLKOS2_ENABLE = "", FEEDBK_PATH = ""
) (
    input  wire  CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
    output logic CLKOP, CLKOS, CLKOS2, LOCK, INTLOCK
);
    assign CLKOP = CLKI;
    assign CLKOS = !CLKI;
    assign CLKOS2 = CLKI;
    assign LOCK = !RST;
    assign INTLOCK = !RST;
endmodule

// A clock led out: the memory sees the edges of SCLK.
module ODDRX1F (input wire D0, D1, SCLK, RST, output logic Q);
    assign Q = SCLK;
endmodule

module OFS1P3BX (input wire D, PD, SCLK, SP, output logic Q);
    always_ff @(posedge SCLK) if (SP) Q <= PD || D;
endmodule

module IFS1P3BX (input wire D, PD, SCLK, SP, output logic Q);
    always_ff @(posedge SCLK) if (SP) Q <= PD || D;
endmodule

module FD1S3BX (input wire CK, D, PD, output logic Q);
    always_ff @(posedge CK or posedge PD)
        if (PD) Q <= 1'b1;
        else Q <= D;
endmodule

module TRELLIS_IO #(parameter DIR = "") (inout wire B, input wire I, T, output logic O);
    assign B = T ? 1'bz : I;
    assign O = B;
endmodule
/* verilator lint_on UNUSED */
/* verilator lint_on DECLFILENAME */
`default_nettype wire
