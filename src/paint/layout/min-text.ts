/** The smallest text on a canvas: 12 px where its shorter side is 1080, and never so few pixels that no letter holds. */
export function minTextPx(canvas: { readonly width: number; readonly height: number }): number {
  return Math.max(8, (Math.min(canvas.width, canvas.height) * 12) / 1080);
}
