// How many warps of the CTA are alive is no register to write.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault REGISTER_BOUNDS
.kernel main
    S2R R0, SR_LANEID
    TRAP handler
    EXIT
handler:
    R2S CTA_ALIVE, R0
    TRET
