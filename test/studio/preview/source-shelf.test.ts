import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';

const CLIPS = 9;

interface Bitmap {
  closed: boolean;
}

/** The parts of the shelf that are used here. Its types are those of a browser, so it is imported by its address. */
interface Shelf {
  nextFrame(): void;
  picture(plan: object, clip: object, at: number): Promise<object | null>;
}

before(() => {
  const context = Object.getPrototypeOf(createCanvas(1, 1).getContext('2d'));
  Object.assign(globalThis, { OffscreenCanvasRenderingContext2D: { prototype: context } });
});

test('all pictures of a frame stay open until the next frame, however many they are; then few do', async () => {
  const folder = '../../../src/studio/preview/canvas/';
  const { SourceShelf } = await import(`${folder}source-shelf.ts`);
  const bitmaps: Bitmap[] = [];
  const files = {
    file: async () => new Blob(['a picture']),
    bitmap: async () => {
      const bitmap = { width: 1, height: 1, closed: false, close: () => Object.assign(bitmap, { closed: true }) };
      bitmaps.push(bitmap);
      return bitmap;
    },
  };
  const shelf: Shelf = new SourceShelf(files, () => assert.fail('nothing is played'));
  const plan = { sources: Array.from({ length: CLIPS }, (_, index) => ({ hash: `hash ${index}` })) };
  const clips = Array.from({ length: CLIPS }, (_, source) => ({ path: `/videos/${source}`, source, kind: 'still' }));

  shelf.nextFrame();
  const shown = await Promise.all(clips.map((clip) => shelf.picture(plan, clip, 0)));
  assert(shown.every((picture) => picture !== null));
  assert.equal(bitmaps.filter(({ closed }) => closed).length, 0);

  shelf.nextFrame();
  await shelf.picture(plan, clips[0]!, 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(bitmaps.length, CLIPS);
  assert.equal(bitmaps.filter(({ closed }) => closed).length, CLIPS - 6);
  assert.equal(bitmaps[0]!.closed, false);
});
