// Signatures: what counts, what a name is, and that they do not depend on the order among warps.
#include "sm/signature.h"

#include <criterion/criterion.h>

static const struct trace_event written = {.kind = TRACE_WB,
                                           .wb = {.warp = 1, .rd = 3, .portion = 2, .mask = 0x5, .data = {7, 8, 9}}};
static const struct trace_event issued = {.kind = TRACE_INSTR,
                                          .instr = {.warp = 0, .pc = 17, .active = 0xFF, .exec = 0x0F}};
static const struct trace_event stored = {
    .kind = TRACE_MEM_REQ,
    .mem_req = {.warp = 1, .op = REQUEST_WRITE, .addr = 0x40, .wstrb = 0xF0, .wdata = {[4] = 1}}};

static struct signature made(uint32_t kinds) {
    struct signature signature;
    signature_init(&signature, 4);
    signature_start(&signature, 0, 0x11);
    signature_start(&signature, 1, 0x22);
    signature_write(&signature, REG_SIGNATURE_KINDS, kinds);
    signature_write(&signature, REG_SIGNATURE_LIMIT, UINT32_MAX);
    return signature;
}

static const uint32_t everything = REG_SIGNATURE_KINDS_INSTR(1) | REG_SIGNATURE_KINDS_RESULT(1) |
                                   REG_SIGNATURE_KINDS_STORE(1) | REG_SIGNATURE_KINDS_PC(1) |
                                   REG_SIGNATURE_KINDS_ACTIVE(1) | REG_SIGNATURE_KINDS_EXEC(1);

Test(signature, order,
     .description = "BU-6 the order of events does not change a signature, what they are does [model]") {
    struct signature a = made(everything), b = made(everything), c = made(everything);
    const struct trace_event *events[] = {&written, &issued, &stored};
    for (int i = 0; i < 3; i++) {
        signature_event(&a, events[i]);
        signature_event(&b, events[2 - i]);
        struct trace_event other = *events[i];
        if (other.kind == TRACE_WB) other.wb.data[2]++;
        signature_event(&c, &other);
    }
    cr_expect_eq(a.sum, b.sum);
    cr_expect_neq(a.sum, c.sum);
    cr_expect_eq(UINT32_MAX - a.left, 3);
}

Test(signature, warps,
     .description = "BU-6 what two warps of other names do is told apart, where they sit is not [model]") {
    struct signature a = made(everything), b = made(everything);
    struct trace_event moved = written;
    signature_event(&a, &written);
    moved.wb.warp = 0;
    signature_event(&b, &moved);
    cr_expect_neq(a.sum, b.sum);
    b = made(everything);
    signature_start(&b, 0, 0x22);
    signature_event(&b, &moved);
    cr_expect_eq(a.sum, b.sum);
}

Test(signature, lanes, .description = "BU-6 lanes that are not written do not count [model]") {
    struct signature a = made(everything), b = made(everything);
    struct trace_event other = written;
    other.wb.data[1] = 12345;
    other.wb.data[3] = 54321;
    signature_event(&a, &written);
    signature_event(&b, &other);
    cr_expect_eq(a.sum, b.sum);
}

Test(signature, choices, .description = "BU-6 kinds, names, places and the limit choose what counts [model]") {
    struct signature signature = made(REG_SIGNATURE_KINDS_RESULT(1));
    signature_event(&signature, &issued);
    signature_event(&signature, &stored);
    cr_expect_eq(signature.left, UINT32_MAX);
    signature_write(&signature, REG_SIGNATURE_NAME, 0x11);
    signature_write(&signature, REG_SIGNATURE_NAME_MASK, UINT32_MAX);
    signature_event(&signature, &written);
    cr_expect_eq(signature.left, UINT32_MAX);
    signature_write(&signature, REG_SIGNATURE_NAME_MASK, 0xCC);
    signature_write(&signature, REG_SIGNATURE_NAME, 0);
    signature_event(&signature, &written);
    cr_expect_eq(signature.left, UINT32_MAX - 1);
    signature_write(&signature, REG_SIGNATURE_PLACE,
                    REG_SIGNATURE_PLACE_REGISTER(4) | REG_SIGNATURE_PLACE_REGISTER_MASK(0xFF));
    signature_event(&signature, &written);
    cr_expect_eq(signature.left, UINT32_MAX - 1);
    signature_write(&signature, REG_SIGNATURE_PLACE,
                    REG_SIGNATURE_PLACE_THREAD(9) | REG_SIGNATURE_PLACE_THREAD_MASK(0x3F));
    signature_event(&signature, &written);  // threads 8 and 10
    cr_expect_eq(signature.left, UINT32_MAX - 1);
    signature_write(&signature, REG_SIGNATURE_PLACE,
                    REG_SIGNATURE_PLACE_THREAD(10) | REG_SIGNATURE_PLACE_THREAD_MASK(0x3F));
    signature_event(&signature, &written);
    cr_expect_eq(signature.left, UINT32_MAX - 2);
    signature_write(&signature, REG_SIGNATURE_LIMIT, 1);
    signature_event(&signature, &written);
    const uint32_t sum = signature.sum;
    signature_event(&signature, &written);
    cr_expect_eq(signature.left, 0);
    cr_expect_eq(signature.sum, sum);
}

Test(signature, raw, .description = "BU-6 a raw sum of one event and one thread gives its word back [model]") {
    struct signature signature = made(REG_SIGNATURE_KINDS_RESULT(1) | REG_SIGNATURE_KINDS_RAW(1));
    signature_write(&signature, REG_SIGNATURE_PLACE,
                    REG_SIGNATURE_PLACE_THREAD(10) | REG_SIGNATURE_PLACE_THREAD_MASK(0x3F));
    signature_event(&signature, &written);
    const uint32_t x = signature.sum ^ 0x22 ^ (0xFFDDu << 16) ^ 3u << 24 ^ 2u << 18 ^ 4u;
    cr_expect_eq(x >> 10 | x << 22, 9, "0x%x", x);
}

Test(signature, name,
     .description =
         "BU-6 a name is TMD from behind, CTA and number, each at its place, where they meet the XOR [model]") {
    for (unsigned b = 0; b < 32; b++)
        cr_expect_eq(signature_name(1u << b, (const uint32_t[3]){0, 0, 0}, 0), 0x80000000u >> b, "bit %u", b);
    const struct {
        uint32_t tmd, cta[3], index, name;
    } cases[] = {
        {0, {1, 0, 0}, 0, 1},       {0, {0, 1, 0}, 0, 1 << 12}, {0, {0, 0, 1}, 0, 1 << 20},
        {0, {0, 0, 0}, 1, 1 << 26}, {0, {0x1000, 1, 0}, 0, 0},  {0, {0x100000, 0, 1}, 0, 0},
        {0, {0, 0, 0x40}, 1, 0},    {0x20, {0, 0, 0}, 1, 0},    {0x80, {0x3000001, 1, 0}, 0, 0x2001001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(signature_name(cases[i].tmd, cases[i].cta, cases[i].index), cases[i].name, "case %zu", i);
}

Test(signature, names, .description = "BU-6 names tell tasks, CTAs and warps apart [model]") {
    const uint32_t a[3] = {1, 0, 0}, b[3] = {0, 1, 0};
    cr_expect_neq(signature_name(0x100, a, 0), signature_name(0x100, b, 0));
    cr_expect_neq(signature_name(0x100, a, 0), signature_name(0x200, a, 0));
    cr_expect_neq(signature_name(0x100, a, 0), signature_name(0x100, a, 1));
}
