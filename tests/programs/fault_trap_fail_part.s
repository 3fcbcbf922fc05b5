// TFAIL by a part of the warp.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault ILLEGAL_INSTRUCTION
.kernel main
    S2R R0, SR_LANEID
    TRAP handler
    EXIT
handler:
    ISETP.LT P0, R0, 5
    @P0 TFAIL
    TRET
