// A wide generic access: local memory is word by word.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg out global 512 zero
// expect out: 0 x 32
// fault ILLEGAL_INSTRUCTION info 0x5FF027E8 pc 4
.kernel main
.shared_bytes 100
.local_bytes 16
.arg global out
    S2R R0, SR_TID_X
    SHL R1, R0, 2
    LDC.32 R2, c[0][64]
    IADD R2, R2, R1
    .word 0x5FF027E8             // LD.64 R2, [RZ]
    EXIT
