// A register past REGISTER_COUNT.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault REGISTER_BOUNDS pc 1
.kernel main
.arg global out
.registers 4
    MOV R3, 1
    IADD R2, R4, 1
    EXIT
