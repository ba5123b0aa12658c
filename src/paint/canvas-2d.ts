/**
 * The part of CanvasRenderingContext2D the drawing code uses. Skia's context on the server and a browser's own both
 * have all of it, so a preview shows the same as the export. (In TypeScript a browser's `drawImage` takes a closed list
 * of types; there its adapter needs a cast.)
 */
export interface Canvas2D {
  globalAlpha: number;
  globalCompositeOperation: string;
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineJoin: 'bevel' | 'miter' | 'round';
  font: string;
  /** Such as `2px`. */
  letterSpacing: string;
  textAlign: 'center' | 'end' | 'left' | 'right' | 'start';
  textBaseline: 'alphabetic' | 'bottom' | 'hanging' | 'ideographic' | 'middle' | 'top';
  direction: 'inherit' | 'ltr' | 'rtl';
  shadowBlur: number;
  shadowColor: string;
  shadowOffsetY: number;
  imageSmoothingEnabled: boolean;
  imageSmoothingQuality: 'high' | 'low' | 'medium';
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  scale(x: number, y: number): void;
  rotate(radians: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  rect(x: number, y: number, width: number, height: number): void;
  roundRect(x: number, y: number, width: number, height: number, radii: number | number[]): void;
  fill(): void;
  stroke(): void;
  setLineDash(lengths: number[]): void;
  clip(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;
  createLinearGradient(x0: number, y0: number, x1: number, y1: number): Gradient;
  createRadialGradient(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): Gradient;
  drawImage(image: Bitmap, dx: number, dy: number, dWidth: number, dHeight: number): void;
  drawImage(
    image: Bitmap,
    sx: number,
    sy: number,
    sWidth: number,
    sHeight: number,
    dx: number,
    dy: number,
    dWidth: number,
    dHeight: number,
  ): void;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
  /** Straight RGBA, row by row. */
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  /** Takes the result of `getImageData`. */
  putImageData(pixels: object, x: number, y: number): void;
}

interface Gradient {
  addColorStop(offset: number, color: string): void;
}

/** A source for `drawImage`: a canvas, a decoded picture. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
}

/** A canvas to draw on. */
export interface Surface {
  readonly bitmap: Bitmap;
  readonly context: Canvas2D;
  /**
   * A copy of its pixels, with premultiplied alpha, if that is cheaper than `getImageData`. (A page, which only puts
   * them onto other canvases, has them with straight alpha.)
   */
  readonly pixels?: () => Uint8Array;
  /** Frees such a copy, if that frees its memory at once: garbage is collected late. */
  readonly free?: (pixels: Uint8Array) => void;
  /** Resizes and empties the canvas, if that frees its memory at once: garbage is collected late. */
  readonly resize?: (width: number, height: number) => void;
}

/** Makes an empty, fully transparent surface. Sides are whole and at least 1. */
export type CreateSurface = (width: number, height: number) => Surface;
