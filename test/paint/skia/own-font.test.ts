import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { sniffMedia } from '../../../src/engine/input/sniff-media.ts';
import type { ExportError } from '../../../src/errors.ts';
import { FONT_FILES } from '../../../src/paint/fonts/font-files.ts';
import { checkFont } from '../../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { uploadFamily } from '../../../src/plan/model/fonts.ts';
import { frames } from '../../../src/time.ts';
import { samplePlan, sampleScene, sampleSubtitle } from '../sample-plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiercut-fonts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);
const thai = dirname(require.resolve('@fontsource/noto-sans-thai/package.json'));
const FONTS = {
  ttf: FONT_FILES.find(({ path }) => path.endsWith('.ttf'))!.path,
  otf: FONT_FILES.find(({ path }) => path.endsWith('.otf'))!.path,
  woff2: join(thai, 'files', 'noto-sans-thai-latin-100-normal.woff2'),
};

test('[C47] TTF, OTF and WOFF2 fonts can be used', async () => {
  for (const path of Object.values(FONTS)) {
    assert.equal(sniffMedia(readFileSync(path).subarray(0, 4096)), 'font');
    await checkFont(path);
  }
});

test('[C47] a broken font is an error with that reason, and has no other effect', async () => {
  const whole = readFileSync(FONTS.ttf);
  const path = join(folder, 'broken');
  const random = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251));
  for (const bytes of [whole.subarray(0, 600), Buffer.concat([whole.subarray(0, 400), random])]) {
    writeFileSync(path, bytes);
    await assert.rejects(checkFont(path), ({ code }: ExportError) => code === 'media.broken_font');
  }
});

test("[C47] boards and subtitles use the theme's font; missing characters use the shipped fonts", async () => {
  const canvas = { width: 640, height: 360 };
  const plain = samplePlan(canvas, sampleScene([2, 1], { pictures: 0 }), [sampleSubtitle('Waffles 🧇', canvas)]);
  const sources = [...plain.sources, { field: 'font', hash: 'f'.repeat(64) }];
  const family = uploadFamily('f'.repeat(64));
  const families = { display: family, strong: family, text: family };
  const font = { source: sources.length - 1, families, capEm: { display: 0.7, strong: 0.7, text: 0.7 } };
  const themed = { ...plain, sources, theme: { ...plain.theme, font } };
  const file = join(folder, 'thin');
  copyFileSync(FONTS.woff2, file);
  const painters = [
    await SkiaPainter.create({ plan: plain, files: new Map() }),
    await SkiaPainter.create({ plan: themed, files: new Map([['font', file]]) }),
  ] as const;
  const boards = painters.map((painter) => painter.paint('board', plain.painted.board[0]!, frames(1))!.still.rgba);
  assert.notDeepEqual(boards[0], boards[1]);
  const [ours, theirs] = painters.map(
    (painter) => painter.paint('subtitle', plain.painted.subtitle[0]!, frames(1))!.still.rect.width,
  );
  assert.ok(theirs! < ours! * 0.95, `thin letters are narrower: ${theirs} of ${ours}`);
  assert.deepEqual(painters[1].warnings, []);
});
