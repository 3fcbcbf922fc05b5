// A task unit and multiprocessors that stand in for real ones: launches wait in a queue, one after the other is read from memory,
// started with one warp of one thread, and ended after a while, or killed when its channel stands faulted. All of it is told,
// so the model knows of every task what there is to know.
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"

package host_tasks_pkg;
    import host_world_pkg::*;
    import tandem_trace_pkg::*;

    typedef struct packed {
        logic [7:0]  channel;
        logic [31:0] tmd, region, local_base;
    } launch_t;
    typedef enum {NONE, READS, STARTED, WARP, ENDED, CTA_ENDED} stage_t;

    launch_t     queue[$];
    launch_t     now;
    stage_t      stage = NONE;
    int          lines, outstanding[CHANNELS], threads, rows;  // threads that may be resident; rows of a register file that a warp takes
    logic [31:0] space_base[CHANNELS], space_size[CHANNELS];  // of the channels
    logic [2047:0] tmd;
    logic        tmd_outside, killed;
    logic        lost;  // its program is something else: the CPU is to stop its channel
    localparam logic [31:0] EXIT = {21'b0, 3'd7, `OP_EXIT};  // the lower word, by all threads
    // The fault that the host unit is told of in this cycle.
    logic        broken;
    logic [7:0]  broken_channel, broken_code;
    logic [31:0] broken_info, broken_pc;

    function automatic void break_channel(input logic [7:0] code, input logic [31:0] info, input logic [31:0] pc);
        broken = 1;
        broken_channel = now.channel;
        broken_code = code;
        broken_info = info;
        broken_pc = pc;
    endfunction

    task automatic refuse(input logic [7:0] code, input logic [31:0] info);
        tell(TRACE_TASK_REFUSED, trace_task_refused(now.channel, now.tmd, code, info));
        if (code != 0) break_channel(code, info, 0);
        outstanding[now.channel]--;
        stage = NONE;
    endtask

    // After its last line: what of a TMD these programs get wrong, in the order in which it is looked for. Fields: tmd.tbl.
    function automatic logic [7:0] wrong(output logic [31:0] info);
        automatic logic [31:0] local_bytes = 32'(tmd[1463:1440]);
        info = now.tmd;
        if (tmd_outside) return `FAULT_TMD_FETCH;
        if (tmd[583:576] != 8'h16) return `FAULT_TMD_VERSION;
        info = 0;
        if (tmd[1503:1496] == 0) return `FAULT_TMD_REGISTER_COUNT;
        info = local_bytes;
        if (local_bytes != 0)
            if (now.local_base == 0 || now.local_base[4:0] != 0 || {1'b0, now.local_base} + 33'(threads) * local_bytes > {1'b0, space_size[now.channel]})
                return `FAULT_TMD_LOCAL_MEMORY;
        return 0;
    endfunction

    // Place of its instruction.
    function automatic int code_at();
        return int'((space_base[now.channel] + now.region + tmd[287:256]) / 4);
    endfunction

    // The first part of a cycle's events: those before PERFORM. halted: of all channels.
    task automatic early(input logic [CHANNELS-1:0] halted);
        automatic logic [31:0] pc = tmd[287:256] / 8;
        automatic int at = code_at();
        logic [31:0] info;
        broken = 0;
        lost = 0;
        case (stage)
            NONE: if (queue.size() != 0 && one_in(4)) begin
                now = queue.pop_front();
                tell(TRACE_TASK_TAKE, trace_task_take(0, 0, now.channel, 0, now.tmd));
                lines = 0;
                tmd_outside = 0;
                stage = READS;
            end
            READS: if (lines == 8 && !halted[now.channel] && wrong(info) == 0) begin
                tell(TRACE_TASK_START, trace_task_start(0, now.channel, now.tmd, pc));
                stage = STARTED;
            end
            STARTED: begin
                tell(TRACE_CTA_LAUNCH, trace_cta_launch(0, 0, 0, 0, 0, 0));
                tell(TRACE_WARP_START, trace_warp_start(0, 0, 0, 0, 64'd1, pc, 0, 16'(rows), 0));
                killed = 0;
                stage = WARP;
            end
            WARP: if (!halted[now.channel] && memory[at] == EXIT && one_in(60)) begin
                tell(TRACE_INSTR, trace_instr(0, pc, {memory[at + 1], memory[at]}, 64'd1, 64'd1));
                stage = ENDED;
            end
            default: ;
        endcase
    endtask

    // Its reads: one a cycle at most.
    task automatic middle();
        logic [1:0] fault;
        logic [255:0] line;
        if (stage != READS || lines == 8 || one_in(3)) return;
        perform(2, now.channel, `REQUEST_READ, 0, now.tmd + 32 * lines, 0, 0, space_base[now.channel], space_size[now.channel], fault, line);
        if (fault != 0) tmd_outside = 1;
        tmd[256 * lines +: 256] = line;
        lines++;
    endtask

    // The last part: those behind PERFORM.
    task automatic late(input logic [CHANNELS-1:0] halted);
        automatic int at = code_at();
        logic [7:0] code;
        logic [31:0] info;
        case (stage)
            READS: begin
                code = wrong(info);
                if (halted[now.channel]) refuse(0, 0);
                else if (lines == 8 && code != 0) refuse(code, info);
            end
            WARP: if (halted[now.channel]) begin
                killed = 1;
                stage = ENDED;
            end else if (memory[at][7:0] == 0 && one_in(60)) begin
                tell(TRACE_WARP_FAULT, trace_warp_fault(0, `FAULT_ILLEGAL_INSTRUCTION, memory[at], tmd[287:256] / 8));
                break_channel(`FAULT_ILLEGAL_INSTRUCTION, memory[at], tmd[287:256] / 8);
                killed = 1;
                stage = ENDED;
            end else if (memory[at] != EXIT && memory[at][7:0] != 0) lost = 1;
            ENDED: if (one_in(3)) begin
                tell(TRACE_WARP_END, trace_warp_end(0, killed));
                stage = CTA_ENDED;
            end
            CTA_ENDED: begin
                tell(TRACE_CTA_END, trace_cta_end(0, 0, 0));
                tell(TRACE_TASK_END, trace_task_end(0, now.channel, now.tmd, killed));
                ends++;
                outstanding[now.channel]--;
                stage = NONE;
            end
            default: ;
        endcase
    endtask
endpackage
