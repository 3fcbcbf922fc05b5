// An access of two registers, one private and one shared, is out of bounds inside a sequence too.
// launch: grid 1 1 1 cta 48 1 1
// shows: SV-4
// arg out global 256 zero
// fault REGISTER_BOUNDS pc 4
.kernel main
.arg global out
.registers 8
.shared_rows 3
    LDC.32 R0, c[0][64]
    SVSTART after
    LDG.64 R6, [R0]              // both shared
    LDG.32 R5, [R0]
    LDG.64 R4, [R0]
    SVEND
after:
    EXIT
