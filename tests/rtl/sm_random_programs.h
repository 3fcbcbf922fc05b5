// Random programs of sm_bench: every built instruction, divergence nested and not, accesses of all spaces that race and
// that fail, shared rows, children, traps, words that mean nothing. What must come out is the model's business. They end
// by construction, but for those with wild words, which the bench stops.
#ifndef TANDEM_TESTS_RTL_SM_RANDOM_PROGRAMS_H
#define TANDEM_TESTS_RTL_SM_RANDOM_PROGRAMS_H

// A task's own memory: its program, constant buffers, a window that threads share, local memory.
static const uint32_t AREAS = 0x10000, AREA_BYTES = 0x18000, AREA_BANKS = 0x3000, AREA_WINDOW = 0x4000,
                      AREA_LOCAL = 0x6000, WINDOW_MASK = 0xFFF;
static const unsigned DEPTH_MAX = 4, FUNCTIONS = 2, LOOP_PREDICATE = 6;
// r0: 4 * number of the thread in its CTA, r1: the window, r2, r3: addresses; then data, loop counters by depth, a link.
static const unsigned THREAD = 0, WINDOW = 1, ADDRESS = 2, OTHER = 3;

enum statement {
    LANE_OP,
    MEMORY_OP,
    CHOICE,
    LOOP,
    SEQUENCE,
    SVLOOP,
    CALL,
    SCALAR,
    YIELDS,
    BARS,
    LEAVES,
    ORDERS,
    CHILDREN,
    TRAPS,
    PILES,
    JUMPS,
    WILD,
    STATEMENTS
};

struct maker {
    world &w;
    program p;
    uint32_t start;             // index of the program's first instruction in its region
    unsigned first, pool;       // data registers
    unsigned counters, link;    // loop counters by depth, return addresses
    unsigned privates, shares;  // registers that portions share, behind all others
    uint32_t shared_mask, local_mask, bank_mask;
    unsigned weights[STATEMENTS];
    bool sequence, function;
    unsigned statements;
    bool long_jump;  // a token for it stands
    std::vector<size_t> calls[FUNCTIONS], traps;
};

static uint32_t pick(maker &m, uint32_t n) {
    return bench_below(m.w.bench, n);
}
static bool chance(maker &m, uint32_t part, uint32_t whole) {
    return pick(m, whole) < part;
}
static uint32_t number(maker &m) {
    static const uint32_t corners[] = {0,          1,          2,          31,         32,         0x7FFFFFFF,
                                       0x80000000, 0xFFFFFFFF, 0xFF,       0x10000,    0x3F800000, 0xBF000000,
                                       0x4B7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x00800000, 0x00000420};
    return chance(m, 1, 2) ? corners[pick(m, 18)] : (uint32_t)bench_random(m.w.bench);
}
static unsigned data(maker &m) {
    if (m.sequence && m.shares != 0 && chance(m, 1, 3)) return m.privates + pick(m, m.shares);
    return m.first + pick(m, m.pool);
}
static unsigned any(maker &m) {
    return chance(m, 1, 16) ? RZ : chance(m, 1, 8) ? pick(m, 4) : data(m);
}
static void emit(maker &m, uint64_t word, bool may_guard = true) {
    if (may_guard && chance(m, 3, 10)) word = guarded(word, pick(m, 6), chance(m, 1, 2));
    m.p.push_back(word);
}
// A branch whose label comes: label() puts it here.
static size_t to_label(maker &m, uint64_t word) {
    m.p.push_back(word);
    return m.p.size() - 1;
}
static void label(maker &m, size_t at) {
    const unsigned format = isa_table[isa_opcode(m.p[at])].format;
    const bool absolute = format == FORMAT_ABS || isa_opcode(m.p[at]) == OP_JCAL;
    const uint32_t here = (uint32_t)m.p.size();
    m.p[at] = (m.p[at] & 0xFFFFFFFFu) | (uint64_t)(absolute ? m.start + here : here - (uint32_t)at - 1) << 32;
}
static uint32_t back_to(const maker &m, size_t target) {
    return (uint32_t)(target - m.p.size() - 1);
}

static bool is_lane_format(unsigned format) {
    switch (format) {
        case FORMAT_B:
        case FORMAT_B2:
        case FORMAT_R3:
        case FORMAT_R3S:
        case FORMAT_CMP:
        case FORMAT_SELP:
        case FORMAT_CARRY:
        case FORMAT_FCMP:
        case FORMAT_CVT:
        case FORMAT_RND:
        case FORMAT_PLOP:
        case FORMAT_RP:
        case FORMAT_SR: return true;
        default: return false;
    }
}

static void lane_operation(maker &m) {
    unsigned op;
    do
        op = chance(m, 1, 12) ? OP_P2R : pick(m, 256);
    while (op != OP_P2R && (!isa_table[op].built || !is_lane_format(isa_table[op].format)));
    unsigned rd = chance(m, 1, 40) ? RZ : data(m), ra = any(m), mod = pick(m, 16);
    uint32_t imm = number(m);
    const unsigned pd = chance(m, 1, 30) ? PT : pick(m, 6);
    switch (isa_table[op].format) {
        case FORMAT_CMP:
            rd = pd;
            mod = pick(m, 6) + (chance(m, 1, 2) ? 8 : 0);
            if (mod == 8 || mod == 9) mod = 10;
            break;
        case FORMAT_FCMP: rd = pd; break;
        case FORMAT_CARRY: mod = pd; break;
        case FORMAT_CVT: mod &= 7; break;
        case FORMAT_RND: mod &= 3; break;
        case FORMAT_PLOP:
            rd = pd, mod = pick(m, 3);
            emit(m, isa_encode_reg(op, PT, false, rd, pick(m, 16), mod, pick(m, 16), 0, 0));
            return;
        case FORMAT_RP: imm &= 0x3F; break;
        case FORMAT_SR: imm = pick(m, SR_CLOCK_HI + 1); break;
        default: break;
    }
    if (isa_table[op].immediate)
        emit(m, isa_encode_imm(op, PT, false, rd, ra, mod, imm));
    else
        emit(m, isa_encode_reg(op, PT, false, rd, ra, mod, any(m), any(m), (int32_t)number(m)));
}

static void memory_operation(maker &m) {
    static const uint32_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
    const bool wide = !chance(m, 1, 3);
    unsigned size = wide ? pick(m, 7) : (unsigned)SIZE_32;
    const unsigned space = pick(m, 12);  // global 0 to 5, constant 6, shared 7 and 8, local 9, generic 10 and 11
    if (space >= 9) size %= 5;
    const bool atomic = chance(m, 1, 4) && space != 6 && space != 9, store = !atomic && space != 6 && chance(m, 1, 2);
    if (atomic) size = SIZE_32;
    const uint32_t align = bytes[size], registers = align > 4 ? align / 4 : 1;
    unsigned rd = registers == 1 ? data(m) : (m.first + registers - 1) / registers * registers;
    if (registers > 1) rd += pick(m, (m.first + m.pool - rd) / registers) * registers;
    if (chance(m, 1, 12)) rd = RZ;
    // Where: anywhere, in few lines, or side by side.
    const uint32_t mask = (space < 6    ? chance(m, 1, 3) ? 0x3Fu : WINDOW_MASK
                           : space == 6 ? m.bank_mask
                           : space < 9  ? m.shared_mask
                           : space == 9 ? m.local_mask
                                        : 0x7Fu) &
                          ~(align - 1);
    if (chance(m, 1, 3)) {
        emit(m, im(OP_IMUL_I, ADDRESS, THREAD, chance(m, 1, 2) ? 1 : align > 4 ? align / 4 : 1), false);
        emit(m, im(OP_AND_I, ADDRESS, ADDRESS, mask), false);
    } else {
        emit(m, im(OP_AND_I, ADDRESS, any(m), mask), false);
    }
    uint32_t offset = space == 6 ? 0 : align * pick(m, 4);
    if (space == 7 || space == 8) offset = 0;
    if (space == 9) offset = 0;
    if (space < 6) emit(m, r3(OP_IADD, ADDRESS, ADDRESS, WINDOW), false);
    if (space >= 10) {  // each thread in one of three memories
        const unsigned q = pick(m, 6);
        offset = 0;
        emit(m, r3(OP_IADD, OTHER, ADDRESS, WINDOW), false);
        m.p.push_back(guarded(im(OP_IADD_I, OTHER, ADDRESS, (uint32_t)WINDOW_SHARED << 24), q, false));
        if (m.shared_mask < 0x7F)
            m.p.push_back(guarded(im(OP_AND_I, OTHER, OTHER, 0xFF000000u | (m.shared_mask & ~(align - 1))), q, false));
        const unsigned l = pick(m, 6);
        m.p.push_back(guarded(im(OP_AND_I, ADDRESS, ADDRESS, m.local_mask & ~(align - 1)), l, false));
        m.p.push_back(guarded(im(OP_IADD_I, OTHER, ADDRESS, (uint32_t)WINDOW_LOCAL << 24), l, false));
        emit(m, r3(OP_MOV, ADDRESS, 0, OTHER), false);
    }
    if (chance(m, 1, 400)) offset += chance(m, 1, 2) ? 1 : number(m);
    if (atomic) {
        const unsigned op = space < 6 ? OP_ATOMG : space < 9 ? OP_ATOMS : OP_ATOM;
        emit(m, isa_encode_reg(op, PT, false, rd, ADDRESS, pick(m, ATOM_SUB + 1), any(m), any(m), (int32_t)offset));
        return;
    }
    if (space == 6) {
        const uint32_t bank = chance(m, 1, 200) ? 15 : pick(m, CONST_BANKS);
        emit(m, isa_encode_imm(OP_LDC, PT, false, rd, ADDRESS, size, bank << 16 | (offset & 0xFFFF)));
        return;
    }
    static const unsigned loads[] = {OP_LDG, OP_LDS, OP_LDL, OP_LD}, stores[] = {OP_STG, OP_STS, OP_STL, OP_ST};
    const unsigned which = space < 6 ? 0 : space < 9 ? 1 : space == 9 ? 2 : 3;
    emit(m, im(store ? stores[which] : loads[which], rd, ADDRESS, offset, size));
}

static void block(maker &m, unsigned depth, unsigned most);

static unsigned branch(maker &m) {
    return chance(m, 1, 4) ? OP_JMP : OP_BRA;
}
static unsigned branch_kind(maker &m, unsigned op) {
    return op == OP_BRA ? pick(m, 3) : 0;
}

static void choice(maker &m, unsigned depth) {
    const bool tokens = chance(m, 5, 6);
    const size_t ssy = tokens ? to_label(m, im(OP_SSY, 0, 0, 0)) : 0;
    const unsigned op = branch(m);
    const size_t other = to_label(m, guarded(im(op, 0, 0, 0, branch_kind(m, op)), pick(m, 6), chance(m, 1, 2)));
    block(m, depth + 1, 4);
    const size_t first = to_label(m, im(tokens ? OP_SYNC : OP_BRA, 0, 0, 0));
    label(m, other);
    if (tokens && chance(m, 1, 3)) m.p.push_back(guarded(im(OP_SYNC, 0, 0, 3), pick(m, 6), false));
    block(m, depth + 1, 4);
    const size_t second = to_label(m, im(tokens ? OP_SYNC : OP_BRA, 0, 0, 0));
    if (tokens) label(m, ssy);
    label(m, first);
    label(m, second);
}

static void repeat(maker &m, unsigned depth) {
    const unsigned counter = m.counters + depth;
    const bool breaks = chance(m, 2, 3), continues = breaks && chance(m, 1, 3);
    emit(m, im(OP_AND_I, counter, any(m), chance(m, 1, 2) ? 1 : 3), false);
    const size_t pbrk = breaks ? to_label(m, im(OP_PBRK, 0, 0, 0)) : 0;
    const size_t top = m.p.size();
    const size_t pcont = continues ? to_label(m, im(OP_PCONT, 0, 0, 0)) : 0;
    block(m, depth + 1, 4);
    if (breaks) m.p.push_back(guarded(im(OP_BRK, 0, 0, 0), pick(m, 6), chance(m, 1, 2)));
    if (continues) {
        m.p.push_back(guarded(im(OP_CONT, 0, 0, 0), pick(m, 6), chance(m, 1, 2)));
        block(m, depth + 1, 2);
        const size_t all = to_label(m, im(OP_CONT, 0, 0, 0));
        label(m, all);
        label(m, pcont);
    }
    emit(m, im(OP_ISUB_I, counter, counter, 1), false);
    emit(m, im(OP_ISETP_I, LOOP_PREDICATE, counter, 0, CMP_GE), false);
    const unsigned kind = pick(m, 3);
    m.p.push_back(guarded(im(OP_BRA, 0, 0, back_to(m, top), kind), LOOP_PREDICATE, false));
    if (breaks) {
        const size_t out = to_label(m, im(OP_BRK, 0, 0, 0));
        label(m, out);
        label(m, pbrk);
    }
}

// Reads that are so many that the windows of a watched sequence end: lines far apart, or few of them.
static void reads(maker &m, unsigned depth) {
    const unsigned counter = m.counters + depth;
    const uint32_t stride = 4u << pick(m, 6);
    m.p.push_back(im(OP_MOV_I, counter, 0, 6 + pick(m, 20)));
    const size_t top = m.p.size();
    m.p.push_back(im(OP_IMUL_I, ADDRESS, THREAD, stride / 4));
    m.p.push_back(im(OP_IMUL_I, OTHER, counter, chance(m, 1, 2) ? 32 : stride));
    m.p.push_back(r3(OP_IADD, ADDRESS, ADDRESS, OTHER));
    m.p.push_back(im(OP_AND_I, ADDRESS, ADDRESS, WINDOW_MASK & ~3u));
    m.p.push_back(r3(OP_IADD, ADDRESS, ADDRESS, WINDOW));
    emit(m, im(OP_LDG, data(m), ADDRESS, 0, SIZE_32));
    m.p.push_back(im(OP_ISUB_I, counter, counter, 1));
    m.p.push_back(im(OP_ISETP_I, LOOP_PREDICATE, counter, 0, CMP_GT));
    m.p.push_back(
        guarded(im(OP_BRA, 0, 0, back_to(m, top), chance(m, 1, 8) ? BRA_PLAIN : BRA_TURN), LOOP_PREDICATE, false));
}

static void sequence(maker &m, unsigned depth) {
    const size_t begin = to_label(m, im(OP_SVSTART, 0, 0, 0, pick(m, 3) == 0 ? SV_ALWAYS : SV_AUTO));
    m.sequence = true;
    if (chance(m, 1, 3)) reads(m, depth);
    block(m, depth + 1, 5);
    m.sequence = false;
    m.p.push_back(im(OP_SVEND, 0, 0, 0));
    label(m, begin);
}

static void software_loop(maker &m) {
    const size_t begin = to_label(m, im(OP_SVLOOP_BEGIN, 0, 0, 0));
    const size_t first = m.p.size();
    for (unsigned i = 1 + pick(m, 4); i > 0; i--)
        (void)(chance(m, 1, 4) ? memory_operation(m) : lane_operation(m));
    m.p.push_back(im(OP_SVLOOP_END, 0, 0, back_to(m, first)));
    label(m, begin);
}

static void call(maker &m) {
    const unsigned f = pick(m, FUNCTIONS);
    switch (pick(m, 3)) {
        case 0: m.calls[f].push_back(to_label(m, im(OP_CAL, m.link, 0, 0))); break;
        case 1: m.calls[f].push_back(to_label(m, im(OP_JCAL, m.link, 0, 0))); break;
        default:  // by register: threads enter the function at its first or second instruction
            m.p.push_back(im(OP_AND_I, ADDRESS, any(m), 1));
            m.calls[f].push_back(to_label(m, im(OP_JCALX, m.link, ADDRESS, 0)));
            break;
    }
}

// Threads go to one of the next instructions, by register.
static void jump(maker &m) {
    m.p.push_back(im(OP_AND_I, ADDRESS, any(m), 3));
    switch (pick(m, 3)) {
        case 0: emit(m, im(OP_BRX, 0, ADDRESS, 0)); break;
        case 1: emit(m, im(OP_JMX, 0, ADDRESS, m.start + (uint32_t)m.p.size() + 1)); break;
        default:  // likewise, if nobody has a call token
            emit(m, im(OP_IADD_I, ADDRESS, ADDRESS, m.start + (uint32_t)m.p.size() + 2), false);
            if (chance(m, 1, 8)) emit(m, im(OP_RET, 0, ADDRESS, 0));
            break;
    }
    for (unsigned i = 0; i < 4; i++)
        lane_operation(m);
}

static void scalar(maker &m) {
    const unsigned s = 1 + pick(m, 15), from = chance(m, 1, 3) ? 254 + pick(m, 2) : pick(m, 16);
    switch (pick(m, 6)) {
        case 0: emit(m, im(OP_SMOV_I, s, 0, number(m))); break;
        case 1: emit(m, isa_encode_reg(OP_SMOV, PT, false, s, 0, 0, from, 0, 0)); break;
        case 2: emit(m, r3(OP_R2S, s, any(m), 0)); break;
        case 3: emit(m, r3(OP_VOTE, s & 14, 0, 0)); break;
        case 4: emit(m, r3(OP_SRD, data(m), 0, from)); break;
        default:  // threads go and come
            if (chance(m, 1, 4)) {
                emit(m, r3(OP_VOTE, 2, 0, 0));
                m.p.push_back(isa_encode_reg(OP_SMOV, PT, false, 254 + pick(m, 2), 0, 0, pick(m, 16), 0, 0));
                lane_operation(m);
                m.p.push_back(im(OP_SMOV_I, 254, 0, 0xFFFFFFFF));
                m.p.push_back(im(OP_SMOV_I, 255, 0, 0xFFFFFFFF));
            }
            break;
    }
}

// Many tokens, so that the deque comes to its bound, or has some in memory.
static void pile(maker &m, unsigned depth) {
    const unsigned counter = m.counters + depth;
    emit(m, im(OP_MOV_I, counter, 0, 1 + pick(m, chance(m, 1, 3) ? 3 * DEQUE_ENTRIES : 12)), false);
    const size_t top = m.p.size();
    static const unsigned push[] = {OP_SSY, OP_PBRK, OP_PCONT, OP_PEXIT, OP_PLONGJMP};
    m.p.push_back(im(push[pick(m, 5)], 0, 0, pick(m, 3)));
    if (chance(m, 1, 3)) m.p.push_back(im(OP_YIELD, 0, 0, 0, YIELD_ALWAYS));
    emit(m, im(OP_ISUB_I, counter, counter, 1), false);
    emit(m, im(OP_ISETP_I, LOOP_PREDICATE, counter, 0, CMP_GT), false);
    m.p.push_back(guarded(im(OP_BRA, 0, 0, back_to(m, top)), LOOP_PREDICATE, false));
}

static void wild(maker &m) {
    unsigned op;
    do
        op = pick(m, 256);
    while (!isa_table[op].built && !chance(m, 1, 2000));
    const unsigned rd = chance(m, 1, 30) ? pick(m, 256) : data(m);
    uint64_t word =
        isa_table[op].immediate
            ? im(op, rd, any(m), chance(m, 3, 4) ? pick(m, 12) : number(m), chance(m, 1, 2) ? 0 : pick(m, 16))
            : isa_encode_reg(op, PT, false, rd, any(m), chance(m, 1, 2) ? 0 : pick(m, 16), any(m), any(m),
                             (int32_t)pick(m, 64));
    if (isa_table[op].format == FORMAT_SS) word = (word & ~UINT64_C(0xFF000)) | (uint64_t)pick(m, 16) << 12;
    emit(m, word);
}

static void statement(maker &m, unsigned depth) {
    unsigned sum = 0, kind = 0;
    for (const unsigned w : m.weights)
        sum += w;
    for (unsigned left = pick(m, sum); left >= m.weights[kind]; kind++)
        left -= m.weights[kind];
    const bool deep = depth >= DEPTH_MAX || m.statements > 120;
    m.statements++;
    switch (kind) {
        case MEMORY_OP: memory_operation(m); return;
        case CHOICE:
            if (!deep) return choice(m, depth);
            break;
        case LOOP:
            if (!deep && !m.function) return repeat(m, depth);
            break;
        case SEQUENCE:
            if (!deep && !m.sequence && !m.function) return sequence(m, depth);
            break;
        case SVLOOP:
            if (!m.sequence) return software_loop(m);
            break;
        case CALL:
            if (!m.function) return call(m);
            break;
        case SCALAR: return scalar(m);
        case YIELDS: {
            const unsigned mode = pick(m, 3);
            return emit(
                m, im(OP_YIELD, 0, 0,
                      mode == YIELD_NTH ? (chance(m, 1, 4) ? 250 + pick(m, 10) : 1 + pick(m, 4)) : pick(m, 0x10001),
                      mode));
        }
        case BARS:
            if (depth == 0) m.p.push_back(im(OP_BAR, 0, 0, 0));
            return;
        case LEAVES:
            if (m.long_jump && chance(m, 1, 2))
                return emit(m, guarded(im(OP_LONGJMP, 0, 0, 0), pick(m, 6), false), false);
            return emit(m, guarded(im(OP_EXIT, 0, 0, 0), pick(m, 6), chance(m, 1, 2)), false);
        case ORDERS: return emit(m, im(chance(m, 1, 2) ? OP_MEMBAR : OP_NOP, 0, 0, 0));
        case CHILDREN: return emit(m, r3(OP_LAUNCH, 0, any(m), 0, 0, pick(m, 2)));
        case TRAPS:
            if (!m.function) m.traps.push_back(to_label(m, im(OP_TRAP, 0, 0, 0)));
            return;
        case PILES:
            if (!deep && !m.function) return pile(m, depth);
            break;
        case JUMPS: return jump(m);
        case WILD: return wild(m);
        default: break;
    }
    lane_operation(m);
}

static void block(maker &m, unsigned depth, unsigned most) {
    for (unsigned i = 1 + pick(m, most); i > 0; i--)
        statement(m, depth);
}

// What a trap may do, in no sensible order, and back.
static void handler(maker &m, bool gentle) {
    static const unsigned named[] = {SCALAR_TPC, SCALAR_TOKEN, SCALAR_TOKEN_LO, SCALAR_TOKEN_HI};
    for (unsigned i = pick(m, 10); i > 0; i--) {
        switch (pick(m, gentle ? 4 : 8)) {
            case 0: emit(m, r3(OP_SRD, data(m), 0, named[pick(m, 4)])); break;
            case 1: emit(m, r3(OP_SRD, data(m), 0, SCALAR_REASON0_LO + pick(m, 8))); break;
            case 2: lane_operation(m); break;
            case 3: memory_operation(m); break;
            case 4: m.p.push_back(im(OP_TPOP, 0, 0, 0)); break;
            case 5: emit(m, im(OP_TPUSH, 0, 0, 0, pick(m, 13))); break;
            case 6: emit(m, im(OP_TREASON, 0, 0, 0, pick(m, 13))); break;
            default:
                m.p.push_back(im(OP_MOV_I, ADDRESS, 0, m.start + pick(m, (uint32_t)m.p.size())));
                if (chance(m, 1, 3)) emit(m, r3(OP_R2S, SCALAR_TPC, ADDRESS, 0));
                break;
        }
    }
    m.p.push_back(im(OP_TRET, 0, 0, 0));
}

// What a warp does that is stopped, or comes back with nothing but zeros: at the first place of the region.
static std::vector<uint64_t> request_handler(maker &m) {
    static const unsigned words[] = {SCALAR_CTA_RECORD, SCALAR_CTA_X, SCALAR_CTA_YZ};
    std::vector<uint64_t> behind;
    std::swap(m.p, behind);
    const uint32_t start = m.start;
    m.start = 0;
    for (unsigned i = pick(m, 3); i > 0; i--)
        emit(m, r3(OP_SRD, data(m), 0, chance(m, 1, 2) ? SCALAR_REASON0_LO + pick(m, 8) : words[pick(m, 3)]));
    m.p.push_back(r3(OP_SRD, ADDRESS, 0, SCALAR_TPC));
    m.p.push_back(im(OP_ISETP_I, LOOP_PREDICATE, ADDRESS, start, CMP_ULT));
    const size_t back = to_label(m, guarded(im(OP_BRA, 0, 0, 0), LOOP_PREDICATE, false));
    for (unsigned i = pick(m, 3); i > 0; i--)
        m.p.push_back(im(chance(m, 1, 2) ? OP_TPOP : OP_MEMBAR, 0, 0, 0));
    emit(m, r3(OP_SRD, data(m), 0, SCALAR_CTA_ALIVE));
    static const unsigned ends[] = {OP_TLEAVE, OP_TLEAVE, OP_TLEAVE, OP_TEXIT, OP_TRET, OP_TFAIL};
    m.p.push_back(im(ends[pick(m, chance(m, 1, 3) ? 6 : 3)], 0, 0, 0));
    label(m, back);
    for (unsigned i = pick(m, 4); i > 0; i--)
        emit(m, r3(OP_R2S, words[pick(m, 3)], data(m), 0));
    if (chance(m, 1, 8)) m.p.push_back(im(OP_TLEAVE, 0, 0, 0));
    m.p.push_back(im(OP_MOV_I, ADDRESS, 0, chance(m, 3, 4) ? start : start + pick(m, (uint32_t)behind.size())));
    m.p.push_back(r3(OP_R2S, SCALAR_TPC, ADDRESS, 0));
    if (chance(m, 1, 4)) emit(m, im(OP_TREASON, 0, 0, 0, pick(m, 13)));
    m.p.push_back(im(OP_TRET, 0, 0, 0));
    m.start = start;
    std::swap(m.p, behind);
    return behind;
}

// What calls and traps go to.
static void make_functions(maker &m, bool gentle) {
    m.function = true;
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        for (const size_t at : m.calls[f])
            label(m, at);
        lane_operation(m);
        block(m, 1, 3);
        m.p.push_back(guarded(im(OP_RET, 0, m.link, 0), pick(m, 6), chance(m, 1, 2)));
        block(m, 2, 3);
        m.p.push_back(im(OP_RET, 0, m.link, 0));
    }
    for (const size_t at : m.traps)
        label(m, at);
    handler(m, gentle);
}

static void make_program(maker &m, uint32_t window) {
    emit(m, im(OP_S2R, OTHER, 0, SR_TID_X), false);
    emit(m, im(OP_S2R, ADDRESS, 0, SR_TID_Y), false);
    emit(m, im(OP_S2R, THREAD, 0, SR_NTID_X), false);
    emit(m, r3(OP_IMAD, THREAD, THREAD, ADDRESS, OTHER), false);
    emit(m, im(OP_SHL_I, THREAD, THREAD, 2), false);
    emit(m, im(OP_MOV_I, WINDOW, 0, window), false);
    for (unsigned r = 0; r < m.pool; r++) {
        if (chance(m, 1, 4)) continue;
        emit(m, im(OP_IMUL_I, m.first + r, THREAD, number(m)), false);
        if (chance(m, 1, 2)) emit(m, im(OP_XOR_I, m.first + r, m.first + r, number(m)), false);
    }
    emit(m, im(OP_R2P, 0, m.first, 0x3F), false);
    block(m, 0, 12);
    const size_t plong = chance(m, 1, 4) ? to_label(m, im(OP_PLONGJMP, 0, 0, 0)) : 0;
    m.long_jump = plong != 0;
    block(m, 0, 8);
    if (plong != 0) {
        m.p.push_back(im(OP_LONGJMP, 0, 0, 0));
        label(m, plong);
        m.long_jump = false;
        block(m, 0, 4);
    }
    if (!chance(m, 1, 20)) m.p.push_back(im(OP_EXIT, 0, 0, 0));
    make_functions(m, chance(m, 3, 4));
}

// Each warp in a loop of its own that does not end, of one kind of statement: whoever wants what others want all the time gets it
// now and then. The bench stops them.
static void make_loops(maker &m, uint32_t window, unsigned warps) {
    static const enum statement kinds[] = {LANE_OP, LANE_OP, MEMORY_OP, MEMORY_OP, MEMORY_OP, CHOICE, SCALAR,
                                           YIELDS,  ORDERS,  CHILDREN,  TRAPS,     SEQUENCE,  SVLOOP, CALL};
    emit(m, im(OP_S2R, THREAD, 0, SR_LANEID), false);
    emit(m, im(OP_SHL_I, THREAD, THREAD, 2), false);
    emit(m, im(OP_MOV_I, WINDOW, 0, window), false);
    emit(m, im(OP_S2R, OTHER, 0, SR_WARPID), false);
    emit(m, im(OP_R2P, 0, THREAD, 0x1F), false);
    const unsigned same = chance(m, 1, 3) ? pick(m, sizeof kinds / sizeof kinds[0]) : STATEMENTS;
    for (unsigned i = 0; i < warps; i++) {
        emit(m, im(OP_ISETP_I, LOOP_PREDICATE, OTHER, i, CMP_NE), false);
        const size_t others = to_label(m, guarded(im(OP_BRA, 0, 0, 0), LOOP_PREDICATE, false));
        memset(m.weights, 0, sizeof m.weights);
        m.weights[kinds[same < STATEMENTS ? same : pick(m, sizeof kinds / sizeof kinds[0])]] = 8;
        m.weights[LANE_OP] += 1;
        const size_t top = m.p.size();
        for (unsigned n = 1 + pick(m, 4); n > 0; n--)
            statement(m, DEPTH_MAX - 1);
        m.p.push_back(im(OP_BRA, 0, 0, back_to(m, top)));
        label(m, others);
    }
    m.p.push_back(im(OP_EXIT, 0, 0, 0));
    make_functions(m, true);
}

#endif
