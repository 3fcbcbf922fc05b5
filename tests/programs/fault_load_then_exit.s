// The end of a warp waits for a load that faults.
// launch: grid 2 1 1 cta 48 1 1
// fault MEMORY_BOUNDS info 0xF0000000 pc 1
.kernel main
.registers 16
    MOV R1, 0xF0000000
    STG.32 [R1], R1
    EXIT
