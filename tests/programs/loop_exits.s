// A loop that threads leave in different rounds and at three different places; a tail that each place has for itself.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-8 TD-18
// arg out global 384 zero
// expect out: 3184 3183 3002 5425 3181 3022 3085 5301 5341 3009 5421 5461 3050 3176 5581 5621 3016 5228 5241 3078 5267 5280
// more: 5293 3023 5319 5332 3106 5358 5371 5384 3030 5410 5423 3134 5449 5462 5475 3037 5501 5514 3162 5540 5553 5566 3044
// more: 5592 5605 3190 5631 5644 5202 3051 5210 5214 5218 5222 5226 5230 3058 5238 5242 5246 5250 5254 5258 3065 5266 5270
// more: 5274 5278 5282 5286 3072 5294 5298 5302 5306 5310 5314 3079 5322 5326 5330 5334 5338 5342 3086 5350 5354 5358 5362
// more: 5366 5370 3093 5378 5382
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R5, R0                   // n
    MOV R6, 0                    // sum
    MOV R7, 0                    // round
    PBRK out
loop:
    IADD R6, R6, R5
    ISETP.GT P0, R6, 200
    SSY on1
    @!P0 SYNC
    IADD R6, R6, 5000
    BRK
on1:
    IMUL R5, R5, 3
    IADD R5, R5, 1
    UMULHI R8, R5, 0x24924925    // n / 7
    IMUL R8, R8, 7
    ISETP.EQ P1, R8, R5
    SSY on2
    @!P1 SYNC
    IADD R6, R6, 3000
    BRK
on2:
    IADD R7, R7, 1
    ISETP.EQ P2, R7, 6
    @P2 IADD R6, R6, 1000
    @P2 BRK
    BRA loop
out:
    IADD R6, R6, R7
    STG.32 [R3], R6
    EXIT
