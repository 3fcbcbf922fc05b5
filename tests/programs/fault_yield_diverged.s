// YIELD by a part of the active threads.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault ILLEGAL_INSTRUCTION pc 2
.kernel main
.arg global out
    S2R R0, SR_LANEID
    ISETP.LT P0, R0, 5
    @P0 YIELD
    EXIT
