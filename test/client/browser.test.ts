import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { launchBrowser, noBrowser } from '../browser/chromium.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

const ENTRY = join(import.meta.dirname, '..', '..', 'packages', 'client', 'src', 'client.ts');

/** What a page does with the client: it draws the picture of an item. */
const PER_PAGE = `(async () => {
  const tiercut = new Tiercut.TiercutClient({ url: location.origin });
  const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 300 });
  const drawing = canvas.getContext('2d');
  for (let i = 0; i < 3000; i += 1) {
    drawing.fillStyle = 'hsl(' + i * 7 + ' 80% 50%)';
    drawing.fillRect((i * 37) % 300, (i * 91) % 300, 9, 9);
  }
  const file = await new Promise((resolve) => canvas.toBlob(resolve));
  let reported = 0;
  const partBytes = Math.ceil(file.size / 3);
  const onProgress = ({ stage }) => { reported += stage === 'sending' ? 1 : 0; };
  const picture = await tiercut.upload(file, { partBytes, onProgress });
  const { export_id } = await tiercut.create({
    tier_list: { rows: [{ id: 's', item_ids: ['one'] }], items: [{ id: 'one', file_field: 'picture' }] },
    timeline_data: { tier_blocks: [{ start: 0, duration: 1 }] },
    settings: { quality: 'draft' },
    media: { picture },
  });
  const { outputs: { preset_one: output } } = await tiercut.wait(export_id);
  const { stream, sha256 } = await tiercut.download(export_id);
  const video = await new Response(stream).blob();
  return { width: picture.facts.width, reported, isSame: sha256 === output.sha256 && video.size === output.bytes };
})()`;

test('the client works in a page: it hashes a blob, uploads it in parts, follows the export and downloads it', {
  skip: noBrowser,
}, async () => {
  const bundled = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: 'iife',
    globalName: 'Tiercut',
    write: false,
  });
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${service.base}/docs`);
    const reported = await page.evaluate(`${bundled.outputFiles[0]!.text}; ${PER_PAGE}`);
    assert.deepEqual(reported, { width: 300, reported: 4, isSame: true });
  } finally {
    await browser.close();
  }
});
