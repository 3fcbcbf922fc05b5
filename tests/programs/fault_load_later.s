// A load faults while later instructions of its warp go on: the fault names the load.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_BOUNDS info 0xF0000000 pc 3
.kernel main
.registers 16
.arg global out
    S2R R0, SR_TID_X
    LDC.32 R3, c[0][64]
    MOV R1, 0xF0000000
    LDG.32 R4, [R1]
    IADD R5, R0, 1
    IADD R6, R5, 2
    SHL R7, R6, 3
    STG.32 [R3], R7
    LDG.32 R8, [R3]
    IADD R9, R8, R7
    IADD R10, R4, 1              // would need it
    STG.32 [R3 + 4], R10
    EXIT
