// task_lists: for each channel and each priority level the head, tail and length of a list of pending tasks. The tasks themselves are
// linked through SCHEDULER_NEXT_QMD_POINTER in memory, which task_management reads and writes; here is what no thread can reach.
//
// pick_*: the list that is served next, of channels that neither stand faulted nor are suspended: of the highest level, or, with round_robin_i, of the
// next lower one after the level served last (around); among the channels of that level the next one after the channel served
// last. drop_*: a list of a channel that stands faulted; while there is one, the pick has no channel and no level.
// Which lists are not empty stands in rows of eight levels, one memory for each channel with one place to look at in a cycle, so a choice
// takes five of them: channel and level mean something while settled_o, which is low for five cycles (and as many as are taken up by
// read_i meanwhile) after a change of the lists, of last_*, of channel_halt_i, of suspend_i or of round_robin_i.
// read_i: the list of read_channel_i, read_level_i is in head_o, tail_o, count_o (0: empty) from the next cycle to the next read.
// write_i: the list of write_channel_i, write_level_i changes; never with read_i. taken_i: the list read last has been served.
// head and tail are addresses / 256.
`default_nettype none

module task_lists #(
    parameter int CHANNELS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [CHANNELS-1:0]  channel_halt_i,
    input  wire  [CHANNELS-1:0]  suspend_i,
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

    // ---- which lists are not empty ----
    typedef enum logic [2:0] {LAST, GROUP, ROW, LEVEL, CHANNEL, DONE} step_t;
    step_t                 step_q;
    logic [CHANNELS*8-1:0] some_q;     // of each channel the rows in which a list is not empty; of others nothing valid stands in the memory
    logic [2:0]            row_number, group_q;
    logic [CHANNELS*8-1:0] row;        // of each channel the row looked at: the lists that are not empty
    logic [5:0]            last_level_q;

    assign row_number = write_i ? write_level_i[5:3] : read_i ? read_level_i[5:3] : step_q == LAST ? last_level_q[5:3] : group_q;
    for (genvar c = 0; c < CHANNELS; c++) begin : g_rows
        logic [7:0] row_q [8];
        logic [7:0] next;
        wire        mine = write_i && write_channel_i == CHANNEL_W'(c);
        assign row[8*c +: 8] = some_q[8*c + 32'(row_number)] ? row_q[row_number] : 8'd0;
        always_comb begin
            for (int i = 0; i < 8; i++) next[i] = write_level_i[2:0] == 3'(i) ? write_count_i != 24'd0 : row[8*c + i];
        end
        always_ff @(posedge clk_i) if (mine) row_q[row_number] <= next;
        always_ff @(posedge clk_i) begin
            for (int i = 0; i < 8; i++) begin
                if (rst_i) some_q[8*c + i] <= 1'b0;
                else if (mine && row_number == 3'(i)) some_q[8*c + i] <= next != 8'd0;
            end
        end
    end

    // ---- the lists; an empty one has nothing valid here ----
    logic [71:0]          list_q [LISTS];
    logic [71:0]          data_q;
    logic                 read_filled_q;
    logic [CHANNEL_W-1:0] read_channel_q;
    logic [5:0]           read_level_q;

    always_ff @(posedge clk_i) begin
        if (write_i) list_q[{write_channel_i, write_level_i}] <= {write_head_i, write_tail_i, write_count_i};
        if (read_i) data_q <= list_q[{read_channel_i, read_level_i}];
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) read_filled_q <= 1'b0;
        else if (read_i) read_filled_q <= row[{read_channel_i, read_level_i[2:0]}];
        if (read_i) begin
            read_channel_q <= read_channel_i;
            read_level_q <= read_level_i;
        end
    end

    assign {head_o, tail_o} = data_q[71:24];
    assign count_o = read_filled_q ? data_q[23:0] : 24'd0;

    // ---- who is next ----
    logic [CHANNELS-1:0]   any, served, at_level, halt_q, suspend_q;
    wire  [CHANNELS-1:0]   closed = channel_halt_i | suspend_i;
    logic [CHANNEL_W-1:0]  last_channel_q, pick_channel, drop_channel;
    logic                  round_robin_q, same;
    logic                  turns_q, rest_q;           // levels take turns; the level is in the row of the one served last
    logic [7:0]            rows, rows_q, rows_lower;  // rows of the channels served in which a list is not empty; those below the one served last
    logic [7:0]            seen, seen_q, seen_lower;  // of the channels served, in the row looked at; those below the level served last
    logic [CHANNELS*8-1:0] row_of_q;
    logic [2:0]            level_q;

    // The number of the highest bit.
    function automatic [2:0] highest(input [7:0] bits);
        highest = 3'd0;
        for (int i = 0; i < 8; i++) if (bits[i]) highest = 3'(i);
    endfunction

    always_comb begin
        drop_channel = '0;
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            any[c] = some_q[8*c +: 8] != 8'd0;
            if (channel_halt_i[c] && any[c]) drop_channel = CHANNEL_W'(c);
        end
        drop_valid_o = (channel_halt_i & any) != '0;
        pick_valid_o = (~closed & any) != '0;
    end

    // One choice of a level at a time: of the channel whose lists are dropped, else of all that can be served.
    always_comb begin
        rows = '0;
        seen = '0;
        for (int c = 0; c < CHANNELS; c++) begin
            served[c] = drop_valid_o ? drop_channel == CHANNEL_W'(c) : !closed[c];
            if (served[c]) begin
                rows = rows | some_q[8*c +: 8];
                seen = seen | row[8*c +: 8];
            end
        end
        rows_lower = rows_q & ~(8'hFF << last_level_q[5:3]);
        seen_lower = seen & ~(8'hFF << last_level_q[2:0]);
        pick_channel = '0;
        for (int c = 0; c < CHANNELS; c++) at_level[c] = row_of_q[8*c + 32'(level_q)] && !closed[c];
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            if (at_level[c]) pick_channel = CHANNEL_W'(c);
        end
        for (int c = CHANNELS - 1; c >= 0; c--) begin
            if (at_level[c] && CHANNEL_W'(c) > last_channel_q) pick_channel = CHANNEL_W'(c);
        end
    end

    assign same = halt_q == channel_halt_i && suspend_q == suspend_i && round_robin_q == round_robin_i;
    always_ff @(posedge clk_i) begin
        halt_q <= channel_halt_i;
        suspend_q <= suspend_i;
        round_robin_q <= round_robin_i;
        if (rst_i || write_i || taken_i || !same) step_q <= LAST;
        else begin
            case (step_q)
                LAST: if (!read_i) begin
                    rows_q <= rows;
                    turns_q <= round_robin_q && !drop_valid_o;
                    rest_q <= round_robin_q && !drop_valid_o && seen_lower != 8'd0;
                    step_q <= GROUP;
                end
                GROUP: begin
                    group_q <= rest_q ? last_level_q[5:3] : highest(turns_q && rows_lower != 8'd0 ? rows_lower : rows_q);
                    step_q <= ROW;
                end
                ROW: if (!read_i) begin
                    row_of_q <= row;
                    seen_q <= rest_q ? seen_lower : seen;
                    step_q <= LEVEL;
                end
                LEVEL: begin
                    level_q <= highest(seen_q);
                    step_q <= CHANNEL;
                end
                CHANNEL: begin
                    pick_channel_o <= pick_channel;
                    pick_level_o <= {group_q, level_q};
                    drop_channel_o <= drop_channel;
                    step_q <= DONE;
                end
                default: ;
            endcase
        end
    end
    assign drop_level_o = pick_level_o;
    assign settled_o = step_q == DONE && same;

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
    // What each step has found is what one look at all the lists finds.
    logic [LISTS-1:0] filled_q;
    logic [63:0]      levels, lower;
    logic [5:0]       level;
    logic [7:0]       in_last, in_group;
    wire              turns = round_robin_q && !drop_valid_o;
    wire              rest = turns && (in_last & ~(8'hFF << last_level_q[2:0])) != 8'd0;
    always_ff @(posedge clk_i) begin
        if (rst_i) filled_q <= '0;
        else if (write_i) filled_q[{write_channel_i, write_level_i}] <= write_count_i != 24'd0;
    end
    always_comb begin
        levels = '0;
        for (int c = 0; c < CHANNELS; c++) if (served[c]) levels = levels | filled_q[64*c +: 64];
        lower = levels & ~({64{1'b1}} << last_level_q);
        level = '0;
        for (int i = 0; i < 64; i++) if (turns && lower != '0 ? lower[i] : levels[i]) level = 6'(i);
        in_last = levels[8*last_level_q[5:3] +: 8];
        in_group = levels[8*group_q +: 8];
    end
    logic steps_good;
    always_comb begin
        steps_good = step_q <= DONE;
        if (same) begin
            if (step_q != LAST && (rows_q != rows || turns_q != turns || rest_q != rest)) steps_good = 1'b0;
            if (step_q > GROUP && group_q != (rest ? last_level_q[5:3] : highest(turns && rows_lower != 8'd0 ? rows_lower : rows))) steps_good = 1'b0;
            if (step_q > ROW && seen_q != (rest ? in_group & ~(8'hFF << last_level_q[2:0]) : in_group)) steps_good = 1'b0;
            for (int c = 0; c < CHANNELS; c++) if (step_q > ROW && row_of_q[8*c +: 8] != filled_q[64*c + 8*group_q +: 8]) steps_good = 1'b0;
            if (step_q > LEVEL && level_q != highest(seen_q)) steps_good = 1'b0;
            if (step_q == DONE && (pick_level_o != level || pick_level_o != {group_q, level_q} ||
                                   pick_channel_o != pick_channel || drop_channel_o != drop_channel)) steps_good = 1'b0;
        end
    end
    initial if ((1 << CHANNEL_W) != CHANNELS) $error("CHANNELS must be a power of two");
    always_ff @(posedge clk_i) begin
        if (!rst_i) assert (!(write_i && read_i) && steps_good);
        if (!rst_i && taken_i) assert (count_o != 24'd0);
        if (!rst_i && (read_i || write_i)) begin
            for (int c = 0; c < CHANNELS; c++) assert (row[8*c +: 8] == filled_q[64*c + 8*row_number +: 8]);
        end
    end
`endif
endmodule
`default_nettype wire
