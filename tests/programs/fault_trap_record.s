// CTA_RECORD is no register without a trap.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault REGISTER_BOUNDS
.kernel main
    S2R R0, SR_LANEID
    SRD R0, CTA_RECORD
    EXIT
