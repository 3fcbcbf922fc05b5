// In a trap threads take part that were never started: they have a lane and no thread ids, whoever was in their place before.
// launch: grid 1 1 1 cta 3 3 1
// shows: TU-12
// arg out global 256 zero
// expect out threads 32: 1000 1001 1002 1016 1017 1018 1032 1033 1034 1000 x 23
// expect out threads 64: 1000 1001 1002 1016 1017 1018 1032 1033 1034 1000 x 55
.kernel main
.arg global out
    TRAP handler
    EXIT
handler:
    S2R R0, SR_TID_X
    S2R R1, SR_TID_Y
    SHL R1, R1, 4
    IADD R0, R0, R1
    S2R R1, SR_TID_Z
    SHL R1, R1, 8
    IADD R0, R0, R1
    IADD R0, R0, 1000
    S2R R2, SR_LANEID
    SHL R2, R2, 2
    LDC.32 R3, c[0][64]
    IADD R2, R2, R3
    STG.32 [R2], R0
    TRET
