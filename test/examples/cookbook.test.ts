import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import { frameCommand } from '../../src/cli/render/frame.ts';
import { HeardTerminal, ScratchFolder } from '../cli/tiercut.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROJECTS = join(ROOT, 'examples/cookbook');
/** Of the pictures on the page, in pixels. */
const HEIGHT = 270;
const page = readFileSync(join(ROOT, 'docs/guides/cookbook.md'), 'utf8');

/** Of every project: the picture on the page, and the second that it shows. */
const recipes = [
  ...page.matchAll(/\]\(\.\.\/looks\/cookbook\/([\w-]+)\.jpg\)\n\n\[\1\.json\]\(\S+\1\.json\), at ([\d.]+) s/g),
].map(([, name, at]) => ({ name: name!, at: at! }));

test('the page has every project of the cookbook, and all of them are small', () => {
  const files = readdirSync(PROJECTS).filter((name) => name.endsWith('.json'));
  assert.equal(files.length, 10);
  assert.deepEqual(recipes.map(({ name }) => `${name}.json`).toSorted(), files.toSorted());
  const media = readdirSync(join(PROJECTS, 'media')).map((name) => statSync(join(PROJECTS, 'media', name)).size);
  assert.ok(media.reduce((sum, bytes) => sum + bytes, 0) < 100_000);
});

/** A picture file, in the size of those on the page. */
async function small(file: Buffer): Promise<Canvas> {
  const picture = await loadImage(file);
  const canvas = createCanvas(Math.round((picture.width / picture.height) * HEIGHT), HEIGHT);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, HEIGHT);
  return canvas;
}

function pixelsOf(canvas: Canvas): Uint8ClampedArray {
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
}

for (const { name, at } of recipes) {
  test(`[R4] ${name} of the cookbook renders the picture of its page, without a warning`, async () => {
    using folder = new ScratchFolder();
    const terminal = new HeardTerminal();
    const out = folder.in('frame.png');
    assert.equal(await frameCommand([join(PROJECTS, `${name}.json`), '--at', at, '-o', out], terminal), 0);
    assert.equal(terminal.said.length, 1, terminal.said.join('\n'));
    const frame = await small(readFileSync(out));
    const kept = join(ROOT, `docs/looks/cookbook/${name}.jpg`);
    // `npm run golden -- test/examples/cookbook` draws them anew.
    if (process.env.UPDATE_GOLDEN === '1') return writeFileSync(kept, frame.toBuffer('image/jpeg', 80));
    const [made, shown] = [pixelsOf(frame), pixelsOf(await small(readFileSync(kept)))];
    assert.equal(made.length, shown.length);
    const difference = made.reduce((sum, value, n) => sum + Math.abs(value - shown[n]!), 0) / made.length;
    assert.ok(difference < 4, `${difference} of 255; npm run golden -- test/examples/cookbook draws the pictures anew`);
  });
}
