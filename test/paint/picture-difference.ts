/** An opaque picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

// Measured on x64 against the 67 kept pictures, which were painted elsewhere: no channel is off by more than 8, no picture by more
// than 0.12 on average, and no two pixels side by side by more than 4. On arm64 the edges of a turned stamp are off by up to 18, in
// runs of up to 24 pixels that are off by more than 8.

/** A channel may differ by this much: processors round blends and edges differently. */
const CHANNEL_TOLERANCE = 14;
/** Of the pixels, so many may differ by more. A card moved by one pixel is ten times that. */
const PIXEL_TOLERANCE = 0.0002;
/** All channels together may differ by this much on average: a colour that is off by one all over is more. */
const MEAN_TOLERANCE = 0.3;
/** Pixels that differ by more than this are single, or nearly: a letter in another place is one connected region. */
const BLOB_CHANNEL_TOLERANCE = 14;
const MAX_BLOB_PIXELS = 6;
/** Pixels that differ by more than this are edges, so they never fill a square of this side. */
const PATCH_CHANNEL_TOLERANCE = 8;
const PATCH_SIDE = 4;

/** Null where the pictures are the same to the eye of the tolerance. The picture shows in red what differs. */
export function differenceOf(a: Picture, b: Picture): { summary: string; picture: Picture } | null {
  if (a.width !== b.width || a.height !== b.height) {
    return { summary: `${b.width}×${b.height} instead of ${a.width}×${a.height}`, picture: b };
  }
  const pixels = a.width * a.height;
  const most = new Uint8Array(pixels);
  let sum = 0;
  for (let at = 0; at < a.rgba.length; at += 1) {
    const off = Math.abs(a.rgba[at]! - b.rgba[at]!);
    sum += off;
    if (off > most[at >> 2]!) most[at >> 2] = off;
  }
  const wrong = most.reduce((count, off) => count + (off > CHANNEL_TOLERANCE ? 1 : 0), 0);
  // The fourth channel of an opaque picture is always the same.
  const mean = sum / (pixels * 3);
  const blob = largestBlob(most, a.width);
  const faults = [
    wrong > pixels * PIXEL_TOLERANCE ? `${wrong} of ${pixels} pixels` : '',
    mean > MEAN_TOLERANCE ? `channels are off by ${mean.toFixed(2)} on average` : '',
    blob > MAX_BLOB_PIXELS ? `${blob} pixels side by side` : '',
    hasPatch(most, a.width) ? `a patch of ${PATCH_SIDE}×${PATCH_SIDE} pixels` : '',
  ].filter((fault) => fault !== '');
  return faults.length === 0 ? null : { summary: faults.join(', '), picture: inRed(b, most) };
}

/** The number of pixels of the largest connected region that is off by more than `BLOB_CHANNEL_TOLERANCE`. */
function largestBlob(most: Uint8Array, width: number): number {
  const left = most.map((off) => (off > BLOB_CHANNEL_TOLERANCE ? 1 : 0));
  let largest = 0;
  for (let first = left.indexOf(1); first !== -1; first = left.indexOf(1, first)) {
    const region = [first];
    left[first] = 0;
    for (const pixel of region) {
      for (const neighbour of neighbours(pixel, width)) {
        if (left[neighbour] !== 1) continue;
        left[neighbour] = 0;
        region.push(neighbour);
      }
    }
    largest = Math.max(largest, region.length);
  }
  return largest;
}

/** Whether a whole square is off by more than `PATCH_CHANNEL_TOLERANCE`. */
function hasPatch(most: Uint8Array, width: number): boolean {
  // The side of the largest such square that ends at each pixel, to the right and below.
  const sides = new Uint32Array(most.length);
  return most.some((off, at) => {
    if (off <= PATCH_CHANNEL_TOLERANCE) return false;
    const isInside = at % width > 0 && at >= width;
    sides[at] = 1 + (isInside ? Math.min(sides[at - 1]!, sides[at - width]!, sides[at - width - 1]!) : 0);
    return sides[at] >= PATCH_SIDE;
  });
}

/** The eight around a pixel; those above and below the picture are nothing. */
function neighbours(pixel: number, width: number): number[] {
  const x = pixel % width;
  const columns = [-1, 0, 1].filter((step) => x + step >= 0 && x + step < width);
  return [-width, 0, width].flatMap((row) => columns.map((column) => pixel + row + column));
}

function inRed({ width, height, rgba }: Picture, most: Uint8Array): Picture {
  const shown = new Uint8Array(rgba.length);
  for (const [pixel, off] of most.entries()) {
    const isBad = off > PATCH_CHANNEL_TOLERANCE;
    for (let channel = 0; channel < 3; channel += 1) {
      shown[pixel * 4 + channel] = isBad ? (channel === 0 ? 255 : 0) : rgba[pixel * 4 + channel]! >> 2;
    }
    shown[pixel * 4 + 3] = 255;
  }
  return { width, height, rgba: shown };
}
