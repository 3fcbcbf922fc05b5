// Behind a load that faults stands a barrier that only a part of the warp would reach: the earlier fault is told.
// launch: grid 1 1 1 cta 32 1 1
// fault MEMORY_BOUNDS info 0xF0000000 pc 3
.kernel main
.registers 16
    S2R R0, SR_TID_X
    ISETP.LT P0, R0, 7
    MOV R1, 0xF0000000
    LDG.32 R4, [R1]
    @P0 BAR
    EXIT
