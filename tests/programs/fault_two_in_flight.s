// Two loads that fault are in flight: one fault is told, the task ends.
// launch: grid 2 1 1 cta 48 1 1
// fault MEMORY_BOUNDS
.kernel main
.registers 16
    MOV R1, 0xF0000000
    LDG.32 R4, [R1]
    LDG.32 R5, [R1 + 64]
    STG.32 [R1 + 128], R1
    IADD R6, R1, 2
    IADD R7, R4, R5
    EXIT
