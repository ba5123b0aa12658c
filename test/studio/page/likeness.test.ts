import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ssim } from '../../browser/ssim.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { exactFrame, goTo, looked } from './exact-frames.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

const PRESETS = [
  { name: 'preset_one', width: 960, height: 540, aliases: ['landscape'], label: 'Landscape' },
  { name: 'preset_two', width: 540, height: 960, aliases: ['portrait'], label: 'Portrait' },
  { name: 'preset_three', width: 640, height: 640, aliases: ['square'], label: 'Square' },
];

const MIN_SSIM = 0.996;
/** Letters' edges differ by a tone curve, and pictures here are small and full of letters: 0.9953 to 0.9975. */
const MIN_WRITTEN_SSIM = 0.995;

describe('the preview matches the export', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;

  before(async () => {
    const presets = PRESETS.map(({ label: _, ...preset }) => preset);
    [service, browser] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(presets) }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** The similarity of the two, if it is below the limit. */
  async function unlike(
    of: ProjectOnDisk,
    at: Readonly<Record<string, readonly number[]>>,
    least: number,
  ): Promise<string[]> {
    // Tall enough for a frame in its own size beside all lanes.
    const enlarge = (page: Page) => page.setViewportSize({ width: 1440, height: 1400 });
    const studio = await StudioPage.open(browser, service.base, enlarge, 2);
    await studio.openProject(of);
    const found: string[] = [];
    for (const [preset, all] of Object.entries(at)) {
      const { label } = PRESETS.find(({ name }) => name === preset)!;
      await studio.page.getByRole('button', { name: label }).click();
      await studio.page.locator(`.pv-frame[data-preset="${preset}"]`).waitFor();
      for (const frame of all) {
        await goTo(studio, frame);
        const there = await exactFrame(service.base, of, frame, preset);
        const alike = await looked(
          async () => ssim(there, await studio.picture()),
          (likeness) => likeness >= least,
        );
        if (alike < least) found.push(`${preset} at ${frame}: SSIM ${alike}`);
      }
    }
    assert.deepEqual(studio.complaints, []);
    await studio.page.close();
    return found;
  }

  test('[C58] [C59] in the middle of each transition, and while a picture moves', async () => {
    // As large as the canvas, since browsers enlarge pictures by another curve than the engine.
    const files = { one: leaves('one', 47), other: leaves('other', 131) };
    const videos = [null, 'crossfade', 'dip', 'wipe', 'push', 'zoom'].map((kind, index) => ({
      // The id chooses how it moves.
      ...{
        id: `photo ${index}`,
        file_field: index % 2 === 0 ? 'one' : 'other',
        start: index,
        duration: kind === 'zoom' ? 2 : 1,
        fit: 'cover',
      },
      ...(kind !== null && { transition: { kind, duration: 0.8 } }),
      ...(kind === 'zoom' && { motion: 'ken_burns' }),
    }));
    const project = {
      tier_list: {},
      timeline_data: { videos },
      settings: { preset: 'landscape', background: '#34405a' },
      files,
    };
    const middles = [27, 55, 65, 92, 122, 153];
    assert.deepEqual(await unlike(project, { preset_one: [...middles, 190], preset_two: [92, 190] }, MIN_SSIM), []);
  });

  test('[C60] [C61] [C62] titles, captions with words and a gradient that a spotlight dims, in every format', async () => {
    const items = ['Pretzel', 'Popcorn', 'Celery'].map((name) => ({ id: name.toLowerCase(), name }));
    const project = {
      tier_list: {
        title: 'Snacks',
        rows: [
          { id: 'S', items: ['pretzel'] },
          { id: 'A', items: ['popcorn', 'celery'] },
        ],
        items,
      },
      timeline_data: {
        tier_blocks: [{ start: 1, duration: 3 }],
        tier_tiles: [{ tier_item_id: 'pretzel', position: 1.5 }],
        titles: [
          { text: 'Every snack', subtext: 'ranked', kind: 'card', start: 0, duration: 0.7 },
          { text: 'Round one', start: 1, duration: 3 },
          { text: 'Mia', subtext: 'eats everything', kind: 'lower_third', start: 1, duration: 3 },
        ],
        subtitles: [
          {
            text: 'now we are talking',
            start: 2.5,
            duration: 1.5,
            style: 'pop',
            words: [
              { text: 'now', start: 2.6 },
              { text: 'we', start: 2.9 },
            ],
          },
        ],
      },
      settings: {
        reveal: 'spotlight',
        preset: 'landscape',
        background: { kind: 'gradient', colors: ['#3b1d8f', '#d6336c', '#ff922b'], angle: 45, moving: true },
      },
      files: {},
    };
    // The card, the dimmed board, and the words.
    const at = [12, 65, 84];
    assert.deepEqual(await unlike(project, { preset_one: at, preset_two: at, preset_three: at }, MIN_WRITTEN_SSIM), []);
  });
});

/** Round forms in many sizes: one that is a pixel off is detected. */
function leaves(name: string, turn: number): string {
  const canvas = createCanvas(960, 540);
  const context = canvas.getContext('2d');
  context.fillStyle = `hsl(${turn} 40% 60%)`;
  context.fillRect(0, 0, 960, 540);
  for (let leaf = 0; leaf < 300; leaf += 1) {
    context.fillStyle = `hsl(${(leaf * turn) % 360} 50% ${30 + (leaf % 5) * 10}%)`;
    context.beginPath();
    context.ellipse((leaf * 457) % 960, (leaf * 283) % 540, 12 + (leaf % 7) * 8, 8 + (leaf % 4) * 7, leaf, 0, 7);
    context.fill();
  }
  const file = join(clipFolder(), `${name}.png`);
  writeFileSync(file, canvas.toBuffer('image/png'));
  return file;
}
