// Of a generic store the lowest thread's fault is told, in whatever memory: a misaligned address comes before bounds.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg out global 512 zero
// expect out: 0 x 32
// fault MEMORY_ALIGNMENT info 0xFE000066 pc 8
.kernel main
.shared_bytes 100
.local_bytes 16
.arg global out
    S2R R0, SR_TID_X
    SHL R1, R0, 2
    LDC.32 R2, c[0][64]
    IADD R2, R2, R1
    ISETP.EQ P0, R0, 3
    ISETP.EQ P1, R0, 7
    @P0 MOV R2, 0xFE000066
    @P1 MOV R2, 0xFF000010
    ST.32 [R2], R0
    EXIT
