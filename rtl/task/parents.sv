// parents: of tasks that can step aside the children that their warps wait for, and where a child's parent is.
//
// A child names its parent by the address of its TMD (TANDEM_PARENT): here_o are the slots of the table in which that is, of the task
// that ends now (parent_i, channel_i; combinational). In none: the parent has left, and comes back when its children have ended.
// children_o counts those of each slot: up when one goes into the launch queue (child_i), down when one ends (ended_i) whose parent is here.
`default_nettype none

module parents #(
    parameter int THREADS = 32,
    parameter int WARPS = 2,
    parameter int SMS = 1,
    parameter int CHANNELS = 2,
    parameter int TASK_SLOTS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int COUNT_W = $clog2(SMS * WARPS * THREADS + 1)
) (
    input  wire                              clk_i,
    input  wire  [TASK_SLOTS-1:0]            fill_i,   // a task starts
    input  wire  [TASK_SLOTS-1:0]            busy_i,
    input  wire  [TASK_SLOTS-1:0]            save_i,
    input  wire  [TASK_SLOTS*CHANNEL_W-1:0]  slot_channel_i,
    input  wire  [TASK_SLOTS*32-1:0]         slot_tmd_i,
    input  wire  [TASK_SLOTS-1:0]            child_i,
    input  wire                              ended_i,
    input  wire  [CHANNEL_W-1:0]             channel_i,
    input  wire  [31:0]                      parent_i,
    output logic [TASK_SLOTS-1:0]            here_o,
    output logic [TASK_SLOTS*COUNT_W-1:0]    children_o,
    output logic [TASK_SLOTS-1:0]            some_o    // children_o is not 0
);
    for (genvar k = 0; k < TASK_SLOTS; k++) begin : g_slot
        logic more, less;
        assign here_o[k] = busy_i[k] && slot_channel_i[CHANNEL_W*k +: CHANNEL_W] == channel_i && slot_tmd_i[32*k+8 +: 24] == parent_i[23:0];
        assign some_o[k] = children_o[COUNT_W*k +: COUNT_W] != '0;
        assign more = child_i[k] && save_i[k];
        assign less = ended_i && parent_i[31] && parent_i[30] && here_o[k] && some_o[k];
        always_ff @(posedge clk_i) begin
            if (fill_i[k]) children_o[COUNT_W*k +: COUNT_W] <= '0;
            else children_o[COUNT_W*k +: COUNT_W] <= children_o[COUNT_W*k +: COUNT_W] + COUNT_W'(more) - COUNT_W'(less);
        end
    end
    wire unused = &{1'b0, parent_i[29:24], slot_tmd_i};
endmodule
`default_nettype wire
