/** RGBA with colours as they are, for picture files and `putImageData`, from one with colours multiplied by their alpha. */
export function straight(rgba: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const result = new Uint8ClampedArray(rgba);
  for (let at = 0; at < result.length; at += 4) {
    const alpha = result[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1) result[channel] = (result[channel]! * 255) / alpha;
  }
  return result;
}

/** The reverse. */
export function premultiplied(rgba: Uint8ClampedArray | Uint8Array): Uint8Array {
  const result = new Uint8Array(rgba);
  for (let at = 0; at < result.length; at += 4) {
    const alpha = result[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      result[channel] = Math.round((result[channel]! * alpha) / 255);
    }
  }
  return result;
}
