import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { wavFile } from '../../../src/studio/example/wav-file.ts';
import { SAMPLE_RATE } from '../../../src/time.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { completed, dropFiles, dropPictures, keptProject, openStudio } from './shell-page.ts';

const MAX_ACTIONS = 38;
const PICTURES = 12;

/** What a person does, counted: a click, a key, a drop, a choice or the text of a field is one action. */
class Actions {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(what: Locator): Promise<void> {
    this.count += 1;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.type(text);
  }

  async drop(run: () => Promise<void>): Promise<void> {
    this.count += 1;
    await run();
  }
}

test(`a new user makes a video in at most ${MAX_ACTIONS} actions: pictures, title, facecam, voice, music, layout, timing, captions, three downloads`, {
  skip: noBrowser,
  timeout: 280_000,
}, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'silent' });
  const facecam = await makeClip({ frames: 150, width: 160, height: 90 });
  const files = [
    ['facecam.mp4', await readFile(facecam.file)],
    ['voice.wav', await sound(5, (seconds) => (seconds % 0.5 < 0.25 ? tone(seconds, 180) : 0))],
    ['music.wav', await sound(6, (seconds) => tone(seconds, 220) + tone(seconds, 330))],
  ] as const;
  const browser = await launchBrowser();
  try {
    await using studio = await openStudio(browser, service);
    const { page, faults } = studio;
    const lost: string[] = [];
    page.on('response', (reply) => {
      if (reply.status() === 404) lost.push(reply.url());
    });
    await page.locator('.first').waitFor();
    const actions = new Actions(page);

    await actions.drop(() => dropPictures(page, PICTURES));
    await page
      .locator('.pool .tile')
      .nth(PICTURES - 1)
      .waitFor();
    await actions.click(page.locator('#tile-picture_0'));
    for (let i = 0; i < PICTURES; i += 1) await actions.press(String((i % 6) + 1));
    await page.locator('.pool .tile').first().waitFor({ state: 'detached' });

    await actions.click(page.getByLabel('Title', { exact: true }));
    await actions.type('Every snack');
    await actions.drop(() => dropFiles(page, files));
    await page.locator('.tl-head', { hasText: 'Voice' }).waitFor();
    await page.locator('.tl-head', { hasText: 'Music' }).waitFor();
    await actions.click(page.getByRole('button', { name: /^Layout: / }));
    await actions.click(page.getByRole('radio', { name: 'Cam left' }));
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:02,500 --> 00:00:04,000\nAnd here it goes\n';
    await actions.drop(() => dropFiles(page, [['words.srt', Buffer.from(srt)]]));

    await actions.click(page.getByRole('button', { name: 'Tap to reveal' }));
    const next = page.locator('.tl-recorder .prim');
    await next.waitFor();
    const [bar, play] = [
      await page.locator('.tl-recorder').boundingBox(),
      await page.locator('.pv-play').boundingBox(),
    ];
    assert.ok(bar!.y >= play!.y + play!.height, 'the tap bar leaves the play button free');
    for (let i = 0; i < PICTURES; i += 1) {
      // To the next frame at least: two reveals never share one.
      const before = await page.locator('.tl-clock').textContent();
      await page.locator('.tl-clock').filter({ hasNotText: before! }).waitFor();
      await actions.press('r');
    }
    await next.getByText('All revealed').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1, 'it plays on after the last tap');
    await actions.click(page.getByRole('button', { name: 'Done' }));

    await actions.click(page.locator('.top').getByRole('button', { name: 'Export', exact: true }));
    await completed(page);
    const names = new Set<string>();
    for (const preset of ['preset_one', 'preset_two', 'preset_three']) {
      const coming = page.waitForEvent('download');
      await actions.click(page.locator(`.or[data-preset=${preset}]`).getByRole('link', { name: 'Download' }));
      const download = await coming;
      names.add(download.suggestedFilename());
      const bytes = await readFile(await download.path());
      assert.equal(bytes.toString('latin1', 4, 8), 'ftyp', preset);
    }

    assert.equal(names.size, 3, `${[...names]}`);
    const { tier_list, timeline_data, settings } = await keptProject(page);
    assert.deepEqual(
      tier_list.rows.map(({ item_ids }) => item_ids?.length),
      [2, 2, 2, 2, 2, 2],
    );
    const times = timeline_data.tier_tiles.map(({ position }) => position);
    assert.equal(new Set(times).size, PICTURES, 'each was tapped at its own time');
    assert.deepEqual(timeline_data.soundtracks.map(({ role }) => role).sort(), ['music', 'voice']);
    assert.deepEqual(
      timeline_data.subtitles.map(({ text }) => text),
      ['Hello', 'And here it goes'],
    );
    const camera = timeline_data.videos[0]!;
    assert.deepEqual(
      [settings.layout, camera.width_percent],
      ['left', undefined],
      'the camera stands beside the board',
    );
    assert.equal(tier_list.title, 'Every snack');
    assert.deepEqual([...faults, ...lost], []);
    assert.ok(actions.count <= MAX_ACTIONS, `${actions.count} actions`);
  } finally {
    await browser.close();
  }
});

function tone(seconds: number, hertz: number): number {
  return 0.2 * Math.sin(2 * Math.PI * hertz * seconds);
}

async function sound(seconds: number, at: (seconds: number) => number): Promise<Buffer> {
  const left = Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, n) => at(n / SAMPLE_RATE));
  return Buffer.from(await wavFile({ left, right: left }).arrayBuffer());
}
