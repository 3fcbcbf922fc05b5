// The last word of a window is not of the next one, nor of what lies below it.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg out global 512 zero
// expect out: 0 x 32
// fault SHARED_BOUNDS info 0xFEFFFFFC pc 6
.kernel main
.shared_bytes 100
.local_bytes 16
.arg global out
    S2R R0, SR_TID_X
    SHL R1, R0, 2
    LDC.32 R2, c[0][64]
    IADD R2, R2, R1
    ISETP.EQ P0, R0, 5
    @P0 MOV R2, 0xFEFFFFFC
    ST.32 [R2], R0
    EXIT
