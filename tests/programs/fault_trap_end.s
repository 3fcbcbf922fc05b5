// TEXIT is an instruction of a trap.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault ILLEGAL_INSTRUCTION
.kernel main
    S2R R0, SR_LANEID
    TEXIT
    EXIT
