// A CTA without shared memory, threads without local memory: nothing of the windows is theirs.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg out global 512 zero
// expect out: 0 x 32
// fault LOCAL_BOUNDS info 0xFF000000 pc 6
.kernel main
.arg global out
    S2R R0, SR_TID_X
    SHL R1, R0, 2
    LDC.32 R2, c[0][64]
    IADD R2, R2, R1
    ISETP.EQ P0, R0, 5
    @P0 MOV R2, 0xFF000000
    LD.U8 R3, [R2]
    EXIT
