// The lowest thread whose address is not aligned names the address.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_ALIGNMENT info 0x1003 pc 3
.kernel main
.arg global out
    S2R R0, SR_LANEID
    IADD R0, R0, 0x1000
    ISETP.GE P0, R0, 0x1003
    @P0 LDG.32 R1, [R0]
    EXIT
