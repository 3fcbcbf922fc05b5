// The highest global address that a generic address can name is that below the windows; there is no memory.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg out global 512 zero
// expect out: 0 x 32
// fault MEMORY_BOUNDS info 0xFDFFFFE0 pc 4
.kernel main
.shared_bytes 100
.local_bytes 16
.arg global out
    S2R R0, SR_TID_X
    SHL R1, R0, 2
    LDC.32 R2, c[0][64]
    IADD R2, R2, R1
    LD.32 R3, [0xFDFFFFFC]
    EXIT
