// A shared register has no place for every thread: outside a sequence it may not be named.
// launch: grid 1 1 1 cta 48 1 1
// shows: SV-4
// fault REGISTER_BOUNDS pc 4
.kernel main
.registers 8
.shared_rows 2
    MOV R5, 1
    SVSTART after
    MOV R6, 1
    SVEND
after:
    MOV R5, R7
    EXIT
