// A sub-vector sequence is for all active threads: a guard that leaves some out is illegal.
// launch: grid 1 1 1 cta 48 1 1
// shows: SV-7
// fault ILLEGAL_INSTRUCTION pc 2
.kernel main
    S2R R0, SR_LANEID
    ISETP.LT P0, R0, 5
    @P0 SVSTART after
    SVEND
after:
    EXIT
