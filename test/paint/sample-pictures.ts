import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSkiaSurface, type SkiaSurface } from '../../src/paint/skia/skia.ts';

/** A folder of drawn pictures, gone when it is disposed of. */
export class SamplePictures implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tiercut-pictures-'));
  /** By the field they would be uploaded under: `picture0`, `picture1` … */
  readonly files = new Map<string, string>();

  constructor(count: number) {
    for (let index = 0; index < count; index += 1) {
      this.add(`picture${index}`, drawLandscape(index).bitmap.toBuffer('image/png'));
    }
  }

  add(field: string, bytes: Uint8Array): void {
    const path = join(this.folder, field);
    writeFileSync(path, bytes);
    this.files.set(field, path);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A sun and two hills in a few flat colours, different for every `seed`: easy to distinguish, small as a file. */
export function drawLandscape(seed: number, width = 240, height = 240): SkiaSurface {
  const surface = createSkiaSurface(width, height);
  const { context } = surface;
  const hue = (seed * 47) % 360;
  const fill = (color: string, ...[x, y, w, h, r]: [number, number, number, number, number]) => {
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(x * width, y * height, w * width, h * height, r * width);
    context.fill();
  };
  fill(`hsl(${hue}, 60%, 55%)`, 0, 0, 1, 1, 0);
  fill(`hsl(${(hue + 180) % 360}, 80%, 75%)`, 0.15 + ((seed * 7) % 10) * 0.04, 0.12, 0.36, 0.36, 0.18);
  fill(`hsl(${(hue + 30) % 360}, 55%, 38%)`, -0.2, 0.62, 0.8, 0.8, 0.3);
  fill(`hsl(${(hue + 50) % 360}, 50%, 28%)`, 0.35, 0.7, 0.9, 0.8, 0.3);
  return surface;
}
