// What a warp's YIELDs draw goes by the place with which its CTA has come, also when another warp of the CTA has written
// CTA_X in a trap before this one starts: it has many registers, which are forgotten first.
// launch: grid 12 1 1 cta 64 1 1
// shows: TU-12 TD-13
// arg out global 256 zero
// expect out: 480 x 64
.kernel main
.arg global out
    TRAP handler
    S2R R0, SR_TID_X
    LDC.32 R3, c[0][64]
    SHL R0, R0, 2
    IADD R3, R3, R0
    MOV R31, 0
loop:
    YIELD.RANDOM 32768
    IADD R31, R31, 1
    ISETP.LT P0, R31, 40
    @P0 BRA loop
    ATOMG.ADD RZ, [R3], R31
    EXIT
handler:
    R2S CTA_X, RZ
    TRET
