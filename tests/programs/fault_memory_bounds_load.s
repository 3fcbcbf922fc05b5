// Threads load; one of the second portion and on is outside.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_BOUNDS info 0xF0000000 pc 7
.kernel main
.arg global out
    S2R R0, SR_TID_X
    LDC.32 R3, c[0][64]
    ISETP.LT P0, R0, 40
    SHL R1, R0, 2
    AND R1, R1, 0xFC
    IADD R3, R3, R1
    @!P0 MOV R3, 0xF0000000
    LDG.32 R4, [R3]
    EXIT
