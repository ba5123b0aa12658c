/** Conversions by `scale` that keep the size, with the same result on every machine. */
const EXACT = 'scale=flags=bicubic+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp';

/** From painted RGB to the output's colours. */
export const RGB_TO_BT709 = `${EXACT}:out_color_matrix=bt709:out_range=limited`;

/** From the output's colours to RGB, for stills. */
export const BT709_TO_RGB = `${EXACT}:in_color_matrix=bt709:in_range=limited`;
