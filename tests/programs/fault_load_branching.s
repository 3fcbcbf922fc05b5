// A load faults while its warp goes round a loop that does not need it and never ends.
// launch: grid 1 1 1 cta 48 1 1
// fault MEMORY_BOUNDS info 0xF0000000 pc 1
.kernel main
.registers 16
    MOV R1, 0xF0000000
    LDG.32 R4, [R1]
round:
    IADD R5, R5, 1
    BRA round
