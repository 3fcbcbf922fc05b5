// A branch in a trap that a part of the warp takes.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault ILLEGAL_INSTRUCTION
.kernel main
    S2R R0, SR_LANEID
    MOV R1, 0
    TRAP handler
    EXIT
handler:
    ISETP.LT P0, R0, 5
    @P0 BRA +0
    TRET
