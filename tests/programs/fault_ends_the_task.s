// One CTA faults: the other, which waits at a barrier and in a loop, is stopped.
// launch: grid 2 1 1 cta 16 1 1
// arg out global 256 zero
// fault MEMORY_ALIGNMENT info 2 pc 3
.kernel main
.arg global out
    S2R R1, SR_CTAID_X
    S2R R2, SR_TID_X
    ISETP.EQ P0, R1, 1
    @P0 LDG.32 R3, [2]
    ISETP.LT P1, R2, 16
    @P1 BAR
wait:
    BRA wait
