// A handler finds no memory for the state of its warp; a TFAIL and a TLEAVE by nobody are nothing.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault CHILD_DEADLOCK
.kernel main
    S2R R0, SR_LANEID
    TRAP handler
    EXIT
handler:
    ISETP.LT P0, R0, 0
    @P0 TFAIL
    @P0 TLEAVE
    TFAIL
    TRET
