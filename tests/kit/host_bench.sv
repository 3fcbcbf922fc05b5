// A test bench of somebody else: a foreign host unit (other_host.sv) in lockstep with the model. The CPU, the memory with random
// waits, the task unit and the multiprocessors are this bench's; every event is told, all of a cycle in the table's order.
// At its end all is stopped, and the memories are compared (+spoil: one word of this one is changed before). Ends with PASS, or with
// the first difference.
`include "gen/bundles.svh"
`include "gen/registers.svh"

module host_bench;
    import other_host_pkg::*;
    import tandem_kit_pkg::*;
    import tandem_trace_pkg::*;
    import host_world_pkg::*;

    int seed, cycles, defect;
    string configuration;
    logic clk = 0, rst = 1;

    logic        write = 0, write_ready, read = 0, irq;
    logic [19:0] reg_addr = 0;
    logic [31:0] reg_data = 0, read_data, raised;
    access_t     access;
    logic [7:0]  access_channel, answer_channel = 0;
    logic        access_ready = 0, answer = 0, snooped = 0, invalidate;
    logic [1:0]  answer_fault = 0;
    logic [255:0] answer_data = 0;
    logic [31:0] snooped_addr = 0, space_base[CHANNELS], space_size[CHANNELS];
    launch_t     launch;
    logic [7:0]  launch_channel;
    logic        launch_ready = 0;
    logic [CHANNELS-1:0] halted, idle = '1;
    logic [23:0] tasks[CHANNELS];
    logic        broken = 0;
    logic [7:0]  broken_channel = 0, broken_code = 0;
    logic [31:0] broken_info = 0, broken_pc = 0;
    deeds_t      deeds[CHANNELS];

    other_host #(.CHANNELS(CHANNELS)) host (
        .clk_i(clk), .rst_i(rst), .defect_i(defect), .config_i(numbers), .ns_per_cycle_i(ns_per_cycle),
        .write_i(write), .write_ready_o(write_ready), .write_addr_i(reg_addr), .write_data_i(reg_data),
        .read_i(read), .read_addr_i(reg_addr), .read_data_o(read_data), .irq_o(irq),
        .access_o(access), .access_channel_o(access_channel), .access_ready_i(access_ready),
        .answer_i(answer), .answer_channel_i(answer_channel), .answer_fault_i(answer_fault), .answer_data_i(answer_data),
        .snoop_i(snooped), .snoop_addr_i(snooped_addr), .space_base_o(space_base), .space_size_o(space_size),
        .launch_o(launch), .launch_channel_o(launch_channel), .launch_ready_i(launch_ready), .halted_o(halted), .invalidate_o(invalidate),
        .idle_i(idle), .tasks_i(tasks), .broken_i(broken), .broken_channel_i(broken_channel), .broken_code_i(broken_code),
        .broken_info_i(broken_info), .broken_pc_i(broken_pc), .deeds_o(deeds), .raised_o(raised)
    );

    // What the configuration is, from the model.
    logic [31:0] numbers[3];
    int          ns_per_cycle, launches_most;
    function automatic void ask_configuration();
        if (property_of("channels") != CHANNELS) fail("another number of channels");
        numbers[0] = {8'(property_of("sms")), 8'(property_of("warps")), 8'(property_of("lanes")), 8'(property_of("threads"))};
        numbers[1] = {16'(property_of("deque_entries")), 8'(property_of("task_slots")), 8'(CHANNELS)};
        numbers[2] = {8'(property_of("pending_tasks")), 8'(property_of("const_banks")), 16'(property_of("vgpr_rows"))};
        ns_per_cycle = property_of("ns_per_cycle");
        launches_most = property_of("pending_tasks");
        host_tasks_pkg::threads = property_of("sms") * property_of("warps") * property_of("threads");
        host_tasks_pkg::rows = property_of("threads") / property_of("lanes");
    endfunction

    // ---- the memory: an access of each channel is under way, answers come in any order ----
    logic         under_way[CHANNELS], fails[CHANNELS];
    int           wait_cycles[CHANNELS], performed[CHANNELS], performed_of[2];
    logic         port_of[CHANNELS];
    logic [1:0]   faults_of[CHANNELS];
    logic [255:0] data_of[CHANNELS];
    logic [31:0]  line_of[CHANNELS];
    int           mood = 0;

    // What the foreign host unit asks for is performed now. Some fail: a write or atomic that does has changed nothing.
    task automatic serve();
        automatic int c = int'(access_channel);
        automatic logic [31:0] line = (space_base[access_channel] + access.addr) & ~31;
        logic [255:0] old_line;
        if (!access.valid || !access_ready) return;
        if (under_way[c]) fail("a second access of a channel");
        if (line < 4 * WORDS) old_line = line_at(line);
        perform({7'b0, access.on_semaphore}, access_channel, access.op, access.atom, access.addr, access.strobes,
                masked(access.op, access.strobes, access.data), space_base[c], space_size[c], faults_of[c], data_of[c]);
        under_way[c] = 1;
        port_of[c] = access.on_semaphore;
        performed_of[access.on_semaphore]++;
        performed[c] = performed_of[access.on_semaphore];
        line_of[c] = line;
        wait_cycles[c] = mood == 0 ? 0 : $urandom_range(mood == 1 ? 4 : 60);
        fails[c] = faults_of[c] == `ANSWER_GOOD && one_in(access.op == `REQUEST_READ ? 400 : 100);
        if (fails[c] && access.op != `REQUEST_READ) begin
            for (int w = 0; w < 8; w++) memory[line / 4 + w] = old_line[32 * w +: 32];
            wait_cycles[c] = 0;  // told before anybody else sees the place
        end
    endtask

    // BUS_ERROR is told in the cycle before its answer.
    task automatic tell_errors();
        for (int c = 0; c < CHANNELS; c++) if (under_way[c] && fails[c] && wait_cycles[c] == 0) begin
            tell(TRACE_BUS_ERROR, trace_bus_error({7'b0, port_of[c]}, 8'(performed_of[port_of[c]] - performed[c]), line_of[c]));
            fails[c] = 0;
            faults_of[c] = `ANSWER_BUS_ERROR;
            data_of[c] = {8{$urandom}};
            bus_errors++;
        end
    endtask

    function automatic logic [255:0] masked(input logic [1:0] op, input logic [31:0] strobes, input logic [255:0] data);
        for (int b = 0; b < 32; b++) masked[8 * b +: 8] = op == `REQUEST_WRITE && !strobes[b] ? 8'b0 : data[8 * b +: 8];
    endfunction

    // ---- a cycle ----
    logic resting = 0;  // no more work comes
    // What the outside gives, from what it knew at the beginning.
    task automatic inputs();
        automatic int first = $urandom_range(CHANNELS - 1);
        if (one_in(300)) mood = $urandom_range(2);
        if (!write && !read) begin
            if (host_programs_pkg::accesses.size() == 0 && !resting && one_in(3)) begin
                if (host_tasks_pkg::lost) host_programs_pkg::stop(int'(host_tasks_pkg::now.channel));
                else host_programs_pkg::think(wild());
            end
            if (host_programs_pkg::accesses.size() != 0 && one_in(2)) begin
                automatic host_programs_pkg::access_t next = host_programs_pkg::accesses.pop_front();
                write = next.write;
                read = !next.write;
                reg_addr = next.addr;
                reg_data = next.data;
            end
        end
        access_ready = mood == 0 || !one_in(mood + 1);
        launch_ready = host_tasks_pkg::queue.size() < launches_most && !one_in(8);
        answer = 0;
        for (int i = 0; i < CHANNELS; i++) begin
            automatic int c = (first + i) % CHANNELS;
            if (under_way[c] && wait_cycles[c] == 0 && !fails[c] && !answer) begin
                answer = 1;
                answer_channel = 8'(c);
                answer_fault = faults_of[c];
                answer_data = data_of[c];
                under_way[c] = 0;
            end else if (under_way[c] && wait_cycles[c] != 0) wait_cycles[c]--;
        end
        snooped = snoop;
        snooped_addr = snoop_addr;
        snoop = 0;
        for (int c = 0; c < CHANNELS; c++) begin
            idle[c] = host_tasks_pkg::outstanding[c] == 0;
            tasks[c] = 24'(host_tasks_pkg::outstanding[c]);
            host_tasks_pkg::space_base[c] = space_base[c];
            host_tasks_pkg::space_size[c] = space_size[c];
        end
    endtask

    function automatic logic wild();
        return cycle > 2000;
    endfunction

    // Stops all channels and waits until nothing is under way: then everything must have been told.
    task automatic come_to_rest();
        automatic longint limit = cycle + 20000;
        automatic int quiet = 0;
        resting = 1;
        host_programs_pkg::accesses.delete();
        for (int c = 0; c < CHANNELS; c++) host_programs_pkg::write(host_programs_pkg::block_register(c, `CHANNEL_CONTROL), 8);
        while (quiet < 200) begin
            one();
            quiet = host_programs_pkg::accesses.size() == 0 && idle == '1 ? quiet + 1 : 0;
            if (cycle == limit) fail("it does not come to rest");
        end
        if (tandem_kit_told(model) != 0) fail(tandem_kit_message(model));
    endtask

    // The events of each kind, of all channels.
    task automatic tell_deeds();
        for (int c = 0; c < CHANNELS; c++) if (deeds[c].begun)
            tell(TRACE_GP_ENTRY, trace_gp_entry(8'(c), deeds[c].begun_get, deeds[c].entry0, deeds[c].entry1));
        for (int c = 0; c < CHANNELS; c++) if (deeds[c].method) begin
            tell(TRACE_METHOD, trace_method(8'(c), deeds[c].subchannel, deeds[c].address, deeds[c].data));
            methods++;
        end
        for (int c = 0; c < CHANNELS; c++) if (deeds[c].tried) begin
            tell(TRACE_SEMAPHORE, trace_semaphore(8'(c), deeds[c].operation, deeds[c].place, deeds[c].payload, deeds[c].value, deeds[c].success,
                                                  deeds[c].stamp));
            if (deeds[c].success) semaphores++;
            else waits++;
        end
        for (int c = 0; c < CHANNELS; c++) if (deeds[c].moved) tell(TRACE_GP_GET, trace_gp_get(8'(c), deeds[c].moved_to));
        for (int c = 0; c < CHANNELS; c++) if (deeds[c].fault) begin
            tell(TRACE_FAULT, trace_fault(8'(c), deeds[c].code, deeds[c].info, deeds[c].pc));
            faults++;
        end
        if (raised != 0) tell(TRACE_INTERRUPT, trace_interrupt(raised));
    endtask

    task automatic one();
        logic taken;
        host_tasks_pkg::launch_t waiting;
        inputs();
        #1;
        if (write && write_ready) tell(TRACE_REG_WRITE, trace_reg_write(reg_addr, reg_data));
        if (read) tell(TRACE_REG_READ, trace_reg_read(reg_addr, read_data));
        host_tasks_pkg::early(halted);
        serve();
        tell_errors();
        host_tasks_pkg::middle();
        host_tasks_pkg::late(halted);
        broken = host_tasks_pkg::broken;
        broken_channel = host_tasks_pkg::broken_channel;
        broken_code = host_tasks_pkg::broken_code;
        broken_info = host_tasks_pkg::broken_info;
        broken_pc = host_tasks_pkg::broken_pc;
        tell_deeds();
        if (launch.valid && launch_ready) begin
            waiting = '{launch_channel, launch.tmd, launch.region, launch.local_base};
            host_tasks_pkg::queue.push_back(waiting);
            host_tasks_pkg::outstanding[launch_channel]++;
            launches++;
        end
        if (read) host_programs_pkg::seen(reg_addr, read_data);
        #1;
        taken = write_ready;
        clk = 1;
        #1;
        clk = 0;
        if (taken) write = 0;
        read = 0;
        broken = 0;
        #1;
        if (tandem_kit_interrupt(model) != int'(irq)) fail("the interrupt line");
        if (cycle % 64 == 0) if (tandem_kit_cycle(model, cycle) != 0) fail(tandem_kit_message(model));
        cycle++;
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 200000;
        if (!$value$plusargs("defect=%d", defect)) defect = 0;
        $display("seed %0d", seed);
        void'($urandom(seed));
        if (!$value$plusargs("configuration=%s", configuration)) configuration = "small";
        model = tandem_kit_device(configuration, MEBIBYTES, 1);
        if (model == null) $fatal(1, "no device of the configuration %s", configuration);
        ask_configuration();
        for (int w = 0; w < WORDS; w++) memory[w] = 0;
        host_programs_pkg::write_tasks();
        #1 clk = 1;
        #1 clk = 0;
        rst = 0;
        while (cycle < longint'(cycles)) one();
        come_to_rest();
        if ($test$plusargs("spoil")) memory[WORDS / 2] ^= 32'h100;
        compare_memory();
        $display("PASS %0d cycles, %0d methods, %0d semaphore operations, %0d waits, %0d launches, %0d ends, %0d faults, %0d bus errors, %0d resets",
                 cycles, methods, semaphores, waits, launches, ends, faults, bus_errors, resets);
        tandem_kit_device_end(model);
        $finish;
    end
endmodule
