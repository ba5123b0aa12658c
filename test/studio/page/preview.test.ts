import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import type { Browser, Page } from 'playwright-core';
import { clipTime } from '../../../src/plan/frame/clip-at-frame.ts';
import { type Frames, frames } from '../../../src/time.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ssim } from '../../browser/ssim.ts';
import { type Clip, makeClip } from '../../fixtures/clips.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { SENTENCES } from '../../paint/layout/declaration-of-rights.ts';
import type { Picture } from '../../paint/picture-difference.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { exactFrame, goTo, looked } from './exact-frames.ts';
import { openExample } from './shell-page.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

const PRESETS = [
  { name: 'preset_one', width: 960, height: 540, aliases: ['landscape'] },
  { name: 'preset_two', width: 540, height: 960, aliases: ['portrait'] },
  { name: 'preset_three', width: 640, height: 640, aliases: ['square'] },
];
const SNACKS = join(import.meta.dirname, '..', '..', '..', 'examples', 'snacks');

/** Letters’ edges differ by a tone curve, and pictures here are small and full of letters; anything out of place costs far more. */
const MIN_SSIM = 0.9955;

/** How often the test checks for something that must not appear. */
const LOOKS = 20;

describe('the preview', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;
  let clip: Clip;
  let project: ProjectOnDisk;

  before(async () => {
    [service, browser, clip] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS) }),
      launchBrowser(),
      makeClip({ frames: 75, rate: { num: 30000, den: 1001 }, gop: 12, bFrames: 2, sound: { seconds: 2.5 } }),
    ]);
    const { tier_list } = JSON.parse(readFileSync(join(SNACKS, 'project.json'), 'utf8'));
    project = {
      tier_list,
      timeline_data: {
        videos: [
          { file_field: 'clip', start: 0, duration: 2 },
          { file_field: 'clip', start: 2, duration: 1.5, trim_start: 0.4, speed: 1.25 },
          // What the engine does by hand: a round picture, framed, on its way in at the first frame that is compared.
          {
            file_field: 'popcorn_photo',
            start: 3.5,
            duration: 4,
            ...{ x_percent: 72, y_percent: 6, width_percent: 24, height_percent: 40 },
            ...{ shape: 'circle', border_color: '#ffd540', shadow: true, enter: 'rise', enter_duration: 0.6 },
          },
        ],
        tier_blocks: [{ start: 3.5, duration: 4 }],
        tier_tiles: [
          { tier_item_id: 'pretzel', position: 4 },
          { tier_item_id: 'popcorn', position: 5.5 },
        ],
        subtitles: [{ text: `A solid start 🤖🚀🍿🎈🦊🎉\n${SENTENCES.thai[5]}`, start: 4, duration: 3 }],
      },
      // Not black: there, one step of brightness more or less is a large part of what there is.
      settings: { reveal: 'spotlight', preset: 'landscape', background: '#34405a' },
      files: {
        clip: clip.file,
        popcorn_photo: photo(),
        ...Object.fromEntries(['popcorn', 'pretzel', 'celery'].map((name) => [name, join(SNACKS, `${name}.svg`)])),
      },
    };
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    if (project !== undefined) rmSync(dirname(project.files.popcorn_photo!), { recursive: true });
  });

  test('[R5] shows the planned frame of a clip, frame by frame, whatever its rate, trim and speed', async () => {
    const studio = await StudioPage.open(browser, service.base);
    await studio.openProject(project);
    const { plans } = await studio.lastPlan();
    const plan = plans.preset_one!;
    await studio.page.keyboard.press('Home');
    const shown: (number | null)[] = [];
    const wanted: number[] = [];
    for (let n = 0; n < 105; n += 1) {
      await studio.seesFrame(n);
      wanted.push(frameAt(clip, clipTime(plan.clips[n < 60 ? 0 : 1]!, frames(n), plan.rate)));
      shown.push(
        await looked(
          () => numberNow(studio),
          (number) => number === wanted[n],
        ),
      );
      await studio.page.keyboard.press('ArrowRight');
    }
    assert.deepEqual(shown, wanted);
    // And back, across the cut.
    await studio.seesFrame(105);
    await studio.page.keyboard.press('Shift+ArrowLeft');
    for (let n = 75; n >= 56; n -= 1) {
      await studio.seesFrame(n);
      if (n < 63)
        assert.equal(
          await looked(
            () => numberNow(studio),
            (number) => number === wanted[n],
          ),
          wanted[n],
        );
      await studio.page.keyboard.press('ArrowLeft');
    }
    assert.deepEqual(studio.complaints, []);
    await studio.page.close();
  });

  test('[R11] [R13] [R14] [C47] [C61] shows boards, on glass and on backgrounds too, reveals in motion and words as POST /video/frames does, in every format; a text drawn before its font arrived is drawn again', async () => {
    const held = Promise.withResolvers<void>();
    const lists: string[] = [];
    const holdEmoji = (page: Page) => {
      page.on('request', (request) => lists.push(...(/\/assets\/words\/.*/.exec(request.url()) ?? [])));
      return page.context().route(/fonts\/.*emoji/i, (route) => held.promise.then(() => route.continue()));
    };
    const studio = await StudioPage.open(browser, service.base, holdEmoji, 2);
    await openExample(studio.page);
    // The example opens at a line with a red heart in it.
    await studio.page.getByTitle('a font is still loading').waitFor();
    await studio.page.getByText('Drawing the example').waitFor({ state: 'detached' });
    assert.equal(redPixels(await studio.picture()), 0);
    held.resolve();
    await studio.page.locator('.pv-frame[data-settled="true"]').waitFor();
    const red = await looked(
      async () => redPixels(await studio.picture()),
      (count) => count > 50,
    );
    assert.ok(red > 50, `${red} red pixels`);
    assert.deepEqual(lists, [], 'the words of scripts without spaces come when a text has one');
    // The area under glass is blurred by our own code, in both. (C47)
    const onGlass = { ...project, settings: { ...project.settings, theme: { glass: true } } };
    const behind = (background: object) => ({ ...project, settings: { ...project.settings, background } });
    const onGradient = behind({ kind: 'gradient', colors: ['#3b1d8f', '#d6336c', '#ff922b'], angle: 45, moving: true });
    const onPicture = behind({ kind: 'image', file_field: 'popcorn_photo', blur: 40 });
    const found: string[] = [];
    for (const [of, preset, label, at] of [
      [project, 'preset_one', 'Landscape', [115, 150, 175]],
      [project, 'preset_two', 'Portrait', [150]],
      [project, 'preset_three', 'Square', [175]],
      [onGlass, 'preset_three', 'Square', [175]],
      [onGradient, 'preset_two', 'Portrait', [115]],
      [onPicture, 'preset_three', 'Square', [115]],
    ] as const) {
      if (preset === 'preset_one' || of !== project) await studio.openProject(of);
      await studio.page.getByRole('button', { name: label }).click();
      await studio.page.locator(`.pv-frame[data-preset="${preset}"]`).waitFor();
      for (const frame of at) {
        await goTo(studio, frame);
        const there = await exactFrame(service.base, of, frame, preset);
        const likeness = async () => {
          const here = await studio.picture();
          assert.deepEqual([here.width, here.height], [there.width, there.height]);
          return ssim(there, here);
        };
        const alike = await looked(likeness, (found) => found >= MIN_SSIM);
        if (alike < MIN_SSIM) found.push(`${preset} at ${frame}${of === onGlass ? ' on glass' : ''}: SSIM ${alike}`);
      }
    }
    assert.deepEqual(found, []);
    assert.deepEqual(lists, ['/assets/words/thai']);
    assert.deepEqual(studio.complaints, []);
    await studio.page.close();
  });

  test('[R5] without WebCodecs the browser plays the clip, and the studio says so; when paused the service makes the frame; a restored file is shown immediately', async () => {
    const studio = await StudioPage.open(browser, service.base, (page) =>
      page.context().route(/\/canvas-worker/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `delete globalThis.VideoDecoder;${await response.text()}` });
      }),
    );
    const { page } = studio;
    await studio.openProject(project);
    await goTo(studio, 30);
    const isNear = (number: number | null) => number !== null && Math.abs(number - 30) <= 1;
    const seen = await looked(() => numberNow(studio), isNear);
    assert.ok(isNear(seen), `frame ${seen} of the clip`);
    // While it plays the element plays along.
    await page.keyboard.press('Space');
    await page.locator('.pv-play[aria-label=Pause]').waitFor();
    await page.evaluate(`new Promise((played) => {
      const look = () => (document.querySelector('.pv-frame').dataset.frame > 40 ? played() : requestAnimationFrame(look));
      look();
    })`);
    await page.keyboard.press('Space');
    await page.locator('.pv-exact[data-close=true]').waitFor();
    await page.getByRole('button', { name: 'Send while I edit' }).click();
    await page.getByText('Exact frame').waitFor();

    // The browser has cleared the files away; the project still knows them.
    await page.evaluate(
      `navigator.storage.getDirectory().then((root) => root.removeEntry('media', { recursive: true }))`,
    );
    await page.reload();
    await studio.seesFrame(0);
    await goTo(studio, 30);
    for (let looks = 0; looks < LOOKS; looks += 1) assert.equal(await numberNow(studio), null);
    const { orders } = studio;
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('complementary', { name: 'Media' }).getByRole('button', { name: 'Add' }).click();
    await (await choosing).setFiles(clip.file);
    const again = await looked(() => numberNow(studio), isNear);
    assert.ok(isNear(again), `frame ${again} of the clip that came back`);
    assert.equal(studio.orders, orders, 'nothing had to be planned anew');
    // A file that the service does not have yet is expected, but a browser logs it as an error.
    assert.deepEqual(
      studio.complaints.filter((text) => !/status of 404/.test(text)),
      [],
    );
    await page.close();
  });
});

/** The lowest sixth, where words are. */
function redPixels({ width, height, rgba }: Picture): number {
  let count = 0;
  for (let at = Math.floor((height * 5) / 6) * width * 4; at < rgba.length; at += 4) {
    if (rgba[at]! > 180 && rgba[at + 1]! < 90 && rgba[at + 2]! < 90) count += 1;
  }
  return count;
}

/** A smooth picture: how it is scaled is not what is compared. */
function photo(): string {
  const canvas = createCanvas(480, 480);
  const context = canvas.getContext('2d');
  const shade = context.createLinearGradient(0, 0, 480, 480);
  shade.addColorStop(0, '#d8463a');
  shade.addColorStop(1, '#2f7fd0');
  context.fillStyle = shade;
  context.fillRect(0, 0, 480, 480);
  const file = join(mkdtempSync(join(tmpdir(), 'tiercut-photo-')), 'photo.png');
  writeFileSync(file, canvas.toBuffer('image/png'));
  return file;
}

/** Numbers of frames can be read from this. */
const TINY = { width: 80, height: 45 };

async function numberNow(studio: StudioPage): Promise<number | null> {
  return numberOn(await studio.picture(TINY));
}

function numberOn({ width, height, rgba }: Picture): number | null {
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i += 1) data[i] = rgba[i * 4 + 1]!;
  return readFrameNumber({ data, stride: width, width, height });
}

/** The frame of a clip that is due at a source time. (R5) */
function frameAt({ times }: Clip, micros: number): number {
  return times.findLastIndex((seconds) => seconds * 1e6 - 1.5 <= micros) as Frames;
}
