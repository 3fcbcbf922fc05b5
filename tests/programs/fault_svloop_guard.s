// A software sub-vector loop is for all active threads: a guard that leaves some out is illegal.
// launch: grid 1 1 1 cta 48 1 1
// fault ILLEGAL_INSTRUCTION pc 2
.kernel main
    S2R R0, SR_LANEID
    ISETP.LT P0, R0, 5
    @P0 SVLOOP_BEGIN +1
    NOP
    EXIT
