import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext } from 'node-av/lib';
import type { Browser, Page } from 'playwright-core';
import { LoudnessMeter } from '../../../src/sound/dsp/loudness-meter.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ssim } from '../../browser/ssim.ts';
import { eachFrame, outFolder } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import type { Picture } from '../../paint/picture-difference.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 240, height: 240, aliases: ['square'] },
];
/** Frames that are compared: every so many. */
const EVERY = 6;
const MIN_SSIM = 0.99;

const PROJECT: ProjectOnDisk = {
  tier_list: {
    title: 'Every snack: ranked',
    rows: [
      { id: 'S', item_ids: ['pretzel'] },
      { id: 'A', item_ids: ['popcorn', 'celery'] },
    ],
    items: ['Pretzel', 'Popcorn', 'Celery'].map((name) => ({ id: name.toLowerCase(), name })),
  },
  timeline_data: {
    tier_blocks: [{ start: 0, duration: 5 }],
    tier_tiles: [
      { tier_item_id: 'pretzel', position: 1 },
      { tier_item_id: 'popcorn', position: 3 },
    ],
    subtitles: [{ text: 'now we are talking', start: 2.5, duration: 1.5 }],
  },
  settings: { preset: 'landscape', reveal: 'spotlight', reveal_sound: 'pop', loudness: -16 },
  files: {},
};

describe('an export on this device', { skip: noBrowser, timeout: 280_000 }, () => {
  let service: ServiceFixture;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS) }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('[R17] [R18] has the frames, the sound, the chapters and the title of an export of the service', async () => {
    const folder = outFolder();
    const [here, there] = [join(folder, 'here.mp4'), join(folder, 'there.mp4')];
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(PROJECT);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(`${request.method()} ${request.url()}`);
    });
    await exportHere(page);
    const link = page.getByRole('link', { name: /Download/ });
    await link.waitFor();
    const saved = page.waitForEvent('download');
    await link.click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'Every snack ranked-landscape.mp4');
    await download.saveAs(here);
    assert.deepEqual(studio.complaints, []);
    assert.deepEqual(
      asked.filter((request) => /media|exports/.test(request)),
      [],
    );
    await page.close();

    writeFileSync(there, await exportOf(PROJECT));
    assert.deepEqual(await factsOf(here), await factsOf(there));
    const [ours, theirs] = [await picturesOf(here), await picturesOf(there)];
    const least = ours.map((picture, n) => ssim(picture, theirs[n]!));
    const low = least.flatMap((value, n) => (value < MIN_SSIM ? [`frame ${n * EVERY}: ${value.toFixed(4)}`] : []));
    assert.deepEqual(low, []);
    const [heard, wanted] = [await decodedTrack(here), await decodedTrack(there)];
    assert.deepEqual([heard.firstAt, heard.toldLength], [wanted.firstAt, wanted.toldLength]);
    assert(Math.abs(loudness(heard) - loudness(wanted)) < 0.1, `${loudness(heard)} LUFS, not ${loudness(wanted)}`);
  });

  test('a browser without an encoder says so, and exports on the service instead', async () => {
    const studio = await StudioPage.open(browser, service.base, (page) =>
      page.addInitScript('delete globalThis.VideoEncoder'),
    );
    const { page } = studio;
    await studio.openProject(PROJECT);
    await exportHere(page);
    await page.getByRole('alert').getByText('This browser has no H.264 encoder').waitFor();
    await page.getByRole('button', { name: 'Export on the service instead' }).click();
    await page
      .locator('.or[data-preset="preset_one"].done')
      .getByRole('link', { name: /Download/ })
      .waitFor();
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });

  test('it can be stopped, and begun again', async () => {
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(PROJECT);
    await exportHere(page);
    await page.getByRole('button', { name: 'Stop all' }).click();
    await page.locator('.or[data-preset="preset_one"]').getByText('Stopped').waitFor();
    await page.getByRole('button', { name: 'Export one format' }).last().click();
    await page.getByRole('link', { name: /Download/ }).waitFor();
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });

  /** The file that the service makes. */
  async function exportOf({ tier_list, timeline_data, settings }: ProjectOnDisk): Promise<Buffer> {
    const form = new FormData();
    for (const [name, document] of Object.entries({ tier_list, timeline_data, settings })) {
      form.set(name, JSON.stringify(document));
    }
    const reply = await fetch(`${service.base}/video/exports`, {
      method: 'POST',
      body: form,
      headers: { accept: 'video/mp4' },
    });
    assert.equal(reply.status, 201);
    return Buffer.from(await reply.arrayBuffer());
  }
});

/** Exports in one format, on this device. */
async function exportHere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Formats and quality' }).click();
  await page.getByRole('radio', { name: 'On this device' }).click();
  for (const name of ['Portrait', 'Square']) await page.getByRole('checkbox', { name }).uncheck();
  await page.getByRole('button', { name: 'Export one format' }).click();
}

/** What a player reads of a file before it plays it. */
async function factsOf(file: string) {
  await using format = new FormatContext();
  assert(0 <= (await format.openInput(file)));
  assert(0 <= (await format.findStreamInfo(null)));
  const { codecpar, nbFrames, avgFrameRate, duration } = format.streams[format.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
  const { width, height, profile, level, colorRange, colorSpace, colorPrimaries, colorTrc } = codecpar;
  return {
    ...{ width, height, profile, level, colorRange, colorSpace, colorPrimaries, colorTrc },
    ...{ nbFrames, duration, rate: [avgFrameRate.num, avgFrameRate.den], streams: format.nbStreams },
    title: format.metadata?.get('title'),
    chapters: boxOf(file, 'chpl'),
  };
}

/** A box with the marks of chapters, in hexadecimal. */
function boxOf(file: string, type: string): string {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return bytes.subarray(at, at + bytes.readUInt32BE(at)).toString('hex');
}

/** The luma of some frames, as pictures in grey. */
async function picturesOf(file: string): Promise<Picture[]> {
  const pictures: Picture[] = [];
  let n = 0;
  await eachFrame(file, ({ data, linesize, width, height }) => {
    n += 1;
    if ((n - 1) % EVERY !== 0) return;
    const rgba = Buffer.alloc(4 * width * height, 255);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1)
        rgba.fill(data![0]![y * linesize[0]! + x]!, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
    pictures.push({ width, height, rgba });
  });
  return pictures;
}

function loudness(sound: Parameters<LoudnessMeter['push']>[0]): number {
  const meter = new LoudnessMeter();
  meter.push(sound);
  return meter.integrated()!;
}
