// A number behind those of a trap is no register.
// launch: grid 1 1 1 cta 48 1 1
// shows: TU-12
// fault REGISTER_BOUNDS
.kernel main
    S2R R0, SR_LANEID
    MOV R1, 0
    TRAP handler
    EXIT
handler:
    SRD R1, S144
    TRET
