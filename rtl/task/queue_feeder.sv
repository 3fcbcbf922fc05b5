// queue_feeder: what feeds the CTAs of tasks of kind queue: how many entries there are, and how many are done.
//
// For each slot of the task table it keeps OUTER_PUT as read last, OUTER_GET as written last, and whether more may come
// (SCHEDULE_ON_PUT_UPDATE_ENABLE). feed_next_i is the number of entries handed out (all counters modulo 2^31).
//   queue_ready_o: a CTA may go out, with queue_count_o entries: all that it takes, or fewer when no more come or
//     COALESCE_WAITING_PERIOD * 256 cycles have passed since the first of them was there. Both stay as they are until feed_launch_i, but for queue_hold_o.
//   queue_last_o: nothing is left and nothing more comes. queue_synced_o: OUTER_GET in memory is feed_next_i. Both mean something only
//     for queue_here_o.
// One slot at a time is served (queue_hold_o, busy_o: no CTA of it may go out meanwhile, and it does not end or leave):
//   written, when none of its CTAs runs and OUTER_GET is behind: an entry's place may be used again when OUTER_GET has passed it;
//   read (the first line of its TMD), when there are fewer entries than a CTA takes and more may come, every POLL cycles.
// queue_bad_o: the counters cannot be (queue_code_o TMD_GET_PUT_TOO_LARGE: OUTER_PUT more than the size of the ring ahead of OUTER_GET,
// or gone back) or the memory answered with an error (BUS_ERROR); nothing more goes out, is read or written until the slot is filled anew.
// Of a slot that is not queue_here_o nothing else means anything.
//
// Latency: from an OUTER_PUT in memory to queue_ready_o at most POLL cycles, a memory latency, and the turns of other slots.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/tmd.svh"
`include "coverage.svh"

module queue_feeder #(
    parameter int CHANNELS = 2,
    parameter int TASK_SLOTS = 2,
    parameter int POLL = 64,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire  clk_i,
    input  wire  rst_i,

    // The slots. feed_fill_i: a task starts, a queue or not.
    `FEED_INS(feed, TASK_SLOTS),
    `FILL_IN(fill),
    `SLOT_QUEUE_INS(slot, TASK_SLOTS),

    `QUEUE_OUTS(queue, TASK_SLOTS),
    output logic busy_o,

    // want_o until the answer is there; nothing is asked before granted_i.
    output logic want_o,
    input  wire  granted_i,
    `REQUEST_OUT(req),
    `ANSWER_IN(rsp)
);
    localparam int POLL_W = $clog2(POLL);

    logic [TASK_SLOTS-1:0]    open_q, expired_q;
    logic [TASK_SLOTS*31-1:0] put_q, get_q;

    // ---- one slot at a time: written first ----
    logic              serve_q, asked_q, write_q, came_q, answered_q, pick_valid, pick_write;
    logic [SLOT_W-1:0] slot_q, last_q, pick;
    logic [TASK_SLOTS-1:0] reads, writes;
    logic [30:0]       new_put_q, ahead_q, left_q;
    logic [1:0]        answer_fault_q;
    logic              answer_open_q, answer_bad;
    logic [7:0]        answer_code;

    always_comb begin
        // The lowest behind the slot served last, else the lowest.
        pick_valid = (reads | writes) != '0;
        pick = '0;
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if (reads[k] || writes[k]) pick = SLOT_W'(k);
        end
        for (int k = TASK_SLOTS - 1; k >= 0; k--) begin
            if ((reads[k] || writes[k]) && SLOT_W'(k) > last_q) pick = SLOT_W'(k);
        end
        pick_write = writes[pick];
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            serve_q <= 1'b0;
            asked_q <= 1'b0;
            write_q <= 1'b0;
            slot_q <= '0;
            last_q <= '0;
        end else if (!serve_q) begin
            serve_q <= pick_valid;
            asked_q <= 1'b0;
            slot_q <= pick;
            write_q <= pick_write;
            if (pick_valid) last_q <= pick;
        end else if (!asked_q) begin
            asked_q <= req_valid_o && req_ready_i;
        end else if (answered_q) begin
            serve_q <= 1'b0;
        end
    end

    // An answer has a cycle to come, one for subtractions, one for comparisons.
    always_ff @(posedge clk_i) begin
        came_q <= rsp_valid_i && !rst_i;
        answered_q <= came_q && !rst_i;
        ahead_q <= new_put_q - get_q[31*slot_q +: 31];
        left_q <= new_put_q - feed_next_i[32*slot_q +: 31];
        if (rsp_valid_i) begin
            new_put_q <= rsp_data_i[`TMD_LINE0_OUTER_PUT];
            answer_open_q <= rsp_data_i[`TMD_LINE0_SCHEDULE_ON_PUT_UPDATE_ENABLE];
            answer_fault_q <= rsp_fault_i;
        end
    end

    always_comb begin
        busy_o = serve_q;
        want_o = serve_q;
        req_valid_o = serve_q && !asked_q && granted_i;
        req_op_o = write_q ? `REQUEST_WRITE : `REQUEST_READ;
        req_atom_o = 4'd0;
        req_channel_o = slot_channel_i[CHANNEL_W*slot_q +: CHANNEL_W];
        req_addr_o = {slot_tmd_i[32*slot_q+8 +: 24], 8'd0};
        req_wstrb_o = write_q ? 32'h000000F0 : 32'd0;  // the word of OUTER_GET
        req_wdata_o = {4{1'b0, feed_next_i[32*slot_q +: 31], 32'd0}};  // in both halves of the line, the other words are nobody's

        answer_bad = 1'b1;
        answer_code = `FAULT_BUS_ERROR;
        if (answer_fault_q == `ANSWER_GOOD) begin
            answer_bad = !write_q && ({1'b0, ahead_q} > slot_grid_x_i[32*slot_q +: 32] || {1'b0, left_q} > slot_grid_x_i[32*slot_q +: 32]);
            answer_code = `FAULT_TMD_GET_PUT_TOO_LARGE;
        end
    end

    // ---- the slots ----
    for (genvar k = 0; k < TASK_SLOTS; k++) begin : g_slot
        logic [30:0]       there;
        logic [15:0]       wait_q, period_end;
        logic [7:0]        period_q;
        logic [POLL_W-1:0] poll_q;
        logic              full, partial, answered;

        always_comb begin
            there = put_q[31*k +: 31] - feed_next_i[32*k +: 31];
            full = there >= {15'd0, slot_grid_y_i[16*k +: 16]};
            partial = there != 31'd0 && !full;
            queue_count_o[16*k +: 16] = full ? slot_grid_y_i[16*k +: 16] : there[15:0];
            period_end = {period_q, 8'd0};
            queue_hold_o[k] = serve_q && slot_q == SLOT_W'(k);
            queue_ready_o[k] = !queue_hold_o[k] && !queue_bad_o[k] && (full || (partial && (!open_q[k] || expired_q[k])));
            queue_last_o[k] = !open_q[k] && there == 31'd0;
            queue_synced_o[k] = get_q[31*k +: 31] == feed_next_i[32*k +: 31];
        end
        assign writes[k] = queue_here_o[k] && feed_live_i[k] && !queue_bad_o[k] && feed_resting_i[k] && !feed_launch_i[k] && !queue_synced_o[k];
        assign reads[k] = queue_here_o[k] && feed_live_i[k] && !queue_bad_o[k] && !feed_evicted_i[k] && open_q[k] && !full && !expired_q[k] &&
                          poll_q == '0;
        assign answered = queue_hold_o[k] && answered_q;

        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                queue_here_o[k] <= 1'b0;
            end else if (feed_fill_i[k]) begin
                queue_here_o[k] <= fill_queue_i;
                queue_bad_o[k] <= 1'b0;
                expired_q[k] <= 1'b0;
                open_q[k] <= fill_open_i;
                poll_q <= '0;
                wait_q <= '0;
                put_q[31*k +: 31] <= fill_put_i;
                get_q[31*k +: 31] <= fill_get_i;
                period_q <= fill_period_i;
            end else begin
                if (answered) poll_q <= POLL_W'(POLL - 1);
                else if (poll_q != '0) poll_q <= poll_q - POLL_W'(1);
                // Entries that are fewer than a CTA takes wait for more; a read that is under way is waited for as well.
                if (!partial || feed_launch_i[k]) begin
                    wait_q <= '0;
                    expired_q[k] <= 1'b0;
                end else if (wait_q != period_end) begin
                    wait_q <= wait_q + 16'd1;
                end else if (!queue_hold_o[k] && !(pick_valid && !serve_q && pick == SLOT_W'(k))) begin
                    expired_q[k] <= 1'b1;
                end
                if (answered) begin
                    queue_bad_o[k] <= answer_bad;
                    if (answer_bad) queue_code_o[8*k +: 8] <= answer_code;
                    if (write_q) get_q[31*k +: 31] <= feed_next_i[32*k +: 31];
                    else if (!answer_bad) begin
                        put_q[31*k +: 31] <= new_put_q;
                        open_q[k] <= answer_open_q;
                    end
                end
            end
        end
    end

    // Only the counters and the flag are read of a line.
    logic unused;
    assign unused = &{1'b0, rsp_data_i[255:201], rsp_data_i[199:31]};

`ifndef SYNTHESIS
    initial if ((1 << POLL_W) != POLL) $error("queue_feeder: POLL must be a power of two");
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            if (rsp_valid_i) assert (serve_q && asked_q && !came_q && !answered_q);
            if (came_q || answered_q) assert (serve_q && asked_q && !(came_q && answered_q));
            for (int k = 0; k < TASK_SLOTS; k++) begin
                if (queue_here_o[k] && feed_launch_i[k]) assert (queue_ready_o[k] && !queue_hold_o[k]);
            end
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(full_cta, |(feed_launch_i & queue_here_o) && pick_valid)
        `COVER(expired, |expired_q)
        `COVER(closed, |(queue_here_o & ~open_q))
        `COVER(too_large, answered_q && answer_bad && answer_fault_q == `ANSWER_GOOD)
        `COVER(counter_written, answered_q && write_q)
        `COVER(two_wait, pick_valid && serve_q)
    end
`endif
endmodule
`default_nettype wire
