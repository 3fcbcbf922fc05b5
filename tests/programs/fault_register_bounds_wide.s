// The last register of a wide load is past REGISTER_COUNT.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault REGISTER_BOUNDS pc 0
.kernel main
.arg global out
.registers 7
    LDC.128 R4, c[0][0]
    EXIT
