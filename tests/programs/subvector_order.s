// Tickets tell the order: the whole sequence for a portion, then for the next; portions without threads are left out; without a sequence instruction by instruction.
// launch: grid 1 1 1 cta 64 1 1
// shows: SV-1 SV-2 SV-6 SV-7
// arg out global 1536 zero
// arg ticket global 256 zero
// expect out lanes 4: 0..3 8..11 16..19 24..27 32..35 40..43 48..51 56..59 0 x 32 4..7 12..15 20..23 28..31 36..39
// more: 44..47 52..55 60..63 0 x 32 64..67 72..75 0 x 8 80..83 88..91 96..99 104..107 0 x 32 68..71 76..79 0 x 8
// more: 84..87 92..95 100..103 108..111 0 x 32 112..143 0 x 32 144..175 0 x 32
// expect out lanes 8: 0..7 16..23 32..39 48..55 0 x 32 8..15 24..31 40..47 56..63 0 x 32 64..71 0 x 8 80..87 96..103
// more: 0 x 32 72..79 0 x 8 88..95 104..111 0 x 32 112..143 0 x 32 144..175 0 x 32
// expect out lanes 32: 0..31 64..95 32..63 96..135 0 x 8 136..151 176..183 0 x 8 184..199 152..159 0 x 8 160..175
// more: 200..207 0 x 8 208..351
.kernel main
.arg global out
.arg global ticket
    S2R R1, SR_LANEID
    S2R R2, SR_WARPID
    ISETP.NE P0, R2, 0
    @P0 EXIT                     // one warp only
    SHL R5, R1, 2
    LDC.32 R6, c[0][64]
    IADD R5, R5, R6              // &out[thread]
    LDC.32 R7, c[0][68]
    MOV R8, 1
    SVSTART after_all
    ATOMG.ADD R10, [R7 + 0], R8
    ATOMG.ADD R11, [R7 + 0], R8
    SVEND
after_all:
    STG.32 [R5], R10
    STG.32 [R5 + 256], R11
    AND R12, R1, 24
    ISETP.EQ P1, R12, 8
    SSY joined
    @P1 SYNC joined
    SVSTART after_some
    ATOMG.ADD R10, [R7 + 0], R8
    ATOMG.ADD R11, [R7 + 0], R8
    STG.32 [R5 + 512], R10
    STG.32 [R5 + 768], R11
    SVEND
after_some:
    SYNC joined
joined:
    SVEND                        // outside a sequence it is nothing
    @P5 SVSTART nowhere          // neither is this, for nobody
    ATOMG.ADD R10, [R7 + 0], R8
    ATOMG.ADD R11, [R7 + 0], R8
    STG.32 [R5 + 1024], R10
    STG.32 [R5 + 1280], R11
    EXIT
nowhere:
    BRA nowhere
