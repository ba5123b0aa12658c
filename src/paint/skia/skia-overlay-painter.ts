export { type PaintingOrder, SkiaOverlayPainter } from '../draw/canvas-overlay-painter.ts';
