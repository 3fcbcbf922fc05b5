// A host unit in another style: a machine for each channel (other_channel.sv), all at work at once, and one way to memory for
// which they take turns, with one access of each channel under way. Its CPU port takes a register access a cycle and has the read
// data in the same one; a write to a channel waits (write_ready_o low) until the channel has no access under way.
// Of the global registers it has its own; those of the multiprocessors (token deques, signatures, counters) are left out.
// defect_i: 0 none, 1 GP_GET wraps an entry late, 2 methods of more than four words lose one, 3 ONE_INC goes on, 4 ACQ_GEQ without
// a sign, 5 ACQ_AND wants all bits, 6 XOR is OR, 7 a release does not wait for idle, 8 the line outlives a failed acquire, 9 WFI
// does not wait, 10 launches forget their program region, 11 FAULT_INFO forgets the subchannel, 12 the object outlives a reset,
// 13 the interrupt of channel 0, 14 a release without its time, 15 a fault of an acquire tells the payload, 16 a blocked channel
// is not stopped, 17 END_PB_SEGMENT does nothing, 18 GP_PUT of a PPU-owned channel stays, 19 addresses beyond 32 bits are taken,
// 20 a channel cannot be disabled within a method, 21 a reset clears SIGNATURE, 22 a write of INTR_STATUS clears all bits,
// 23 the interrupt line does not look at INTR_ENABLE.
`include "gen/registers.svh"

module other_host
    import other_host_pkg::*;
#(
    parameter int CHANNELS = 4
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  int          defect_i,
    input  logic [31:0] config_i[3],   // CONFIG0 to CONFIG2
    input  int          ns_per_cycle_i,
    // the CPU
    input  logic        write_i,
    output logic        write_ready_o,
    input  logic [19:0] write_addr_i,
    input  logic [31:0] write_data_i,
    input  logic        read_i,
    input  logic [19:0] read_addr_i,
    output logic [31:0] read_data_o,
    output logic        irq_o,
    // memory: an access is performed when it is taken, the answer names its channel
    output access_t     access_o,
    output logic [7:0]  access_channel_o,
    input  logic        access_ready_i,
    input  logic        answer_i,
    input  logic [7:0]  answer_channel_i,
    input  logic [1:0]  answer_fault_i,
    input  logic [255:0] answer_data_i,
    input  logic        snoop_i,
    input  logic [31:0] snoop_addr_i,
    output logic [31:0] space_base_o[CHANNELS],
    output logic [31:0] space_size_o[CHANNELS],
    // tasks
    output launch_t     launch_o,
    output logic [7:0]  launch_channel_o,
    input  logic        launch_ready_i,
    output logic [CHANNELS-1:0] halted_o,
    output logic        invalidate_o,
    input  logic [CHANNELS-1:0] idle_i,
    input  logic [23:0] tasks_i[CHANNELS],
    input  logic        broken_i,
    input  logic [7:0]  broken_channel_i,
    input  logic [7:0]  broken_code_i,
    input  logic [31:0] broken_info_i,
    input  logic [31:0] broken_pc_i,
    // what is committed in this cycle
    output deeds_t      deeds_o[CHANNELS],
    output logic [31:0] raised_o
);
    logic [31:0] scratch, status, enable, cycles_hi, time_hi;
    logic [15:0] warp_select;
    logic [63:0] cycles;
    wire  [63:0] now = cycles * 64'(ns_per_cycle_i);

    // ---- which channel a register is of ----
    function automatic logic of_channel(input logic [19:0] addr, input int c, input logic userd);
        return userd ? addr[19:9] == 11'((`REG_USERD_BASE >> 9) + 20'(c)) : addr[19:8] == 12'((`REG_CHANNEL_BASE >> 8) + 20'(c));
    endfunction
    logic [CHANNELS-1:0] named, userd, quiet, read_named, read_userd, asks, launches, takes;
    always_comb for (int c = 0; c < CHANNELS; c++) begin
        userd[c] = of_channel(write_addr_i, c, 1'b1);
        named[c] = write_i && (userd[c] || of_channel(write_addr_i, c, 1'b0));
        read_userd[c] = of_channel(read_addr_i, c, 1'b1);
        read_named[c] = read_userd[c] || of_channel(read_addr_i, c, 1'b0);
    end
    assign write_ready_o = (named & ~quiet) == 0;
    wire writes = write_i && write_ready_o;

    // ---- turns ----
    // Memory: the next in turn of those with the highest priority; every fourth time the next in turn.
    access_t access[CHANNELS];
    launch_t launch[CHANNELS];
    logic [31:0] read_data[CHANNELS];
    logic [1:0] level[CHANNELS];
    logic [1:0] turns;
    int last, chosen, candidate, launcher;
    always_comb begin
        chosen = -1;
        launcher = -1;
        for (int i = 1; i <= CHANNELS; i++) begin
            candidate = (last + i) % CHANNELS;
            if (access[candidate].valid)
                if (chosen < 0 || (turns != 0 && level[candidate] > level[chosen])) chosen = candidate;
            if (launch[candidate].valid && launcher < 0) launcher = candidate;
        end
        access_o = '0;
        launch_o = '0;
        takes = 0;
        launches = 0;
        access_channel_o = 8'(chosen);
        launch_channel_o = 8'(launcher);
        if (chosen >= 0) begin
            access_o = access[chosen];
            takes[chosen] = access_ready_i;
        end
        if (launcher >= 0) begin
            launch_o = launch[launcher];
            launches[launcher] = launch_ready_i;
        end
    end

    for (genvar c = 0; c < CHANNELS; c++) begin : g_channel
        other_channel channel (
            .clk_i, .rst_i, .defect_i,
            .pause_i(named[c]), .quiet_o(quiet[c]), .write_i(writes && named[c]), .userd_i(userd[c]), .offset_i(write_addr_i[8:0]),
            .data_i(write_data_i), .read_userd_i(read_userd[c]), .read_offset_i(read_addr_i[8:0]), .read_o(read_data[c]),
            .priority_o(level[c]), .space_base_o(space_base_o[c]), .space_size_o(space_size_o[c]), .halted_o(halted_o[c]),
            .access_o(access[c]), .taken_i(takes[c]), .answer_i(answer_i && answer_channel_i == c), .answer_fault_i, .answer_data_i,
            .snoop_i, .snoop_addr_i, .time_i(now),
            .launch_o(launch[c]), .launched_i(launches[c]), .idle_i(idle_i[c]), .tasks_i(tasks_i[c]),
            .broken_i(broken_i && broken_channel_i == c), .broken_code_i, .broken_info_i, .broken_pc_i, .deeds_o(deeds_o[c])
        );
    end

    // ---- interrupts ----
    always_comb begin
        raised_o = 0;
        invalidate_o = 0;
        for (int c = 0; c < CHANNELS; c++) begin
            raised_o[16 + c] = deeds_o[c].fault;
            if (deeds_o[c].interrupt) raised_o[defect_i == 13 ? 0 : c] = 1;
            if (deeds_o[c].invalidate) invalidate_o = 1;
        end
    end
    assign irq_o = (defect_i == 23 ? status : status & enable) != 0;

    // ---- global registers ----
    always_ff @(posedge clk_i) begin
        logic [31:0] cleared;
        cleared = writes && write_addr_i == 20'(`REG_INTR_STATUS) ? (defect_i == 22 ? '1 : write_data_i) : 0;
        cycles <= cycles + 1;
        status <= (status & ~cleared) | raised_o;
        if (writes) case (write_addr_i)
            20'(`REG_SCRATCH): scratch <= write_data_i;
            20'(`REG_INTR_ENABLE): enable <= write_data_i;
            20'(`REG_WARP_SELECT): warp_select <= write_data_i[15:0];
            default: ;
        endcase
        if (read_i && read_addr_i == 20'(`REG_CYCLES_LO)) cycles_hi <= cycles[63:32];
        if (read_i && read_addr_i == 20'(`REG_TIME_LO)) time_hi <= now[63:32];
        if (chosen >= 0 && access_ready_i) begin
            last <= chosen;
            turns <= turns + 1;
        end
        if (rst_i) begin
            {scratch, status, enable, cycles_hi, time_hi, warp_select, cycles, turns} <= 0;
            last <= 0;
        end
    end
    always_comb begin
        case (read_addr_i)
            20'(`REG_MAGIC): read_data_o = `REG_MAGIC_RESET;
            20'(`REG_ABI_VERSION): read_data_o = `REG_ABI_VERSION_RESET;
            20'(`REG_CONFIG0): read_data_o = config_i[0];
            20'(`REG_CONFIG1): read_data_o = config_i[1];
            20'(`REG_CONFIG2): read_data_o = config_i[2];
            20'(`REG_SCRATCH): read_data_o = scratch;
            20'(`REG_INTR_STATUS): read_data_o = status;
            20'(`REG_INTR_ENABLE): read_data_o = enable;
            20'(`REG_CYCLES_LO): read_data_o = cycles[31:0];
            20'(`REG_CYCLES_HI): read_data_o = cycles_hi;
            20'(`REG_TIME_LO): read_data_o = now[31:0];
            20'(`REG_TIME_HI): read_data_o = time_hi;
            20'(`REG_WARP_SELECT): read_data_o = {16'b0, warp_select};
            default: read_data_o = 0;
        endcase
        for (int c = 0; c < CHANNELS; c++) if (read_named[c]) read_data_o = read_data[c];
    end
endmodule
