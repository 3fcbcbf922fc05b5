// sdram: a single data rate SDRAM of 4 banks with CAS latency 2 and bursts of one. A chip whose DM pins are tied to ground writes all bytes.
//
// It keeps the rules that a controller can break without timing: a bank is opened before it is used, closed before another row, all banks are
// closed when a refresh or a new mode comes, refreshes come often enough, and nothing is used before the mode is set. error_o stays high after the
// first rule that was broken, and a line says which.
`default_nettype none

module sdram #(
    parameter int DATA_W = 16,
    parameter int ROW_W = 13,
    parameter int COLUMN_W = 9,
    parameter int REFRESH_CYCLES = 100000  // at most between two refreshes, once there was one
) (
    input  wire         clk_i,
    input  wire         cke_i,
    input  wire         cs_n_i,
    input  wire         ras_n_i,
    input  wire         cas_n_i,
    input  wire         we_n_i,
    input  wire   [1:0] ba_i,
    input  wire  [DATA_W/8-1:0] dm_i,
    input  wire  [ROW_W-1:0] a_i,
    inout  wire  [DATA_W-1:0] dq_io,
    output logic        error_o
);
    localparam int AT_W = ROW_W + 2 + COLUMN_W;
    logic [DATA_W-1:0] words [0:(1 << AT_W) - 1];
    logic [ROW_W-1:0] row_q [0:3];
    logic  [3:0] open_q = '0;
    logic        mode_q = 1'b0, refreshed_q = 1'b0;
    logic [31:0] since_q = '0;
    logic  [1:0] drive_q = '0;
    logic [DATA_W-1:0] first_q, second_q;

    wire [AT_W-1:0] at = {row_q[ba_i], ba_i, a_i[COLUMN_W-1:0]};
    assign dq_io = drive_q[1] ? second_q : {DATA_W{1'bz}};
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
                    for (int b = 0; b < DATA_W / 8; b++) if (!dm_i[b]) words[at][8*b +: 8] <= dq_io[8*b +: 8];
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
