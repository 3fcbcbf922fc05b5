// The memory behind task_unit_bench's unit: performs requests in order some time after they came, and answers in order
// some time after that.
#ifndef TANDEM_TESTS_RTL_TASK_UNIT_MEMORY_H
#define TANDEM_TESTS_RTL_TASK_UNIT_MEMORY_H

static void perform_access(struct test *t, struct memory_access *a) {
    struct trace_event e;
    memset(&e, 0, sizeof e);
    e.kind = TRACE_PERFORM;
    e.perform.port = MEM_PORT_TASK;
    e.perform.op = a->op;
    e.perform.channel = a->channel;
    e.perform.addr = a->addr;
    e.perform.wstrb = a->wstrb;
    for (uint32_t i = 0; i < 32; i++) {
        if (a->op == MEM_ATOMIC ? i < 8 : a->op == MEM_WRITE && (a->wstrb >> i & 1)) e.perform.wdata[i] = a->wdata[i];
    }
    a->fault = a->addr >= SPACE_BYTES ? 1 : 0;
    e.perform.fault = a->fault;
    a->performed = true;
    if (a->fault == 0) {
        uint8_t *line = t->memory + a->channel * SPACE_BYTES + a->addr;
        if (a->op == MEM_READ) memcpy(a->data, line, 32);
        for (uint32_t i = 0; a->op == MEM_WRITE && i < 32; i++) {
            if (a->wstrb >> i & 1) line[i] = a->wdata[i];
        }
        if (a->op == MEM_ATOMIC) {
            uint32_t old, operand;
            memcpy(&old, line, 4);
            memcpy(&operand, a->wdata, 4);
            memcpy(a->data, &old, 4);
            const uint32_t value = atomic_unit_result(a->atom, old, operand, 0);
            memcpy(line, &value, 4);
        }
    }
    follow(t, &e);
    // The second word of an end's count is its slot + 1, of a release 256 more.
    uint32_t words[2];
    memcpy(words, a->wdata, sizeof words);
    if (a->op == MEM_ATOMIC && words[1] != 0 && words[1] < 256)
        has_counted(t, words[1] - 1, a->channel, a->addr - 4 * TMD_DEPENDENCE_COUNTER_WORD);
}

static void memory_cycle(struct test *t) {
    Vtask_unit &u = t->unit;
    // Requests are performed in order, some time after they came; answered in order, some time after that.
    for (struct memory_access &a : t->accesses) {
        if (a.performed) continue;
        if (bench_chance(t->bench, 1, 3)) perform_access(t, &a);
        break;
    }
    if (!t->accesses.empty() && u.rsp_valid_i) t->accesses.pop_front();
    if (u.req_valid_o && u.req_ready_i) {
        struct memory_access a;
        memset(&a, 0, sizeof a);
        a.op = u.req_op_o;
        a.atom = u.req_atom_o;
        a.channel = static_cast<uint32_t>(get_bits(u.req_channel_o, 0, index_bits(CHANNELS)));
        a.addr = u.req_addr_o;
        a.wstrb = u.req_wstrb_o;
        a.delay = bench_below(t->bench, 12);
        memcpy(a.wdata, &u.req_wdata_o, 32);
        t->accesses.push_back(a);
    }
}

static void memory_drive(struct test *t) {
    Vtask_unit &u = t->unit;
    u.req_ready_i = bench_chance(t->bench, 3, 4);
    u.rsp_valid_i = 0;
    if (t->accesses.empty() || !t->accesses.front().performed) return;
    struct memory_access *a = &t->accesses.front();
    if (a->delay != 0) {
        a->delay--;
        return;
    }
    u.rsp_valid_i = 1;
    u.rsp_fault_i = static_cast<uint8_t>(a->fault);
    memcpy(&u.rsp_data_i, a->data, 32);
}

#endif
