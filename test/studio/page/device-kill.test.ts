import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { numbersIn, outFolder } from '../../engine/encode/render-video.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { becomesTrue } from './shell-page.ts';
import { StudioPage } from './studio-page.ts';

/** How often the tab is killed: three times in every run of the tests, five times as often with `KILL_ROUNDS=5`. */
const KILLS = 3 * Number(process.env.KILL_ROUNDS ?? 1);
const FRAMES = 420;
/** Reports of progress are some frames apart; kills are not. */
const MOST_MS = 200;

const PRESETS = [
  { name: 'preset_one', width: 320, height: 180, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 240, height: 240, aliases: ['square'] },
];

/** Counts the progress that workers report. */
const LISTEN = `(() => {
  globalThis.share = 0;
  globalThis.found = 0;
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      super(url, options);
      if (options?.name !== 'device-worker') return;
      this.addEventListener('message', ({ data }) => {
        if (data.kind !== 'progress') return;
        globalThis.share = data.share;
        if (data.isFound) globalThis.found += 1;
      });
    }
  };
})()`;

/** A moment of an export: after so much of it, and so many milliseconds later. */
const MOMENT = fc.record({ percent: fc.integer({ min: 0, max: 95 }), ms: fc.nat(MOST_MS) });
/** Something is finished by then. */
const LAST_MOMENT = { percent: 60, ms: 0 };

test('[R46] an export whose tab is killed at any moments has every frame once', {
  skip: noBrowser,
  timeout: 280_000,
}, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS) });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const { file } = await makeClip({ frames: FRAMES, width: 128, height: 72 });
    const project = {
      tier_list: { title: 'Numbers', rows: [{ id: 'S', item_ids: [] }], items: [] },
      timeline_data: { videos: [{ file_field: 'clip', start: 0, duration: FRAMES / 30 }] },
      settings: { preset: 'landscape' },
      files: { clip: file },
    };
    const exporting = async () => {
      const studio = await StudioPage.open(context, service.base, (page) => page.addInitScript(LISTEN));
      await studio.openProject(project);
      await exportHere(studio.page);
      return studio;
    };
    for (const { percent, ms } of [...fc.sample(MOMENT, KILLS - 1), LAST_MOMENT]) {
      const { page } = await exporting();
      await becomesTrue(page, `100 * globalThis.share > ${percent} || document.querySelector('.or.done') !== null`);
      await setTimeout(ms);
      await kill(page);
    }
    const { page, complaints } = await exporting();
    const link = page.locator('.or').getByRole('link', { name: /Download/ });
    await link.waitFor();
    assert((await page.evaluate<number>('globalThis.found')) > 0);
    const saved = page.waitForEvent('download');
    await link.click();
    const made = join(outFolder(), 'numbers.mp4');
    await (await saved).saveAs(made);
    assert.deepEqual(complaints, []);
    const { numbers } = await numbersIn(made);
    assert.deepEqual(
      numbers,
      Array.from({ length: FRAMES }, (_, n) => n),
    );
  } finally {
    await browser.close();
  }
});

async function exportHere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Formats and quality' }).click();
  await page.getByRole('radio', { name: 'On this device' }).click();
  for (const name of ['Portrait', 'Square']) await page.getByRole('checkbox', { name }).uncheck();
  await page.getByRole('button', { name: 'Export one format' }).click();
}

async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}
