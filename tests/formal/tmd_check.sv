// What is found in the lines of a TMD is what they say: link, level, place to go on at, whether it waits for others, whom its end frees. A task from a list passes only when it says that it is pending in
// that very list, a launch only when its TMD does not say that it is pending. The proof of the task unit builds on that.
//
// proof induction frames 54
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
// mutant CTAs come back of a task that has begun anew: rtl/task/tmd_check.sv
// - (saved_q != 6'd0 && !(resumed && save_q))
// + (saved_q != 6'd0 && !save_q)
// mutant a task goes on behind its last CTA with none to come back: rtl/task/tmd_check.sv
// - launched = resumed && saved_q != 6'd0 && resume_z_q == grid_z_q;
// + launched = resumed && resume_z_q == grid_z_q;
// mutant a task outside of the space can be freed: rtl/task/tmd_check.sv
// - frees_tmd_q[31*r +: 31] >= {7'd0, space_size_i[31:8]};
// + frees_tmd_q[31*r +: 31] > {7'd0, space_size_i[31:8]};
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
    `ANY(32, tmd)
    `ANY(32, region)
    `ANY(32, base)
    `ANY(32, parent)
    `ANY(32, space)
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

    (* hierconn *) wire [2:0] \dut.state_q , \dut.line_q ;
    (* hierconn *) wire [31:0] \dut.pending_q , \dut.offset_q , \dut.region_q , \dut.link_q , \dut.tmd_q ;
    (* hierconn *) wire [7:0] \dut.code ;
    (* hierconn *) wire \dut.channel_q , \dut.fetch_fault_q , \dut.bus_fault_q ;
    (* hierconn *) wire [31:0] \dut.resume_x_q ;
    (* hierconn *) wire [15:0] \dut.resume_y_q , \dut.resume_z_q ;
    (* hierconn *) wire [31:0] \dut.parent_q ;
    (* hierconn *) wire [5:0] \dut.saved_q ;
    (* hierconn *) wire \dut.save_q , \dut.kind_q ;
    (* hierconn *) wire [24:0] \dut.size_q ;
    (* hierconn *) wire [1:0] \dut.frees_q ;
    (* hierconn *) wire [61:0] \dut.frees_tmd_q ;
    (* hierconn *) wire [31:0] \dut.units_needed , \dut.units_needed_q ;
    localparam [2:0] LINES = 3'd0, REPORT = 3'd4, IDLE = 3'd5;
    wire [2:0] state = \dut.state_q ;

    // Lines come after the beginning, eight of them; the question stays as it is.
    logic begun = 1'b0, first = 1'b0, broken = 1'b0;
    logic [3:0] lines = '0;
    logic listed_q, last_q, freed_q, channel_q;
    logic [23:0] epoch_q;
    logic [5:0] level_q;
    logic [31:0] tmd_q, space_q;
    logic [31:0] parent_q;
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
        if (start) begin
            channel_q <= channel;
            tmd_q <= tmd;
            parent_q <= parent;
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
    `ASSUME(!valid || (state == LINES && !start && !rst))
    `ASSUME(!begun || start || (listed == listed_q && last == last_q && freed == freed_q && epoch == epoch_q && level == level_q && space == space_q))

    wire all = begun && lines == 4'd8 && !start;
    // What is to be said of the lines is told from done on, until the next beginning.
    logic told = 1'b0;
    always_ff @(posedge clk_i) told <= !rst && !start && (told || (all && state == REPORT));
    // A task that has been free of its children names the epoch and the level in which it left.
    wire its_place = word_state[31:8] == epoch && word_state[7:2] == word_level;
    wire good = all && \dut.code == `FAULT_NONE;
    `CHECK(rst || !done || told)
    `CHECK(rst || !told || start || (begun && lines == 4'd8 && state == IDLE && code == \dut.code ))
    `CHECK(rst || !done || (begun && lines == 4'd8))
    // It is in the list that it was found by.
    `CHECK(rst || !good || !listed || (word_state[31:8] == epoch && word_state[7:2] == level && (word_state[1:0] == 2'd1 || word_state[1:0] == 2'd2) && word_level == level))
    `CHECK(rst || !good || !listed || last || word_link[31:24] == 8'd0)
    `CHECK(rst || !good || listed || resumed || word_state[1:0] == 2'd0 || word_state[31:8] != epoch)
    `CHECK(rst || !good || !broken)
    `CHECK(rst || !all || (group == word_level && add_to_head == word_head && link == word_link[23:0] && resumed == (listed ? word_state[1:0] == 2'd2 : word_state[1:0] == 2'd3 && freed && its_place)))
    `CHECK(rst || !all || (t_group == word_level && t_channel == channel_q && t_tmd == tmd_q && t_parent == (listed || freed ? word_parent : parent_q)))
    `CHECK(rst || !all || !(listed || freed) || t_region == word_region)
    `CHECK(rst || !all || (waits == (word_counter != '0) && t_frees == {words_frees[63], words_frees[31]} && t_frees_tmd == {words_frees[55:32], words_frees[23:0]}))
    `CHECK(rst || !good || !words_frees[31] || {words_frees[30:0], 8'd255} < {7'd0, space})
    `CHECK(rst || !good || !words_frees[63] || {words_frees[62:32], 8'd255} < {7'd0, space})
    // An evicted task goes on where it was; any other begins at the beginning.
    `CHECK(rst || !good || t_queue || {t_next_z, t_next_y, t_next_x} == (resumed ? word_place : 64'd0))
    `CHECK(rst || !good || t_queue || (t_next_x < t_grid_x && t_next_y < t_grid_y && (t_launched ? t_next_z == t_grid_z : t_next_z < t_grid_z)))
    // CTAs come back only of a task that can step aside and has been evicted; one that has none left but these has such ones.
    `CHECK(rst || !good || t_saved == '0 || (resumed && t_save))
    `CHECK(rst || !good || !t_launched || t_saved != '0)
    `CHECK(rst || !good || t_queue || t_saved <= 6'd3)
    `CHECK(rst || !good || !t_save || !t_queue)
    `CHECK(rst || !all || (t_saved == word_saved && t_save == word_save))
    wire [31:0] offset = t_code_base - t_region;
    `CHECK(rst || !good || offset[2:0] == 3'd0)
    `CHECK(rst || !good || !t_queue || t_grid_y != '0)

    // Invariants.
    `CHECK(rst || begun || (state == IDLE && !done))
    `CHECK(rst || state <= IDLE)
    `CHECK(rst || !begun || (state == LINES ? lines == {1'b0, \dut.line_q } : lines == 4'd8))
    `CHECK(rst || !begun || (\dut.channel_q == channel_q && \dut.tmd_q == tmd_q))
    `CHECK(rst || !begun || ((\dut.fetch_fault_q || \dut.bus_fault_q ) == broken))
    `CHECK(rst || !begun || lines < 4'd1 || (link == word_link[23:0] && \dut.link_q == word_link && group == word_level && add_to_head == word_head))
    `CHECK(rst || !begun || lines < 4'd2 || {\dut.resume_z_q , \dut.resume_y_q , \dut.resume_x_q } == word_place)
    `CHECK(rst || !begun || lines < 4'd8 || \dut.pending_q == word_state)
    `CHECK(rst || !begun || lines < 4'd8 || (\dut.saved_q == word_saved && \dut.save_q == word_save))
    `CHECK(rst || !begun || lines < 4'd8 || !word_save || \dut.size_q == '0 || (\dut.kind_q ))
    `CHECK(rst || !begun || start || \dut.parent_q == ((listed || freed) && lines == 4'd8 ? word_parent : parent_q))
    `CHECK(rst || !begun || lines < 4'd8 || ({\dut.frees_q [1], \dut.frees_tmd_q [61:31], \dut.frees_q [0], \dut.frees_tmd_q [30:0]} == words_frees))
    `CHECK(rst || !begun || start || lines < 4'd8 || !(listed || freed) || \dut.region_q == word_region)
    `CHECK(rst || !begun || lines < 4'd8 || waits == (word_counter != '0))
    // The fields that it is made of have stood for a cycle when the first product is done.
    `CHECK(rst || !begun || lines < 4'd8 || state <= 3'd1 || (\dut.units_needed_q == \dut.units_needed ))

    `REACH(!rst && done && good && listed && resumed && t_next_x == 32'd3)
    `REACH(!rst && done && good && !listed && word_state[1:0] == 2'd1)
    `REACH(!rst && done && code == `FAULT_TMD_LINK && !broken)
    `REACH(!rst && done && code == `FAULT_TMD_ACTIVE)
    `REACH(!rst && done && good && freed && resumed && t_launched && t_saved == 6'd2)
    `REACH(!rst && done && good && listed && t_save && t_saved == 6'd1 && !t_launched)
    `REACH(!rst && done && good && freed && waits && t_frees == 2'd3)
    `REACH(!rst && done && code == `FAULT_TMD_DEPENDENT_QMD && words_frees[31])
endmodule
