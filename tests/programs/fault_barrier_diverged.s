// A part of a warp comes to a barrier.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault BARRIER_DIVERGED pc 2
.kernel main
.arg global out
    S2R R0, SR_LANEID
    ISETP.LT P0, R0, 5
    @P0 BAR
    BAR
    EXIT
