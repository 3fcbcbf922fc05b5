// A sequence without an active thread is skipped; threads that break out of one, and portions that exit whole.
// launch: grid 2 1 1 cta 48 1 1
// shows: SV-6 SV-7
// arg out global 1152 zero
// expect out threads 32: 9 x 96 507 510 513 516 519 522 525 528 531 534 537 540 543 546 549 552 56 59 62 65 68 71 74
// more: 77 80 83 86 89 92 95 98 101 603 606 609 612 615 618 621 624 627 630 633 636 639 642 645 648 651 654 657 660
// more: 663 666 669 672 675 678 681 684 687 690 693 696 200 203 206 209 212 215 218 221 224 227 230 233 236 239 242
// more: 245 747 750 753 756 759 762 765 768 771 774 777 780 783 786 789 792 0 x 24 158 164 170 176 182 188 194 200
// more: 0 x 40 446 452 458 464 470 476 482 488 0 x 16
// expect out threads 64: 9 x 96 507 510 513 516 519 522 525 528 531 534 537 540 543 546 549 552 56 59 62 65 68 71 74
// more: 77 80 83 86 89 92 95 98 101 104 107 110 113 116 119 122 125 128 131 134 137 140 143 146 149 651 654 657 660
// more: 663 666 669 672 675 678 681 684 687 690 693 696 200 203 206 209 212 215 218 221 224 227 230 233 236 239 242
// more: 245 248 251 254 257 260 263 266 269 272 275 278 281 284 287 290 293 0 x 24 158 164 170 176 182 188 194 200
// more: 206 212 218 224 230 236 242 248 254 260 266 272 278 284 290 296 0 x 24 446 452 458 464 470 476 482 488 494
// more: 500 506 512 518 524 530 536 542 548 554 560 566 572 578 584
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_LANEID
    S2R R2, SR_CTAID_X
    S2R R3, SR_NTID_X
    IMAD R4, R2, R3, R0          // thread of the grid
    SHL R5, R4, 2
    LDC.32 R6, c[0][64]
    IADD R5, R5, R6              // &out[thread]
    IMUL R10, R4, 3
    IADD R10, R10, 7             // the thread's value
    MOV R20, 9
    SMOV S5, EXEC_LO
    SMOV S6, EXEC_HI
    SMOV EXEC_LO, 0
    SMOV EXEC_HI, 0
    SVSTART after_none
    MOV R20, 8
none:
    BRA none                     // nobody would leave
    SVEND
after_none:
    SMOV EXEC_LO, S5
    SMOV EXEC_HI, S6
    STG.32 [R5], R20
    ISETP.LT P0, R1, 16
    MOV R21, R10
    PBRK broken
    SVSTART after_break
    @P0 IADD R21, R21, 500
    @P0 BRK broken
    IADD R21, R21, 1
    SVEND
after_break:
    BRK broken
broken:
    STG.32 [R5 + 384], R21
    ISETP.LT P1, R1, 24
    SVSTART after_exit
    @P1 EXIT
    SHL R22, R10, 1
    SVEND
after_exit:
    STG.32 [R5 + 768], R22
    EXIT
