// What is found in the lines of a TMD is what they say: link, level, place to go on at, whether it waits for others, whom its end frees. A task from a list passes only when it says that it is pending in
// that very list, a launch only when its TMD does not say that it is pending. The proof of the task unit builds on that.
//
// proof induction frames 72
// shows TU-2 TU-5 TU-11 TU-15
// reads rtl/task/tmd_check.sv
// sets CONST_BANKS=1
// mutant a task of another list of its channel passes: rtl/task/tmd_check.sv
// - pending_q[7:2] != level_i
// + 1'b0
// mutant a parked task is taken for one in its list: rtl/task/tmd_check.sv
// - pending_q[1] == pending_q[0]
// + pending_q[1:0] == 2'd0
// mutant an evicted task may be launched: rtl/task/tmd_check.sv
// - active = !listed_i && !resumed && epoch_good && pending_q[1:0] != 2'd0;
// + active = !listed_i && !resumed && epoch_good && pending_q[1:0] == 2'd1;
// mutant a task of an epoch that is over comes back: rtl/task/tmd_check.sv
// - (freed_i && epoch_good && pending_q[7:2] == group_q)
// + (freed_i && pending_q[7:2] == group_q)
// mutant a line that has failed names the next task: rtl/task/tmd_check.sv
// - if (line_fault_i != `ANSWER_GOOD) link_q <= '0;  // whichever line it is
// +
// mutant CTAs come back of a task that has begun anew: rtl/task/tmd_check.sv
// - (saved_q != 6'd0 && !(resumed && save_q))
// + (saved_q != 6'd0 && !save_q)
// mutant a task goes on behind its last CTA with none to come back: rtl/task/tmd_check.sv
// - launched = resumed && saved_q != 6'd0 && resume_z_q;
// + launched = resumed && resume_z_q;
// mutant a task outside of the space can be freed: rtl/task/tmd_program.svh
// - LARGE | NOUGHT_256 | LAST
// + LARGE | LAST
`include "gen/registers.svh"
`include "gen/bundles.svh"
`include "formal.svh"

module prove_tmd_check #(
    parameter CONST_BANKS = 1
) (
    input wire clk_i
);
    localparam CHANNEL_W = 1;
    localparam [31:0] PARENT_MASK = 32'hC1FFFFFF;  // two warps, one SM
    `RESET(rst)
    `ANY(1, start)
    `ANY(1, channel)
    `MOSTLY(32, tmd, 32'h100)
    `MOSTLY(32, region, 32'h1000)
    `MOSTLY(32, base, 32'h0)
    `MOSTLY(32, parent, 32'h0)
    `MOSTLY(32, space, 32'h100000)
    `ANY(1, listed)
    `ANY(1, last)
    `ANY(1, freed)
    `ANY(24, epoch)
    `ANY(6, level)
    `ANY(1, valid)
    `ANY(256, line)
    `ANY(2, fault)
    wire done, add_to_head, resumed, waits;
    wire [7:0] code;
    wire [5:0] group;
    wire [23:0] link;
    `TASK_WIRE(t);
    tmd_check #(.CONST_BANKS(CONST_BANKS)) dut (
        .clk_i, .rst_i(rst), .space_size_i(space), .begin_i(start), .channel_i(channel), .tmd_i(tmd), .region_i(region), .local_i(base),
        .parent_i(parent), .listed_i(listed), .freed_i(freed), .last_i(last), .epoch_i(epoch), .level_i(level), .line_valid_i(valid), .line_i(line),
        .line_fault_i(fault), .done_o(done), .code_o(code), .info_o(), .group_o(group), .add_to_head_o(add_to_head), .link_o(link),
        .resumed_o(resumed), .waits_o(waits), `TASK_FROM(task, t));

    (* hierconn *) wire [3:0] \dut.lines_q ;
    (* hierconn *) wire [6:0] \dut.at_q ;
    (* hierconn *) wire \dut.run_q , \dut.s_valid_q ;
    (* hierconn *) wire [71:0] \dut.next_q , \dut.s_q ;
    (* hierconn *) wire [31:0] \dut.word_q , \dut.sum_q , \dut.space_q ;
    (* hierconn *) wire [47:0] \dut.product_q ;
    (* hierconn *) wire [15:0] \dut.factor_q ;
    (* hierconn *) wire [31:0] \dut.words_q[14] , \dut.words_q[15] , \dut.words_q[50] , \dut.words_q[57] , \dut.words_q[62] , \dut.words_q[63] ;
    (* hierconn *) wire \dut.queue_q , \dut.zero_q , \dut.next_some_q , \dut.resume_bad_q , \dut.resume_z_q , \dut.bad_before_q , \dut.bad_q ;
    (* hierconn *) wire [7:0] \dut.bad_code_q ;
    (* hierconn *) wire [31:0] \dut.code_base_q , \dut.grid_x_q , \dut.next_x_q ;
    (* hierconn *) wire [15:0] \dut.grid_y_q , \dut.grid_z_q , \dut.next_y_q , \dut.next_z_q ;
    (* hierconn *) wire [31:0] \dut.pending_q , \dut.region_q , \dut.link_q , \dut.tmd_q ;
    (* hierconn *) wire [7:0] \dut.code ;
    (* hierconn *) wire \dut.channel_q , \dut.fetch_fault_q , \dut.bus_fault_q ;
    (* hierconn *) wire [31:0] \dut.parent_q ;
    (* hierconn *) wire [5:0] \dut.saved_q ;
    (* hierconn *) wire \dut.save_q , \dut.version_q ;
    (* hierconn *) wire [1:0] \dut.frees_q ;
    (* hierconn *) wire [47:0] \dut.frees_tmd_q ;
    // The program, and where the unit is in it: which step waits for its line, which one is done, the first that has not been done.
    `include "tmd_program.svh"
    localparam END = TO_FREES + 6;
    logic [6:0] doing = '0;
    wire [6:0] at = \dut.at_q ;
    wire s_valid = \dut.s_valid_q ;
    wire run = \dut.run_q ;
    wire [6:0] place = s_valid ? doing : at;
    wire verdict = s_valid && doing == END;
    wire queue = \dut.queue_q ;
    wire [31:0] its_region = \dut.region_q , grid_x_q = \dut.grid_x_q , next_x_q = \dut.next_x_q , code_base_q = \dut.code_base_q ;
    wire [15:0] grid_y_q = \dut.grid_y_q , grid_z_q = \dut.grid_z_q , next_y_q = \dut.next_y_q , next_z_q = \dut.next_z_q , factor_q = \dut.factor_q ;
    wire [47:0] product_q = \dut.product_q ;
    wire bad_q = \dut.bad_q , bad_before_q = \dut.bad_before_q , resume_bad_q = \dut.resume_bad_q , resume_z_q = \dut.resume_z_q ;
    wire next_some_q = \dut.next_some_q , zero_q = \dut.zero_q ;
    wire [31:0] word_14 = \dut.words_q[14] , word_15 = \dut.words_q[15] , word_50 = \dut.words_q[50] , word_57 = \dut.words_q[57] ;
    wire [31:0] word_62 = \dut.words_q[62] , word_63 = \dut.words_q[63] ;
    wire [31:0] word = \dut.word_q , sum = \dut.sum_q ;

    // Lines come after the beginning, eight of them; the question stays as it is.
    logic begun = 1'b0, first = 1'b0, broken = 1'b0;
    logic [3:0] lines = '0;
    logic listed_q, last_q, freed_q, channel_q;
    logic [23:0] epoch_q;
    logic [5:0] level_q;
    logic [31:0] tmd_q, space_q;
    logic [31:0] parent_q, base_q, region_q;
    // What the lines say.
    logic [31:0] word_link, word_state;
    logic [5:0] word_level;
    logic word_head;
    logic [63:0] word_place;
    logic [31:0] word_parent;
    logic [5:0] word_saved;
    logic word_save;
    logic [31:0] word_counter, word_region;
    logic [63:0] words_frees;
    always_ff @(posedge clk_i) begin
        begun <= !rst && (begun || start);
        listed_q <= listed;
        last_q <= last;
        freed_q <= freed;
        epoch_q <= epoch;
        level_q <= level;
        space_q <= space;
        doing <= at;
        region_q <= region;
        base_q <= base;
        parent_q <= parent;
        if (start) begin
            channel_q <= channel;
            tmd_q <= tmd;
            broken <= 1'b0;
            lines <= '0;
        end else if (valid) begin
            lines <= lines + 4'd1;
            if (fault != 2'd0) broken <= 1'b1;
            if (lines == 4'd0) begin
                word_link <= line[191:160];
                word_level <= line[197:192];
                word_head <= line[201];
            end
            if (fault != 2'd0) word_link <= '0;
            if (lines == 4'd1) word_place <= line[255:192];
            if (lines == 4'd7) begin
                word_state <= line[95:64];
                word_parent <= line[159:128] & PARENT_MASK;
                word_saved <= line[29:24];
                word_save <= line[20];
                word_region <= line[63:32];
                word_counter <= line[191:160];
                words_frees <= line[255:192];
            end
        end
    end
    `ASSUME(!(rst && start))
    `ASSUME(!valid || (lines < 4'd8 && begun && !start && !rst))
    `ASSUME(!begun || start || (listed == listed_q && last == last_q && freed == freed_q && epoch == epoch_q && level == level_q && space == space_q &&
        region == region_q && base == base_q && parent == parent_q))

    wire all = begun && lines == 4'd8 && !start;
    // What is to be said of the lines is told from done on, until the next beginning.
    logic told = 1'b0;
    always_ff @(posedge clk_i) told <= !rst && !start && (told || verdict);
    // A task that has been free of its children names the epoch and the level in which it left.
    wire its_place = word_state[31:8] == epoch && word_state[7:2] == word_level;
    wire good = all && \dut.code == `FAULT_NONE;   // nothing has been found yet; flags are known when the lines have come
    wire passes = good && (verdict || told);
    `CHECK(rst || !done || told)
    `CHECK(rst || !told || start || (begun && lines == 4'd8 && place == END + 1 && !run && code == \dut.code ))
    `CHECK(rst || !done || (begun && lines == 4'd8))
    // It is in the list that it was found by.
    `CHECK(rst || !good || !listed || (word_state[31:8] == epoch && word_state[7:2] == level && (word_state[1:0] == 2'd1 || word_state[1:0] == 2'd2) && word_level == level))
    `CHECK(rst || !good || !listed || last || word_link[31:24] == 8'd0)
    `CHECK(rst || !good || listed || resumed || word_state[1:0] == 2'd0 || word_state[31:8] != epoch)
    `CHECK(rst || !good || !broken)
    `CHECK(rst || !all || (group == word_level && add_to_head == word_head && link == word_link[23:0] && resumed == (listed ? word_state[1:0] == 2'd2 : word_state[1:0] == 2'd3 && freed && its_place)))
    `CHECK(rst || !all || (t_group == word_level && t_channel == channel_q && t_tmd == tmd_q && t_parent == (listed || freed ? word_parent : parent)))
    `CHECK(rst || !all || t_region == (listed || freed ? word_region : region))
    `CHECK(rst || !all || (waits == (word_counter != '0) && t_frees == {words_frees[63], words_frees[31]} && t_frees_tmd == {words_frees[55:32], words_frees[23:0]}))
    `CHECK(rst || !passes || !words_frees[31] || {words_frees[30:0], 8'd255} < {7'd0, space})
    `CHECK(rst || !passes || !words_frees[63] || {words_frees[62:32], 8'd255} < {7'd0, space})
    // An evicted task goes on where it was; any other begins at the beginning.
    `CHECK(rst || !passes || t_queue || {t_next_z, t_next_y, t_next_x} == (resumed ? word_place : 64'd0))
    `CHECK(rst || !passes || t_queue || (t_next_x < t_grid_x && t_next_y < t_grid_y && (t_launched ? t_next_z == t_grid_z : t_next_z < t_grid_z)))
    // CTAs come back only of a task that can step aside and has been evicted; one that has none left but these has such ones.
    `CHECK(rst || !good || t_saved == '0 || (resumed && t_save))
    `CHECK(rst || !good || !t_launched || t_saved != '0)
    `CHECK(rst || !good || t_queue || t_saved <= 6'd3)
    `CHECK(rst || !good || !t_save || !t_queue)
    `CHECK(rst || !all || (t_saved == word_saved && t_save == word_save))
    wire [31:0] offset = t_code_base - t_region;
    `CHECK(rst || !passes || offset[2:0] == 3'd0)
    `CHECK(rst || !passes || !t_queue || t_grid_y != '0)

    // Invariants.
    `CHECK(rst || begun || (!run && !s_valid && !done))
    `CHECK(rst || !begun || \dut.lines_q == lines)
    `CHECK(rst || lines <= 4'd8)
    `CHECK(rst || !begun || (\dut.channel_q == channel_q && \dut.tmd_q == tmd_q))
    `CHECK(rst || !begun || ((\dut.fetch_fault_q || \dut.bus_fault_q ) == broken))
    `CHECK(rst || !begun || lines < 4'd1 || (link == word_link[23:0] && \dut.link_q == word_link && group == word_level && add_to_head == word_head))
    `CHECK(rst || !begun || lines < 4'd8 || \dut.pending_q == word_state)
    `CHECK(rst || !begun || lines < 4'd8 || (\dut.saved_q == word_saved && \dut.save_q == word_save))
    `CHECK(rst || !begun || start || lines < 4'd8 || \dut.parent_q == (listed || freed ? word_parent : parent))
    `CHECK(rst || !begun || start || lines < 4'd8 || its_region == (listed || freed ? word_region : region))
    `CHECK(rst || !begun || lines < 4'd8 || {\dut.frees_q , \dut.frees_tmd_q } == {words_frees[63], words_frees[31], words_frees[55:32], words_frees[23:0]})
    `CHECK(rst || !begun || lines < 4'd8 || waits == (word_counter != '0))
    // The words that something is said of stand in the RAM, and are what a step is about.
    `CHECK(rst || !begun || lines < 4'd2 || {word_15, word_14} == word_place)
    `CHECK(rst || !begun || lines < 4'd7 || !word_50[7])
    `CHECK(rst || !begun || lines < 4'd8 || {word_63, word_62} == words_frees)
    `CHECK(rst || !begun || lines < 4'd8 || word_57 == its_region)
    `CHECK(rst || !s_valid || !(doing == 7'd3 || doing == 7'd6 || doing == 7'd7) || word == word_place[31:0])
    `CHECK(rst || !s_valid || !(doing == 7'd5 || doing == 7'd8) || word == word_place[63:32])
    `CHECK(rst || !s_valid || doing != 7'd24 || !word[7])
    `CHECK(rst || !s_valid || doing != TO_PROGRAM || word == its_region)
    `CHECK(rst || !s_valid || doing != TO_FREES || word == words_frees[31:0])
    `CHECK(rst || !s_valid || doing != TO_FREES + 3 || word == words_frees[63:32])
    // Where it is in the program: a step is done when its line has come.
    `CHECK(rst || !begun || \dut.next_q == rom[at])
    `CHECK(rst || !s_valid || \dut.s_q == rom[doing])
    `CHECK(rst || !s_valid || (at == doing + 7'd1 && doing <= END))
    `CHECK(rst || !begun || (at <= END + 1 && run == (at != END + 1)))
    `CHECK(rst || !s_valid || (begun && {1'b0, rom[doing][5:3]} < lines))
    `CHECK(rst || !begun || at <= 7'd2 || lines >= 4'd2)
    `CHECK(rst || !begun || at <= 7'd24 || lines >= 4'd7)
    `CHECK(rst || !begun || at <= TO_REGISTERS || lines == 4'd8)
    `CHECK(rst || !begun || place != END + 1 || start || told)
    // Some are of a grid, some of a queue.
    `CHECK(rst || !begun || at < 7'd3 || at > 7'd6 || !queue)
    `CHECK(rst || !s_valid || doing < 7'd2 || doing > 7'd6 || !queue)
    `CHECK(rst || !begun || at < 7'd10 || at > 7'd16 || queue)
    `CHECK(rst || !s_valid || !((doing >= 7'd9 && doing <= 7'd16) || doing == 7'd24) || queue)
    // What has been found.
    `CHECK(rst || !begun || !bad_q || \dut.bad_code_q != `FAULT_NONE)
    `CHECK(rst || !begun || \dut.space_q == space_q || start)
    `CHECK(rst || !begun || place != 7'd3 || sum == grid_x_q)
    `CHECK(rst || !begun || queue || place < 7'd4 || resume_bad_q || word_place[31:0] < grid_x_q)
    `CHECK(rst || !begun || queue || place < 7'd3 || zero_q || grid_x_q != '0)
    `CHECK(rst || !begun || queue || place < 7'd5 || zero_q || (grid_y_q != '0 && grid_z_q != '0))
    `CHECK(rst || !begun || place != 7'd5 || sum == {grid_z_q, grid_y_q})
    `CHECK(rst || !begun || queue || place < 7'd6 || resume_bad_q || (word_place[47:32] < grid_y_q && (resume_z_q ? word_place[63:48] == grid_z_q :
        word_place[63:48] < grid_z_q)))
    `CHECK(rst || !begun || queue || place < 7'd7 || next_x_q == word_place[31:0])
    `CHECK(rst || !begun || place < 7'd8 || next_some_q || word_place[31:0] == '0)
    `CHECK(rst || !begun || place < 7'd9 || next_some_q || word_place[63:32] == '0)
    `CHECK(rst || !begun || place < 7'd9 || {next_z_q, next_y_q} == (queue ? 32'd0 : word_place[63:32]))
    `CHECK(rst || !begun || place < 7'd25 || !queue || grid_y_q != '0)
    `CHECK(rst || !begun || place != TO_PROGRAM + 1 || sum[2:0] == its_region[2:0])
    `CHECK(rst || !begun || place <= TO_PROGRAM + 1 || bad_q || (place <= TO_BANKS - 1 && bad_before_q) ||
        code_base_q[2:0] == its_region[2:0])
    `CHECK(rst || !begun || (place != TO_FREES + 1 && place != TO_FREES + 4) || factor_q == 16'd256)
    `CHECK(rst || !begun || place != TO_FREES + 1 || sum == {1'b0, words_frees[30:0]})
    `CHECK(rst || !begun || place != TO_FREES + 2 || product_q == {9'd0, words_frees[30:0], 8'd0})
    `CHECK(rst || !begun || place < TO_FREES + 3 || bad_q || !words_frees[31] || {words_frees[30:0], 8'd255} < {7'd0, space_q})
    `CHECK(rst || !begun || place != TO_FREES + 4 || sum == {1'b0, words_frees[62:32]})
    `CHECK(rst || !begun || place != TO_FREES + 5 || product_q == {9'd0, words_frees[62:32], 8'd0})
    `CHECK(rst || !begun || place < TO_FREES + 6 || bad_q || !words_frees[63] || {words_frees[62:32], 8'd255} < {7'd0, space_q})

    `REACH(!rst && done && good && listed && resumed && t_next_x == 32'd3)
    `REACH(!rst && done && good && !listed && word_state[1:0] == 2'd1)
    `REACH(!rst && done && code == `FAULT_TMD_LINK && !broken)
    `REACH(!rst && done && code == `FAULT_TMD_ACTIVE)
    `REACH(!rst && done && good && freed && resumed && t_launched && t_saved == 6'd2)
    `REACH(!rst && done && good && listed && t_save && t_saved == 6'd1 && !t_launched)
    `REACH(!rst && done && good && freed && waits && t_frees == 2'd3)
    `REACH(!rst && done && code == `FAULT_TMD_DEPENDENT_QMD && words_frees[31])
endmodule
