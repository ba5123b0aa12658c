/**
 * Converts to a pixel format that the next filter accepts, and does nothing if it accepts the current one. Without it
 * libavfilter inserts its own conversion, whose pixels depend on the machine (R18), or crashes.
 */
export const CONVERT = 'scale=flags=accurate_rnd+bitexact+full_chroma_int';
