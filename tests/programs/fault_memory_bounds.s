// A store past the end of the address space.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_BOUNDS info 0xFFFFFFE0 pc 1
.kernel main
.arg global out
    MOV R0, 7
    STG.32 [-4], R0
    EXIT
