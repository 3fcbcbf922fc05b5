// sdram: a single data rate SDRAM, 16 bits, 4 banks of 8192 rows of 512 words, with CAS latency 2 and bursts of one.
//
// It keeps the rules that a controller can break without timing: a bank is opened before it is used, closed before another row, all banks are
// closed when a refresh or a new mode comes, refreshes come often enough, and nothing is used before the mode is set. error_o stays high after the
// first rule that was broken, and a line says which.
`default_nettype none

module sdram #(
    parameter int REFRESH_CYCLES = 100000  // at most between two refreshes, once there was one
) (
    input  wire         clk_i,
    input  wire         cke_i,
    input  wire         cs_n_i,
    input  wire         ras_n_i,
    input  wire         cas_n_i,
    input  wire         we_n_i,
    input  wire   [1:0] ba_i,
    input  wire   [1:0] dm_i,
    input  wire  [12:0] a_i,
    inout  wire  [15:0] dq_io,
    output logic        error_o
);
    logic [15:0] words [0:(1 << 24) - 1];
    logic [12:0] row_q [0:3];
    logic  [3:0] open_q = '0;
    logic        mode_q = 1'b0, refreshed_q = 1'b0;
    logic [31:0] since_q = '0;
    logic  [1:0] drive_q = '0;
    logic [15:0] first_q, second_q;

    wire [23:0] at = {row_q[ba_i], ba_i, a_i[8:0]};
    assign dq_io = drive_q[1] ? second_q : 16'hzzzz;
    initial error_o = 1'b0;

    task automatic broken(input string rule);
        $display("sdram: %s (bank %0d, address %h)", rule, ba_i, a_i);
        error_o <= 1'b1;
    endtask

    always_ff @(posedge clk_i) begin
        drive_q <= {drive_q[0], 1'b0};
        second_q <= first_q;
        since_q <= since_q + 1;
        if (refreshed_q && since_q == REFRESH_CYCLES) broken("no refresh for too long");
        if (cke_i && !cs_n_i) begin
            case ({ras_n_i, cas_n_i, we_n_i})
                3'b000: begin  // mode
                    if (open_q != 0) broken("a mode with an open bank");
                    if (a_i[6:4] != 3'd2 || a_i[2:0] != 3'd0) broken("a mode other than CAS latency 2, bursts of one");
                    mode_q <= 1'b1;
                end
                3'b001: begin  // refresh
                    if (open_q != 0) broken("a refresh with an open bank");
                    refreshed_q <= 1'b1;
                    since_q <= '0;
                end
                3'b010: open_q <= a_i[10] ? '0 : open_q & ~(4'd1 << ba_i);  // precharge
                3'b011: begin  // activate
                    if (!mode_q) broken("activated before a mode was set");
                    if (open_q[ba_i]) broken("activated while open");
                    open_q[ba_i] <= 1'b1;
                    row_q[ba_i] <= a_i;
                end
                3'b100: begin  // write
                    if (!open_q[ba_i]) broken("written while closed");
                    if (!dm_i[0]) words[at][7:0] <= dq_io[7:0];
                    if (!dm_i[1]) words[at][15:8] <= dq_io[15:8];
                    if (a_i[10]) open_q[ba_i] <= 1'b0;
                end
                3'b101: begin  // read
                    if (!open_q[ba_i]) broken("read while closed");
                    first_q <= words[at];
                    drive_q[0] <= 1'b1;
                    if (a_i[10]) open_q[ba_i] <= 1'b0;
                end
                default: ;
            endcase
        end
    end
endmodule
`default_nettype wire
