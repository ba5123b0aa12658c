import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Image, ImageData } from '@napi-rs/canvas';
import { readPixels } from '../../src/paint/draw/read-pixels.ts';
import { flattenedBoard } from '../../src/paint/pixels/flattened-board.ts';
import { straight } from '../../src/paint/pixels/straight-alpha.ts';
import { createSkiaSurface } from '../../src/paint/skia/skia.ts';
import type { Dim } from '../../src/plan/frame/frame-at.ts';
import type { PaintedPicture, Painting } from '../../src/plan/model/painter.ts';
import { differenceOf, type Picture } from './picture-difference.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GOLDEN = join(import.meta.dirname, '..', 'golden', 'paint');
const FAILURES = join(import.meta.dirname, '..', 'failures', 'paint');

/**
 * Painted pictures as they are seen: on a canvas, dark on the left and light on the right, so that a wrong alpha shows.
 */
export function onCanvas(
  canvas: { width: number; height: number },
  pictures: readonly (PaintedPicture | Painting | null)[],
  dim: Dim | null = null,
): Picture {
  const { width, height } = canvas;
  const surface = createSkiaSurface(width, height);
  const { context } = surface;
  context.fillStyle = '#20303c';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#c8d2d8';
  context.fillRect(Math.round(width / 2), 0, width, height);
  for (const painted of pictures) {
    if (painted === null) continue;
    const picture = 'still' in painted ? flattenedBoard(painted, { x: 0, y: 0, width, height }, dim) : painted;
    context.drawImage(
      toBitmap({ ...picture.rect, rgba: picture.rgba }),
      picture.rect.x,
      picture.rect.y,
      picture.rect.width,
      picture.rect.height,
    );
  }
  return { width, height, rgba: readPixels(surface) };
}

/**
 * Compares with the stored picture, or stores it (`UPDATE_GOLDEN=1`). On a difference, the new picture and one that
 * shows the difference in red are saved, and the message says where.
 */
export async function assertLooksLike(name: string, picture: Picture): Promise<void> {
  const file = join(GOLDEN, `${name}.png`);
  if (process.env.UPDATE_GOLDEN === '1') {
    save(file, picture);
    return;
  }
  assert.ok(existsSync(file), `there is no picture ${relative(ROOT, file)} yet; UPDATE_GOLDEN=1 makes it`);
  const golden = await load(file);
  const difference = differenceOf(golden, picture);
  if (difference === null) return;
  const got = join(FAILURES, `${name}.png`);
  const shown = join(FAILURES, `${name}.difference.png`);
  save(got, picture);
  save(shown, difference.picture);
  assert.fail(
    `${name} looks different: ${difference.summary}. See ${relative(ROOT, got)} and ${relative(ROOT, shown)}; ` +
      `if it is better, UPDATE_GOLDEN=1 accepts it.`,
  );
}

/** Decodes a picture made by this project's own code or checked in with it. */
export async function load(file: string): Promise<Picture> {
  const image = new Image();
  image.src = readFileSync(file);
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const surface = createSkiaSurface(width, height);
  surface.context.drawImage(image, 0, 0, width, height);
  return { width, height, rgba: readPixels(surface) };
}

function save(file: string, picture: Picture): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, toBitmap(picture).toBuffer('image/png'));
}

function toBitmap({ width, height, rgba }: Picture) {
  const { bitmap } = createSkiaSurface(width, height);
  const pixels = new ImageData(straight(rgba), width, height);
  bitmap.getContext('2d').putImageData(pixels, 0, 0);
  return bitmap;
}
