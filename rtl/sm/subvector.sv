// Which order a sub-vector sequence is executed in: asked by each SVSTART that a thread executes, and in a sequence that is watched by each
// control instruction.
//
// Second (portion by portion) when the warp has shared register rows, which the first order could not give each portion; else as the
// setting says (1 first, 2 second); else as the program says: ALWAYS, or AUTO by miss rate, for which this unit watches regions. A region
// is the address of an SVSTART.AUTO. It has one order for all warps of the SM that are in it, and keeps what it has learned when the last
// one leaves.
//
// What is counted of a region: WINDOW reads at a time of loads that its warps issue in it, constants left out; how many missed or joined
// another, which waits as long; and the cycles they took. It starts in the first order. A window whose misses are at least threshold_i / 65536
// of its reads makes a trial of the second. A trial stays when its window took fewer cycles than those of the order before on average, and is
// over as soon as it has taken as many. wait is the number of windows until the next trial: 32 after one that stayed, then 128, 256 after those
// that did not; in the second order a trial of the first needs nothing else, since misses of one order say nothing of the other. An order that
// stayed, or that a trial did not beat, by mistake (windows at a kernel's end are of few warps or of the last portion; a new launch begins
// otherwise) shows it: when two windows in a row take an eighth more cycles than the mean of the order before, or than its own when the trial
// failed, the next trial is at once; a quarter more when several trials in a row have failed. One window alone says nothing: a launch begins
// without its lines. Nor does one in which a warp comes into the region while none is in it: what the window before said stands, and a trial that does
// not stay has not been: nothing is remembered of it, and the next one waits for 32 windows, or until the order is doubted. The first
// window of a region, and of an order, is not used, and over when a trial has taken half as long: the cache still holds other lines. Nothing
// is counted while a warp in the region runs in the other order, as it may until it ends the sequence or takes a BRA.TURN with no portion
// waiting.
//
// Warps with shared rows stay in the second order; launches ask look_first_o whether the next ones should rather have private rows. Which regions lie
// in the kernel's code is compared a cycle before: look_first_o is right from the cycle behind look_* on, while look_known_o is high (it is low for a
// cycle when a region is new). Events:
// SV_MODE with an SVSTART, SV_WINDOW with the last read of a window, or the cycle after one in which a trial has taken too long (and no other region
// is offered a read or replaced: they go first).
`default_nettype none
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module subvector #(
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int L1_LINES = 32,
    parameter int SV_REGIONS = 4,  // 2 or 4
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // a control instruction in the issue stage, and its hand-over
    input  wire                 start_i,      // it is an SVSTART
    input  wire                 start_go_i,   // .. which is handed over, and a thread executes it
    input  wire                 turn_go_i,    // a BRA.TURN is, likewise
    input  wire                 split_i,      // portions of the warp wait for their turn
    input  wire  [WARP_W-1:0]   warp_i,
    input  wire  [CHANNEL_W-1:0] channel_i,
    input  wire  [31:0]         address_i,    // of the instruction
    input  wire  [3:0]          mod_i,
    input  wire                 shares_i,     // the warp has shared rows
    input  wire  [1:0]          setting_i,    // SV_ORDER
    input  wire  [16:0]         threshold_i,  // SV_THRESHOLD
    output logic                second_o,
    output logic                watch_o,      // the order may change inside the sequence
    // warps leave
    input  wire  [WARPS-1:0]    live_i,
    input  wire                 leave_i,
    input  wire  [WARP_W-1:0]   leave_warp_i,
    // loads
    output logic [2:0]          region_o,     // of warp_i: number, and whether it is in one (bit 2)
    input  wire                 read_offered_i,  // a read of a load that was issued in a region
    input  wire                 read_i,       // .. which is performed or goes to memory
    input  wire  [1:0]          read_region_i,
    input  wire                 read_hit_i,
    // launches
    input  wire  [CHANNEL_W-1:0] look_channel_i,
    input  wire  [31:0]         look_base_i,  // a kernel's code
    input  wire  [31:0]         look_size_i,
    output logic                look_known_o,
    output logic                look_first_o, // a region of it is in the first order, and rates count
    `TRACE_SV_MODE_PORTS,
    `TRACE_SV_WINDOW_PORTS
);

    localparam int REGIONS = SV_REGIONS;
    localparam int REGION_W = $clog2(REGIONS);
    localparam int WINDOW = 2 * L1_LINES;
    localparam int WINDOW_W = $clog2(WINDOW);
    localparam int TAG_W = CHANNEL_W + 29;
    localparam int CYCLES_W = 20;

    // ---- regions ----
    logic [REGIONS-1:0]    valid_q, second_q, trial_q, steady_q;  // steady: not the first window of its order
    logic [REGIONS-1:0]    doubt_q;                               // the window before was dear
    logic [REGIONS-1:0]    begun_q;                               // in this one a warp has come while none was in the region
    logic [TAG_W-1:0]      tag_q [REGIONS];
    logic [WINDOW_W:0]     reads_q [REGIONS];
    logic [WINDOW_W:0]     misses_q [REGIONS];
    logic [CYCLES_W-1:0]   cycles_q [REGIONS];
    logic [CYCLES_W-1:0]   cost_q [REGIONS];   // mean cycles of windows, the last one counts half; in a trial of those before it
    logic [CYCLES_W-1:0]   before_q [REGIONS]; // what an order is doubted by: of the order before, or what its last trial did not beat; none: all ones
    logic [8:0]            wait_q [REGIONS];
    logic [1:0]            back_q [REGIONS];   // trials in a row that did not stay
    logic [REGION_W-1:0]   next_q;             // the region that goes when another needs its place

    // ---- warps ----
    logic [WARPS-1:0]      in_q, fixed_q, warp_second_q;  // in a region; it stays in the second order; it runs in the second order
    logic [WARPS*REGION_W-1:0] in_region_q;

    // ---- an SVSTART ----
    wire [TAG_W-1:0] tag = {channel_i, address_i[31:3]};
    logic [REGIONS-1:0] match, used;
    logic [REGION_W-1:0] found, region;
    always_comb begin
        used = '0;
        for (int w = 0; w < WARPS; w++)
            if (in_q[w] && live_i[w]) used[in_region_q[w*REGION_W +: REGION_W]] = 1'b1;
        found = '0;
        for (int e = REGIONS - 1; e >= 0; e--) begin
            match[e] = valid_q[e] && tag_q[e] == tag;
            if (match[e]) found = REGION_W'(e);
        end
        region = (match != '0) ? found : next_q;
    end

    wire rates = setting_i != `REG_SV_ORDER_ORDER_FIRST && setting_i != `REG_SV_ORDER_ORDER_SECOND && threshold_i != 17'd0 &&
                 threshold_i <= 17'h10000;
    wire by_rate = rates && mod_i == `SV_AUTO;
    wire joins = by_rate && (match != '0 || !used[next_q]);
    wire fresh = start_go_i && joins && match == '0;
    wire begins = start_go_i && by_rate && match != '0 && !used[found];
    wire turned = second_q[mine] || split_i;  // what a warp runs in after a turn
    wire was_in = in_q[warp_i] && live_i[warp_i];
    wire [REGION_W-1:0] mine = in_region_q[32'(warp_i)*REGION_W +: REGION_W];

    always_comb begin
        if (!start_i) second_o = second_q[mine];
        else if (shares_i) second_o = 1'b1;
        else if (setting_i == `REG_SV_ORDER_ORDER_FIRST) second_o = 1'b0;
        else if (setting_i == `REG_SV_ORDER_ORDER_SECOND || mod_i != `SV_AUTO || threshold_i == 17'd0) second_o = 1'b1;
        else second_o = by_rate && match != '0 && second_q[found];
    end
    assign watch_o = start_i ? joins && !shares_i : was_in && !fixed_q[warp_i];
    assign region_o = {was_in, 2'(mine)};

    // ---- what is counted ----
    // The warps as they are when the instruction of this cycle has been handed over.
    // That it is handed over is known late in the cycle, so it chooses last: between the others with the warp as it was, after its
    // SVSTART, and after its turn.
    logic [REGIONS-1:0] present, strange;  // a warp is in the region; one in the other order
    logic [REGIONS-1:0] others_in, others_strange, was_strange, start_in, start_strange, turn_strange;
    always_comb begin
        {others_in, others_strange, was_strange, start_in, start_strange, turn_strange} = '0;
        for (int w = 0; w < WARPS; w++)
            if (in_q[w] && live_i[w] && warp_i != WARP_W'(w)) begin
                others_in[in_region_q[w*REGION_W +: REGION_W]] = 1'b1;
                if (warp_second_q[w] != second_q[in_region_q[w*REGION_W +: REGION_W]]) others_strange[in_region_q[w*REGION_W +: REGION_W]] = 1'b1;
            end
        if (joins) start_in[region] = 1'b1;
        // A warp with shared rows, where the region is in the first order; the others take the region's.
        if (by_rate && shares_i) start_strange = match & ~second_q;
        if (was_in && warp_second_q[warp_i] != second_q[mine]) was_strange[mine] = 1'b1;
        if (was_in && (fixed_q[warp_i] ? warp_second_q[warp_i] : turned) != second_q[mine]) turn_strange[mine] = 1'b1;
        present = others_in | (start_go_i ? start_in : was_in ? REGIONS'(1) << mine : '0);
        strange = others_strange | (start_go_i ? start_strange : turn_go_i ? turn_strange : was_strange);
    end

    wire [REGION_W-1:0] read_region = REGION_W'(read_region_i);
    wire counts = read_i && !strange[read_region];
    logic [REGIONS-1:0] late_q;  // a trial that has taken as long as the order before, in the cycle before

    // The region whose window may end in this cycle: that of a read, else one that is late. Whether the read is taken and counts, and whether the region
    // is a new one's from now on, is known late in the cycle, so it only says at last whether the window ends.
    logic [REGION_W-1:0] look;
    always_comb begin
        look = '0;
        for (int e = REGIONS - 1; e >= 0; e--) if (late_q[e]) look = REGION_W'(e);
        if (read_offered_i) look = read_region;
    end
    wire look_fresh = fresh && next_q == look;
    wire [WINDOW_W:0] reads_then = reads_q[look] + (WINDOW_W+1)'(1);
    wire [WINDOW_W:0] misses_more = misses_q[look] + (WINDOW_W+1)'(1);
    wire [WINDOW_W:0] misses_then = read_hit_i ? misses_q[look] : misses_more;
    wire [WINDOW_W:0] reads = look_fresh ? (WINDOW_W+1)'(counts) : counts ? reads_then : reads_q[look];
    wire [WINDOW_W:0] misses = look_fresh ? (WINDOW_W+1)'(counts && !read_hit_i) : counts ? misses_then : misses_q[look];
    wire full = counts && reads_then == (WINDOW_W+1)'(WINDOW);
    wire ends = !look_fresh && (full || late_q[look]);

    // ---- what comes of it ----
    // Asked when a read has ended the window; whether it has hit is known late.
    wire [WINDOW_W+16:0] least = (WINDOW_W+17)'(threshold_i) << WINDOW_W;
    wire high = read_hit_i ? {misses_q[look], 16'd0} >= least : {misses_more, 16'd0} >= least;
    wire stays = cycles_q[look] < cost_q[look];  // of a trial; one whose window a read has not ended has taken as long
    wire steady = steady_q[look];
    wire [CYCLES_W:0] sum = {1'b0, cost_q[look]} + {1'b0, cycles_q[look]};
    wire [CYCLES_W-1:0] cost = (trial_q[look] || cost_q[look] == '0) ? cycles_q[look] : sum[CYCLES_W:1];
    wire [CYCLES_W-1:0] past = before_q[look];
    wire [CYCLES_W-1:0] rise = (back_q[look] == 2'd2) ? {2'd0, past[CYCLES_W-1:2]} : {3'd0, past[CYCLES_W-1:3]};
    wire dear = {1'b0, cycles_q[look]} > {1'b0, past} + {1'b0, rise};
    wire begun = begun_q[look] || (begins && found == look);
    wire regrets = dear && !begun && doubt_q[look];
    wire judged = !begun || (steady && stays);  // of a trial
    logic       second, trial;
    logic [8:0] pause;
    logic [1:0] back;
    always_comb begin
        second = second_q[look];
        trial = trial_q[look];
        pause = wait_q[look];
        back = back_q[look];
        if (steady && trial) begin
            trial = 1'b0;
            pause = 9'd32;
            if (stays) back = 2'd0;
            else begin
                second = !second;
                if (!begun) begin
                    if (back != 2'd2) back = back + 2'd1;
                    pause = 9'd64 << back;
                end
            end
        end else if (steady && pause != 9'd0 && !regrets) pause = pause - 9'd1;
        else if (steady && (second || high)) begin
            second = !second;
            trial = 1'b1;
        end
    end

    for (genvar e = 0; e < REGIONS; e++) begin : g_region
        always_ff @(posedge clk_i) begin
            if (present[e] && !strange[e] && cycles_q[e] != '1) cycles_q[e] <= cycles_q[e] + CYCLES_W'(1);
            if (begins && found == REGION_W'(e)) begun_q[e] <= 1'b1;
            if (fresh && next_q == REGION_W'(e)) begin
                valid_q[e] <= 1'b1;
                tag_q[e] <= tag;
                second_q[e] <= shares_i;
                trial_q[e] <= 1'b0;
                steady_q[e] <= 1'b0;
                reads_q[e] <= '0;
                misses_q[e] <= '0;
                cycles_q[e] <= '0;
                cost_q[e] <= '0;
                before_q[e] <= '1;
                wait_q[e] <= 9'(shares_i);
                back_q[e] <= 2'd0;
            end
            if (look == REGION_W'(e) && ends) begin
                if (steady_q[e] && !(trial_q[e] && !stays)) cost_q[e] <= cost;
                if (trial_q[e] && judged) before_q[e] <= cost_q[e];
                second_q[e] <= second;
                trial_q[e] <= trial;
                steady_q[e] <= second == second_q[e];
                doubt_q[e] <= (begun ? doubt_q[e] : dear) && steady_q[e];
                begun_q[e] <= begun && trial_q[e] && !steady_q[e];
                wait_q[e] <= pause;
                back_q[e] <= back;
                reads_q[e] <= '0;
                misses_q[e] <= '0;
                cycles_q[e] <= '0;
            end else if (look == REGION_W'(e)) begin
                reads_q[e] <= reads;
                misses_q[e] <= misses;
            end
            late_q[e] <= trial_q[e] && cycles_q[e] >= (steady_q[e] ? cost_q[e] : cost_q[e] >> 1) && !(look == REGION_W'(e) && ends) &&
                         !(fresh && next_q == REGION_W'(e));
            if (rst_i) late_q[e] <= 1'b0;
            if (rst_i) valid_q[e] <= 1'b0;
            if (rst_i) trial_q[e] <= 1'b0;
        end
    end

    always_ff @(posedge clk_i) begin
        in_q <= in_q & live_i;
        if (leave_i) in_q[leave_warp_i] <= 1'b0;
        if (start_go_i) begin
            in_q[warp_i] <= joins;
            in_region_q[32'(warp_i)*REGION_W +: REGION_W] <= region;
            fixed_q[warp_i] <= shares_i;
            warp_second_q[warp_i] <= second_o;
            if (by_rate && match == '0) next_q <= next_q + REGION_W'(1);
        end else if (turn_go_i && !fixed_q[warp_i]) warp_second_q[warp_i] <= turned;
        if (rst_i) begin
            in_q <= '0;
            next_q <= '0;
        end
    end

    // ---- launches ----
    logic [REGIONS-1:0] looked_q;  // the region is in the kernel's code
    for (genvar e = 0; e < REGIONS; e++) begin : g_look
        wire [31:0] place = {tag_q[e][28:0], 3'd0} - look_base_i;
        always_ff @(posedge clk_i) looked_q[e] <= tag_q[e][29 +: CHANNEL_W] == look_channel_i && place < look_size_i;
    end
    always_ff @(posedge clk_i) look_known_o <= !fresh;
    assign look_first_o = rates && (looked_q & valid_q & ~second_q) != '0;

    assign trace_sv_mode_valid_o = start_go_i;
    assign trace_sv_mode_warp_o = 8'(warp_i);
    assign trace_sv_mode_region_o = joins ? 8'(region) : 8'hFF;
    assign trace_sv_mode_second_o = second_o;
    assign trace_sv_window_valid_o = ends;
    assign trace_sv_window_region_o = 8'(look);
    assign trace_sv_window_reads_o = 16'(reads);
    assign trace_sv_window_misses_o = 16'(misses);
    assign trace_sv_window_cycles_o = cycles_q[look];
    assign trace_sv_window_second_o = second;
    assign trace_sv_window_trial_o = trial;

    wire unused = &{1'b0, address_i[2:0], sum[0]};

`ifndef SYNTHESIS
    initial if (WINDOW != (1 << WINDOW_W)) $error("subvector: a window that is no power of two");
    initial if (REGIONS != 2 && REGIONS != 4) $error("subvector: neither 2 nor 4 regions");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            assert (!(start_go_i && turn_go_i));
            if (read_i) assert (read_offered_i && 32'(read_region_i) < REGIONS && valid_q[read_region]);
        end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(no_place, start_go_i && by_rate && !joins)
        `COVER(replaced, fresh && valid_q[next_q])
        `COVER(trial_stays, ends && steady && trial_q[look] && stays)
        `COVER(trial_of_regret, ends && steady && !trial_q[look] && trial && wait_q[look] != 9'd0)
        `COVER(begun_dear, ends && steady && !trial_q[look] && dear && begun && doubt_q[look])
        `COVER(trial_of_two_launches, ends && steady && trial_q[look] && begun && !stays)
        `COVER(trial_late, ends && steady && trial_q[look] && !full)
        `COVER(trial_of_first, ends && steady && !trial_q[look] && trial && !second)
        `COVER(not_counted, read_i && strange[read_region])
    end
`endif

endmodule
`default_nettype wire
