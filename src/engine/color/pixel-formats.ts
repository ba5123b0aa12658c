/** The properties of a pixel format by its name: node-av does not expose libav's descriptors. */

/** Whether pixels are red, green and blue rather than luma and chroma. */
export function isRgb(name: string): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8|monob|monow|x2rgb|x2bgr)/.test(name);
}

/** Whether there is an alpha channel; it may still be opaque all over. */
export function hasAlphaChannel(name: string): boolean {
  return /^(yuva|rgba|bgra|argb|abgr|gbrap|ya(8|16|f)|ayuv|uyva|vuya|pal8)/.test(name);
}

/**
 * Whether swscale reads it. The other formats are rare (floats with alpha, 32 bits a sample, big-endian packed) and not
 * supported.
 */
export function isConvertible(name: string): boolean {
  return !/^(rgb4|bgr4|(gbrap|gray)32.e|rgb96.e|rgba128.e|rgbaf32.e|(v30x|x2bgr10|x2rgb10|xv30|y21[026])be)$/.test(
    name,
  );
}
