/**
 * From painted RGB to the output's BT.709 in limited range, in fixed point: channels from 0 to 255 in, 16 bits behind
 * the point out. In whole numbers, so that the result is the same on every machine.
 */
export const FRACTION_BITS = 16;
const ONE = 2 ** FRACTION_BITS;
const KR = 0.2126;
const KB = 0.0722;
const Y_SCALE = (219 / 255) * ONE;
const C_SCALE = (112 / 255) * ONE;

/** How much of each channel there is in luma; white is exactly 219 above black. */
export const YR = Math.round(Y_SCALE * KR);
export const YB = Math.round(Y_SCALE * KB);
export const YG = Math.round(Y_SCALE) - YR - YB;
/** The same for the differences of blue and red; grey is exactly 0. */
export const UR = Math.round((-C_SCALE * KR) / (1 - KB));
export const UB = Math.round(C_SCALE);
export const UG = -UR - UB;
export const VB = Math.round((-C_SCALE * KB) / (1 - KR));
export const VR = Math.round(C_SCALE);
export const VG = -VR - VB;

/** The luma of black, and the chroma of grey. */
export const BLACK = 16;
export const GREY = 128;

/** One colour as luma and differences, not rounded. */
export function yuvOf([r, g, b]: readonly [number, number, number]): readonly [number, number, number] {
  return [
    BLACK + (YR * r + YG * g + YB * b) / ONE,
    GREY + (UR * r + UG * g + UB * b) / ONE,
    GREY + (VR * r + VG * g + VB * b) / ONE,
  ];
}
