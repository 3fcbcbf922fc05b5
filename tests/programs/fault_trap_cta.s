// Where the CTA is, a trap writes; S2R reads it.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault REGISTER_BOUNDS
.kernel main
    S2R R0, SR_LANEID
    TRAP handler
    EXIT
handler:
    SRD R0, CTA_X
    TRET
