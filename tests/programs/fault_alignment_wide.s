// A 16-byte store at a multiple of 8.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_ALIGNMENT info 0x1008 pc 1
.kernel main
.arg global out
    MOV R0, 0x1008
    STG.128 [R0], RZ
    EXIT
