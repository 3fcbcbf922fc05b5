// stuck: nothing can go on, since tasks wait for children that cannot start.
//
// On every SM each warp waits for children or at a barrier, at least one for children (sm_waiting_i, sm_stuck_i), and for 4096 cycles
// nobody was at work (quiet_i). Then the running task of the lowest level, of equals the one in the lowest slot, gives way: told_o for one
// cycle, holder_o; not while hold_i.
`default_nettype none

module stuck #(
    parameter int SMS = 1,
    parameter int TASK_SLOTS = 2,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire [SMS-1:0]          sm_waiting_i,
    input  wire [SMS-1:0]          sm_stuck_i,
    input  wire                    quiet_i,
    input  wire                    hold_i,
    // The slots: those in which CTAs run, and are not killed.
    input  wire [TASK_SLOTS-1:0]   running_i,
    input  wire [TASK_SLOTS*6-1:0] group_i,
    output logic                   told_o,
    output logic [SLOT_W-1:0]      holder_o
);
    logic [11:0] cycles_q;
    logic        all_stuck, valid;
    logic [5:0]  group;

    assign all_stuck = sm_waiting_i != '0 && (&sm_stuck_i) && quiet_i;
    always_comb begin
        valid = 1'b0;
        holder_o = '0;
        group = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (running_i[k] && (!valid || group_i[6*k +: 6] <= group)) begin
                valid = 1'b1;
                holder_o = SLOT_W'(k);
                group = group_i[6*k +: 6];
            end
        end
    end
    assign told_o = cycles_q == 12'hFFF && all_stuck && valid && !hold_i;
    always_ff @(posedge clk_i) begin
        if (rst_i || !all_stuck || told_o) cycles_q <= '0;
        else if (cycles_q != 12'hFFF) cycles_q <= cycles_q + 12'd1;
    end
endmodule
`default_nettype wire
