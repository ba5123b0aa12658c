import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { frameCommand } from '../../src/cli/render/frame.ts';
import { HeardTerminal, ScratchFolder } from '../cli/tiercut.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROJECTS = join(ROOT, 'examples/cookbook');
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

/** The pixels of a picture file, in the size of those on the page. */
async function pixelsOf(file: Buffer): Promise<Uint8ClampedArray> {
  const picture = await loadImage(file);
  const [width, height] = [Math.round((picture.width / picture.height) * 270), 270];
  const context = createCanvas(width, height).getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

for (const { name, at } of recipes) {
  test(`[R4] ${name} of the cookbook renders the picture of its page, without a warning`, async () => {
    using folder = new ScratchFolder();
    const terminal = new HeardTerminal();
    const out = folder.in('frame.png');
    assert.equal(await frameCommand([join(PROJECTS, `${name}.json`), '--at', at, '-o', out], terminal), 0);
    assert.equal(terminal.said.length, 1, terminal.said.join('\n'));
    const made = await pixelsOf(readFileSync(out));
    const shown = await pixelsOf(readFileSync(join(ROOT, `docs/looks/cookbook/${name}.jpg`)));
    assert.equal(made.length, shown.length);
    const difference = made.reduce((sum, value, n) => sum + Math.abs(value - shown[n]!), 0) / made.length;
    assert.ok(difference < 4, `${difference} of 255`);
  });
}
