// task_lists: for each channel and each priority level the head, tail and length of a list of pending tasks. The tasks themselves are
// linked through SCHEDULER_NEXT_QMD_POINTER in memory, which task_management reads and writes; here is what no thread can reach.
//
// pick_*: the list that is served next, of channels that do not stand faulted: of the highest level, or, with round_robin_i, of the
// next lower one after the level served last (around); among the channels of that level the next one after the channel served
// last. drop_*: a list of a channel that stands faulted; while there is one, the pick has no channel and no level.
// The levels that may be served, the one of them and the channel are chosen in a cycle each: channel and level mean something while
// settled_o, which is low for three cycles after a change of the lists, of last_*, of channel_halt_i or of round_robin_i.
// read_i: the list of read_channel_i, read_level_i is in head_o, tail_o, count_o (0: empty) from the next cycle to the next read.
// write_i: the list of write_channel_i, write_level_i changes. taken_i: the list read last has been served.
// head and tail are addresses / 256.
`default_nettype none

module task_lists #(
    parameter int CHANNELS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [CHANNELS-1:0]  channel_halt_i,
    input  wire                  round_robin_i,

    output logic                 settled_o,
    output logic                 pick_valid_o,
    output logic [CHANNEL_W-1:0] pick_channel_o,
    output logic [5:0]           pick_level_o,
    output logic                 drop_valid_o,
    output logic [CHANNEL_W-1:0] drop_channel_o,
    output logic [5:0]           drop_level_o,

    input  wire                  read_i,
    input  wire  [CHANNEL_W-1:0] read_channel_i,
    input  wire  [5:0]           read_level_i,
    output logic [23:0]          head_o,
    output logic [23:0]          tail_o,
    output logic [23:0]          count_o,
    input  wire                  taken_i,

    input  wire                  write_i,
    input  wire  [CHANNEL_W-1:0] write_channel_i,
    input  wire  [5:0]           write_level_i,
    input  wire  [23:0]          write_head_i,
    input  wire  [23:0]          write_tail_i,
    input  wire  [23:0]          write_count_i
);
    localparam int LISTS = CHANNELS * 64;

    // ---- the lists ----
    logic [71:0]          list_q [LISTS];
    logic [71:0]          data_q;
    logic [LISTS-1:0]     filled_q;  // not empty; an empty list has nothing valid in list_q
    logic                 read_filled_q;
    logic [CHANNEL_W-1:0] read_channel_q;
    logic [5:0]           read_level_q;

    always_ff @(posedge clk_i) begin
        if (write_i) list_q[{write_channel_i, write_level_i}] <= {write_head_i, write_tail_i, write_count_i};
        if (read_i) data_q <= list_q[{read_channel_i, read_level_i}];
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            filled_q <= '0;
            read_filled_q <= 1'b0;
        end else begin
            for (int l = 0; l < CHANNELS * 64; l++)
                if (write_i && {write_channel_i, write_level_i} == (CHANNEL_W+6)'(l)) filled_q[l] <= write_count_i != 24'd0;
            if (read_i) read_filled_q <= filled_q[{read_channel_i, read_level_i}];
        end
        if (read_i) begin
            read_channel_q <= read_channel_i;
            read_level_q <= read_level_i;
        end
    end

    assign {head_o, tail_o} = data_q[71:24];
    assign count_o = read_filled_q ? data_q[23:0] : 24'd0;

    // ---- who is next ----
    logic [63:0]          levels, levels_q, lower;
    logic [CHANNELS-1:0]  any, at_level;
    logic [5:0]           last_level_q;
    logic [CHANNEL_W-1:0] last_channel_q;
    logic [CHANNEL_W-1:0] pick_channel, drop_channel;
    logic [CHANNELS-1:0]  halt_q;
    logic                 round_robin_q;
    logic                 drop_q;
    logic [5:0]           level, level_q;

    // The number of the highest bit: of eight at a time, then of the bits of those.
    function automatic [5:0] highest(input [63:0] bits);
        logic [7:0] eight;
        highest = 6'd0;
        for (int i = 0; i < 8; i++) if (bits[8*i +: 8] != 8'd0) highest[5:3] = 3'(i);
        eight = bits[8*highest[5:3] +: 8];
        for (int i = 0; i < 8; i++) if (eight[i]) highest[2:0] = 3'(i);
    endfunction

    always_comb begin
        drop_channel = '0;
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            any[c] = filled_q[64*c +: 64] != '0;
            if (channel_halt_i[c] && any[c]) drop_channel = CHANNEL_W'(c);
        end
        drop_valid_o = (channel_halt_i & any) != '0;
        pick_valid_o = (~channel_halt_i & any) != '0;
    end

    // One choice of a level at a time: of the channel whose lists are dropped, else of all that can be served.
    always_comb begin
        levels = '0;
        for (int c = 0; c < CHANNELS; c++)
            if (drop_valid_o ? drop_channel == CHANNEL_W'(c) : !channel_halt_i[c]) levels = levels | filled_q[64*c +: 64];
        lower = levels_q & ~({64{1'b1}} << last_level_q);
        level = highest(round_robin_q && !drop_q && lower != '0 ? lower : levels_q);
        pick_channel = '0;
        for (int c = 0; c < CHANNELS; c++) at_level[c] = filled_q[64*c + 32'(level_q)] && !channel_halt_i[c];
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            if (at_level[c]) pick_channel = CHANNEL_W'(c);
        end
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            if (at_level[c] && CHANNEL_W'(c) > last_channel_q) pick_channel = CHANNEL_W'(c);
        end
    end

    logic                same;
    logic [2:0]          changed_q;
    assign same = halt_q == channel_halt_i && round_robin_q == round_robin_i;
    always_ff @(posedge clk_i) begin
        levels_q <= levels;
        drop_q <= drop_valid_o;
        level_q <= level;
        pick_channel_o <= pick_channel;
        pick_level_o <= level_q;
        drop_channel_o <= drop_channel;
        halt_q <= channel_halt_i;
        round_robin_q <= round_robin_i;
        changed_q <= {changed_q[1:0], rst_i || write_i || taken_i || !same};
    end
    assign drop_level_o = pick_level_o;
    assign settled_o = changed_q == 3'd0 && same;

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            last_level_q <= '0;
            last_channel_q <= '0;
        end else if (taken_i) begin
            last_level_q <= read_level_q;
            last_channel_q <= read_channel_q;
        end
    end

`ifndef SYNTHESIS
    initial if ((1 << CHANNEL_W) != CHANNELS) $error("CHANNELS must be a power of two");
    always_ff @(posedge clk_i) begin
        if (!rst_i && taken_i) assert (count_o != 24'd0);
        if (!rst_i && settled_o) begin
            assert (levels_q == levels && level_q == level && pick_level_o == level);
            assert (pick_channel_o == pick_channel && drop_channel_o == drop_channel);
        end
    end
`endif
endmodule
`default_nettype wire
