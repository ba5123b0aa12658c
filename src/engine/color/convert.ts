/**
 * Converts to a pixel format that the next filter takes, and does nothing where it takes the one there is. Where this is missing
 * libavfilter inserts a conversion of its own, whose pixels depend on the machine (R18), or crashes over it.
 */
export const CONVERT = 'scale=flags=accurate_rnd+bitexact+full_chroma_int';
