// Nor can it be written there.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault REGISTER_BOUNDS
.kernel main
    S2R R0, SR_LANEID
    R2S CTA_RECORD, R0
    EXIT
