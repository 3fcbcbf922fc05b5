// An atomic outside the address space: info is the word.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_BOUNDS info 0xFFFFF00C pc 1
.kernel main
.arg global out
    MOV R0, 0xFFFFF000
    ATOMG.ADD RZ, [R0 + 12], R0
    EXIT
