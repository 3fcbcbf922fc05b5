// lane: every operation of a lane, one a cycle, RTL against the C twin, which computes floats on the host's IEEE
// hardware. First all pairs of special values (FFMA: all triples), then --ops random operations with operands of
// several distributions. In small the lane is one of those that share special units: the bench hands over their results.
#include <verilated.h>

#include "Vlane.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/lane.h"
}

static const unsigned LATENCY = 3;

struct operation {
    unsigned opcode;
    uint32_t mod, a, b, c;
};

// Zeros, ones, the ends of every range, halfway cases of rounding, NaNs with and without payload; of both signs.
static const uint32_t corners[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x003FFFFF, 0x00400000, 0x007FFFFE, 0x007FFFFF, 0x00800000,
    0x00800001, 0x00FFFFFF, 0x01000000, 0x0C000000, 0x1FFFFFFF, 0x20000000, 0x33000000, 0x33800000, 0x33800001,
    0x34000000, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000,
    0x40200000, 0x40490FDB, 0x4A800001, 0x4AFFFFFF, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF,
    0x4F000000, 0x4F000001, 0x4F7FFFFF, 0x4F800000, 0x5F000000, 0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF,
    0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FFFFFFF};
#define CORNERS (2 * sizeof corners / sizeof corners[0])

static uint32_t corner(size_t i) {
    return corners[i / 2] | (i % 2 != 0 ? 0x80000000u : 0u);
}

static const unsigned operations[] = {
    OP_FADD, OP_FMUL,   OP_FFMA,   OP_FMIN, OP_FMAX, OP_FSETP, OP_F2I,  OP_I2F,   OP_FRND, OP_FRCP, OP_FRSQ,
    OP_FEX2, OP_FLG2,   OP_FADD,   OP_FMUL, OP_FFMA, OP_FFMA,  OP_FFMA, OP_FSETP, OP_MOV,  OP_IADD, OP_ISUB,
    OP_IMUL, OP_IMULHI, OP_UMULHI, OP_AND,  OP_OR,   OP_XOR,   OP_SHL,  OP_SHR,   OP_SAR,  OP_IMIN, OP_IMAX,
    OP_UMIN, OP_UMAX,   OP_ISETP,  OP_SEL,  OP_POPC, OP_CLZ,   OP_BREV, OP_IMAD,  OP_PSETP};
#define OPERATIONS (sizeof operations / sizeof operations[0])

static const bool shared = strcmp(BENCH_CONFIG, "small") == 0;  // scripts/verilate-unit

// Does another unit do it?
static bool is_handed(unsigned opcode) {
    static const unsigned special[] = {OP_F2I,  OP_I2F,  OP_FRND, OP_FRCP, OP_FRSQ,
                                       OP_FEX2, OP_FLG2, OP_POPC, OP_CLZ,  OP_BREV};
    for (const unsigned one : special) {
        if (shared && opcode == one) return true;
    }
    return false;
}

static uint32_t mods(unsigned opcode) {
    return opcode == OP_FSETP ? 16 : opcode == OP_F2I || opcode == OP_I2F ? 8 : opcode == OP_FRND ? 4 : 1;
}

static uint32_t random_mod(struct bench *bench, unsigned opcode) {
    static const uint8_t compare[] = {CMP_EQ, CMP_NE,  CMP_LT,  CMP_LE,  CMP_GT,
                                      CMP_GE, CMP_ULT, CMP_ULE, CMP_UGT, CMP_UGE};
    if (opcode == OP_ISETP) return compare[bench_below(bench, sizeof compare)];
    if (opcode == OP_PSETP) return bench_below(bench, 3);
    return bench_below(bench, mods(opcode));
}

static uint32_t with_exponent(struct bench *bench, uint32_t low, uint32_t count) {
    uint32_t fraction = (uint32_t)bench_random(bench) & 0x7FFFFF;
    switch (bench_below(bench, 4)) {
        case 0: fraction &= 0u - (1u << bench_below(bench, 24)); break;  // few high bits: halfway cases
        case 1: fraction |= (1u << bench_below(bench, 24)) - 1; break;   // long carries
        default: break;
    }
    return (uint32_t)bench_random(bench) << 31 | ((low + bench_below(bench, count)) & 0xFF) << 23 |
           (fraction & 0x7FFFFF);
}

static uint32_t random_operand(struct bench *bench) {
    switch (bench_below(bench, 8)) {
        case 0: return corner(bench_below(bench, CORNERS));
        case 1: return (uint32_t)bench_random(bench);
        case 2: return with_exponent(bench, 0, 3);     // subnormals and just above
        case 3: return with_exponent(bench, 252, 4);   // large, infinite, NaN
        case 4: return with_exponent(bench, 120, 42);  // what conversions care about
        case 5: return with_exponent(bench, 50, 30);   // products that underflow
        case 6: return (uint32_t)bench_random(bench) >> bench_below(bench, 32);
        default: return with_exponent(bench, 124, 6);
    }
}

static struct operation random_operation(struct bench *bench) {
    struct operation o;
    o.opcode = operations[bench_below(bench, OPERATIONS)];
    o.mod = random_mod(bench, o.opcode);
    o.a = random_operand(bench);
    o.b = random_operand(bench);
    o.c = random_operand(bench);
    const uint32_t near = (uint32_t)bench_random(bench) % 5 - 2;
    switch (bench_below(bench, 6)) {
        case 0: o.b = (o.a ^ (uint32_t)bench_random(bench) << 31) + near; break;  // cancels
        case 1: o.c = (lane_execute(OP_FMUL, 0, o.a, o.b, 0) ^ 0x80000000u) + near; break;
        case 2: {  // an addend that far from the product
            const int exponent =
                (int)(o.a >> 23 & 0xFF) + (int)(o.b >> 23 & 0xFF) - 127 + (int)bench_below(bench, 120) - 60;
            if (exponent >= 0 && exponent < 255) o.c = (o.c & 0x807FFFFFu) | (uint32_t)exponent << 23;
            break;
        }
        default: break;
    }
    return o;
}

class Bench {
   public:
    explicit Bench(struct bench *bench) : bench_(bench) {
        rtl_.clk_i = 0;
        rtl_.inject_i = 0;
        rtl_.valid_i = 0;
        rtl_.eval();
        for (unsigned i = 0; i <= LATENCY; i++)
            step(NULL);
    }
    ~Bench() {
        step(NULL);
        step(NULL);
        step(NULL);
        rtl_.final();
    }

    // One cycle: an operation enters, or none; what comes out is compared.
    void step(const struct operation *o) {
        const bool own = o != NULL && !is_handed(o->opcode);
        rtl_.valid_i = own;
        const auto &second = flight_[LATENCY - 2];
        rtl_.special_valid_i = second.valid && is_handed(second.operation.opcode);
        rtl_.special_i = random_operand(bench_);
        if (rtl_.special_valid_i) rtl_.special_i = expected(second.operation);
        if (!own) {  // nothing may matter
            rtl_.op_i = bench_below(bench_, 128);
            rtl_.mod_i = bench_below(bench_, 16);
            rtl_.a_i = random_operand(bench_);
            rtl_.b_i = random_operand(bench_);
            rtl_.c_i = random_operand(bench_);
        } else {
            rtl_.op_i = o->opcode & 0x7F;
            rtl_.mod_i = o->mod;
            rtl_.a_i = o->a;
            rtl_.b_i = o->b;
            rtl_.c_i = o->c;
            rtl_.rotate_i = 0;
            rtl_.p_i = o->opcode == OP_SEL ? o->c & 1 : (o->a & 1) | (o->b & 1) << 1;
        }
        tick(rtl_);
        for (unsigned i = LATENCY - 1; i > 0; i--)
            flight_[i] = flight_[i - 1];
        flight_[0].valid = o != NULL;
        if (o != NULL) flight_[0].operation = *o;
        if (flight_[0].valid) check(flight_[0].operation, true);
        if (flight_[LATENCY - 1].valid) check(flight_[LATENCY - 1].operation, false);
    }

   private:
    static uint32_t expected(const struct operation &o) {
        return lane_execute(o.opcode, o.mod, o.a, o.b, o.c);
    }

    void check(const struct operation &o, bool predicate) {
        const bool writes_predicate = o.opcode == OP_FSETP || o.opcode == OP_ISETP || o.opcode == OP_PSETP;
        if (predicate != writes_predicate) return;
        const uint32_t want = expected(o);
        const uint32_t got = predicate ? rtl_.pred_o : rtl_.result_o;
        if (got != want) {
            bench_fail(bench_, "%s mod %u of 0x%08x, 0x%08x, 0x%08x: 0x%08x, host 0x%08x", isa_table[o.opcode].mnemonic,
                       o.mod, o.a, o.b, o.c, got, want);
        }
    }

    struct {
        bool valid;
        struct operation operation;
    } flight_[LATENCY] = {};
    struct bench *bench_;
    Vlane rtl_;
};

// Each operation alone, in a lane whose registers have come up as zeros (0) or ones (1): no other has prepared anything
// for it.
static void alone(struct bench *bench, int registers) {
    Verilated::randReset(registers);
    for (const unsigned opcode : operations) {
        Bench lane(bench);
        for (unsigned i = 0; i < 300; i++) {
            struct operation o = random_operation(bench);
            o.opcode = opcode;
            o.mod = random_mod(bench, opcode);
            lane.step(&o);
        }
    }
}

static void directed(Bench &lane) {
    for (size_t i = 0; i < CORNERS; i++) {
        for (size_t j = 0; j < CORNERS; j++) {
            for (unsigned opcode : {OP_FADD, OP_FMUL, OP_FMIN, OP_FMAX, OP_FSETP, OP_F2I, OP_I2F, OP_FRND, OP_FRCP,
                                    OP_FRSQ, OP_FEX2, OP_FLG2}) {
                for (uint32_t mod = 0; mod < mods(opcode); mod++) {
                    const struct operation o = {opcode, mod, corner(i), corner(j), 0};
                    lane.step(&o);
                }
            }
            for (size_t k = 0; k < CORNERS; k++) {
                const struct operation o = {OP_FFMA, 0, corner(i), corner(j), corner(k)};
                lane.step(&o);
            }
        }
    }
}

// A product that lies in the middle between two floats, or just beside, and an addend at every distance: where what is
// shifted out is all that tells a tie from more than a tie, one distance too few would be wrong.
static void ties(Bench &lane) {
    static const uint32_t products[][2] = {
        {0x3F800001u, 0x3FC00000u},  // 1.5 + 2^-23 + 2^-24: a tie, to the even above
        {0x3F800003u, 0x3FC00000u},  // the next tie, to the even below
        {0x3F800001u, 0x3F800001u},  // a little above a float
        {0x3FFFFFFFu, 0x3F800000u},  // a float
    };
    static const uint32_t fractions[] = {0, 1, 0x400000, 0x7FFFFF};
    for (const uint32_t *product : products) {
        for (uint32_t exponent = 127 - 110; exponent <= 127 + 110; exponent++) {
            for (const uint32_t fraction : fractions) {
                for (uint32_t signs = 0; signs < 4; signs++) {
                    const uint32_t c = (signs & 1) << 31 | exponent << 23 | fraction;
                    const struct operation o = {OP_FFMA, 0, product[0] ^ (signs & 2) << 30, product[1], c};
                    lane.step(&o);
                }
            }
        }
        // The smallest addend of all, whose only bit falls out far below such products: wherever they stand.
        for (uint32_t down = 0; down < 250; down++) {
            for (uint32_t signs = 0; signs < 4; signs++) {
                const uint32_t a = product[0] - (down / 2 << 23), b = product[1] - ((down + 1) / 2 << 23);
                const struct operation o = {OP_FFMA, 0, a ^ (signs & 2) << 30, b, (signs & 1) << 31 | 1u};
                lane.step(&o);
            }
        }
    }
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    alone(&bench, 0);
    alone(&bench, 1);
    registers_at_random(bench.seed);
    Bench lane(&bench);
    directed(lane);
    ties(lane);
    while (bench_more(&bench)) {
        const struct operation o = random_operation(&bench);
        lane.step(bench_chance(&bench, 7, 8) ? &o : NULL);
    }
    return bench_end(&bench);
}
