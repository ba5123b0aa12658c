import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { AVCOL_SPC_SMPTE170M, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext } from 'node-av/lib';
import type { Browser, Page } from 'playwright-core';
import type { PublishingKit } from '../../../packages/client/src/client.ts';
import { AacWriter } from '../../../src/engine/sound/render-sound.ts';
import { LoudnessMeter } from '../../../src/sound/dsp/loudness-meter.ts';
import { SAMPLE_RATE } from '../../../src/time.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ssim } from '../../browser/ssim.ts';
import { eachFrame, outFolder } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { makeClip } from '../../fixtures/clips.ts';
import type { Picture } from '../../paint/picture-difference.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { becomesTrue, completed } from './shell-page.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 128, height: 128, aliases: ['square'] },
];
/** Frames that are compared: every so many. */
const EVERY = 10;
const MIN_SSIM = 0.99;
const MIN_FILM_SSIM = { mean: 0.995, least: 0.99 };
/** Texts of a few pixels differ more. */
const MIN_SMALL_SSIM = 0.97;
/** Of sounds: samples that are written and compared at once, how far apart they are looked for, and how alike they are. */
const [BLOCK, WINDOW, MAX_LATE, MIN_FIT] = [4800, 12_000, 40, 0.99];

/** The parts of videos that are stored, with their times. */
const PARTS = `(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('rendered', { create: true });
  const parts = [];
  for await (const [name, handle] of folder.entries()) {
    // A file that is being written has another name, and is gone soon.
    const file = /^[0-9a-f]+$/.test(name) ? await handle.getFile().catch(() => null) : null;
    if (file?.size > 0) parts.push([name, file.size, file.lastModified].join(' '));
  }
  return parts;
})()`;

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
    tier_blocks: [{ start: 0, duration: 9 }],
    tier_tiles: [
      { tier_item_id: 'pretzel', position: 1 },
      { tier_item_id: 'popcorn', position: 6 },
    ],
    subtitles: [{ text: 'now we are talking', start: 2.5, duration: 1.5 }],
  },
  settings: { preset: 'landscape', reveal: 'spotlight', reveal_sound: 'pop', loudness: -16 },
  files: {},
};

let service: ServiceFixture;
let browser: Browser;
const folder = outFolder();
let files = 0;
let there: Promise<string> | null = null;

function useService(): void {
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
}

describe('an export on this device is that of the service', { skip: noBrowser, timeout: 280_000 }, () => {
  useService();

  test('[R17] [R18] has the frames, the sound, the chapters and the title of an export of the service', async () => {
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(PROJECT);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(`${request.method()} ${request.url()}`);
    });
    await exportHere(page);
    const { file, name } = await downloaded(page);
    assert.equal(name, 'Every snack ranked-landscape.mp4');
    await publishesAsOnService(page);
    assert.deepEqual(studio.complaints, []);
    assert.deepEqual(
      asked.filter((request) => /media|exports/.test(request)),
      [],
    );
    await page.close();
    await looksAsOnService(file);
    const [heard, wanted] = [await decodedTrack(file), await decodedTrack(await onService())];
    assert.deepEqual([heard.firstAt, heard.toldLength], [wanted.firstAt, wanted.toldLength]);
    assert(Math.abs(loudness(heard) - loudness(wanted)) < 0.1, `${loudness(heard)} LUFS, not ${loudness(wanted)}`);
  });

  test('[R15] [C17] half speed and loops sound as in an export of the service', async () => {
    const voice = join(folder, 'voice.mp4');
    await writeSound(voice, 6);
    const project: ProjectOnDisk = {
      tier_list: { title: 'Slow', rows: [{ id: 'S', item_ids: [] }], items: [] },
      timeline_data: {
        audios: [{ file_field: 'voice', start: 0, duration: 5, trim_start: 1.3, speed: 0.5, audio_volume: 0.8 }],
        soundtracks: [{ file_field: 'voice', start: 5, duration: 4, trim_start: 2.1, trim_end: 3.4, loop: true }],
        tier_blocks: [{ start: 0, duration: 9 }],
      },
      settings: { preset: 'landscape', loudness: -16 },
      files: { voice },
    };
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    await studio.openProject(project);
    await exportHere(studio.page);
    const heard = await decodedTrack((await downloaded(studio.page)).file);
    await studio.page.close();
    const there = join(folder, 'slow.mp4');
    writeFileSync(there, await exportOf(project));
    const wanted = await decodedTrack(there);
    assert(Math.abs(loudness(heard) - loudness(wanted)) < 0.1, `${loudness(heard)} LUFS, not ${loudness(wanted)}`);
    assert.deepEqual(differences(heard.left, wanted.left), []);
  });

  test('[C52] shorts are those of the service', async () => {
    const project = { ...PROJECT, settings: { ...PROJECT.settings, shorts: true } };
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(project);
    await exportHere(page);
    await completed(page, page.locator('.or[data-short="1"].done'));
    const rows = await page.locator('.or .oh b').allTextContents();
    assert.deepEqual(rows.slice(0, 2), ['Landscape', 'Short 1']);
    const { file, name } = await downloaded(page, '.or[data-short="1"]');
    assert.equal(name, 'Every snack ranked-short-1.mp4');
    assert.deepEqual(studio.complaints, []);
    await page.close();

    const reply = await fetch(`${service.base}/video/exports`, {
      method: 'POST',
      body: formOf(project),
      headers: { prefer: 'respond-async' },
    });
    const { shorts } = (await reply.json()) as { readonly shorts: readonly { readonly download_url: string }[] };
    assert.equal(shorts.length, rows.length - 1);
    const there = join(folder, 'short.mp4');
    const video = await fetch(new URL(shorts[0]!.download_url, service.base));
    writeFileSync(there, Buffer.from(await video.arrayBuffer()));
    assert.deepEqual(await factsOf(file), await factsOf(there));
    const [ours, theirs] = [await picturesOf(file), await picturesOf(there)];
    const likeness = ours.map((picture, n) => ssim(picture, theirs[n]!));
    assert(Math.min(...likeness) > MIN_SMALL_SSIM, likeness.map((value) => value.toFixed(4)).join(' '));
    const [heard, wanted] = [await decodedTrack(file), await decodedTrack(there)];
    assert(Math.abs(loudness(heard) - loudness(wanted)) < 0.1);
    assert.deepEqual(differences(heard.left, wanted.left), []);
  });

  test('[R24] parts that an encoder gives different levels, because of their rates, have one level', async () => {
    const { file: clip } = await makeClip({ frames: 180, width: 128, height: 128 });
    const project: ProjectOnDisk = {
      tier_list: PROJECT.tier_list,
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 6 }],
        tier_tiles: [{ tier_item_id: 'pretzel', position: 1 }],
        videos: [{ file_field: 'clip', start: 6, duration: 6 }],
      },
      settings: { preset: 'square', quality: 'upload' },
      files: { clip },
    };
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(project);
    await exportHere(page, 'Square');
    const { file } = await downloaded(page);
    assert.deepEqual(studio.complaints, []);
    await page.close();
    const there = join(folder, 'levels.mp4');
    writeFileSync(there, await exportOf(project));
    assert.deepEqual(await factsOf(file), await factsOf(there));
  });

  test('[R46] film looks as in an export of the service: scaled up and down, turned, in other colours, under texts', async () => {
    const clips = await Promise.all([
      makeClip({ frames: 30, width: 1280, height: 720 }),
      makeClip({ frames: 30, width: 360, height: 640, orientation: { quarterTurns: 1, mirrored: false } }),
      makeClip({ frames: 30, width: 320, height: 240, color: { matrix: AVCOL_SPC_SMPTE170M } }),
    ]);
    const project = filmOf(clips.map(({ file }) => file));
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    await studio.openProject(project);
    await exportHere(studio.page);
    const { file } = await downloaded(studio.page);
    assert.deepEqual(studio.complaints, []);
    await studio.page.close();
    const there = join(folder, 'film.mp4');
    writeFileSync(there, await exportOf(project));
    assert.deepEqual(await factsOf(file), await factsOf(there));
    const [ours, theirs] = [await picturesOf(file), await picturesOf(there)];
    const likeness = ours.map((picture, n) => ssim(picture, theirs[n]!));
    const told = likeness.map((value) => value.toFixed(4)).join(' ');
    assert(Math.min(...likeness) >= MIN_FILM_SSIM.least, told);
    assert(likeness.reduce((sum, value) => sum + value, 0) / likeness.length >= MIN_FILM_SSIM.mean, told);
  });
});

describe('an export on this device that cannot be made, or is interrupted', {
  skip: noBrowser,
  timeout: 280_000,
}, () => {
  useService();

  test('[R46] an entry that only the service can render is named before anything is rendered', async () => {
    const voice = join(folder, 'noisy.mp4');
    await writeSound(voice, 2);
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject({
      ...PROJECT,
      timeline_data: {
        ...PROJECT.timeline_data,
        audios: [{ file_field: 'voice', start: 0, duration: 2, denoise: true }],
      },
      files: { voice },
    });
    await page.getByRole('button', { name: 'Formats and quality' }).click();
    const here = page.getByRole('radio', { name: 'On this device' });
    await here.getByText('Only a Tiercut service reduces noise.').waitFor();
    await here.getByText('It is about noisy.mp4.').waitFor();
    assert.equal(await here.isDisabled(), true);
    assert.equal(await page.getByRole('radio', { name: /^On the service/ }).getAttribute('aria-checked'), 'true');
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });

  test('[R46] a codec that the browser cannot decode is named before anything is rendered, and the service offered', async () => {
    const { file } = await makeClip({ frames: 30, width: 160, height: 90, codec: 'mpeg4', container: 'mp4' });
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    await studio.openProject(filmOf([file]));
    await refuses(
      studio.page,
      `This browser does not show a clip exactly as a Tiercut service does. It is about ${basename(file)}.`,
    );
    assert.deepEqual(studio.complaints, []);
    await studio.page.close();
  });

  test('[R46] a font that does not arrive is named before anything is rendered, and the service offered', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const studio = await StudioPage.open(context, service.base);
    await studio.openProject(PROJECT);
    const lost: string[] = [];
    await context.route(/[.](ttf|otf|woff2)/, (route) => {
      lost.push(route.request().url());
      return route.abort();
    });
    await refuses(studio.page, 'A font could not be loaded. Check your connection, then try again.');
    assert(lost.length > 0);
    await context.close();
  });

  test('[R46] what fails while a video is rendered is said with its reason, and nothing of it is used later', async () => {
    const studio = await StudioPage.open(browser, service.base, undefined, 1);
    const { page } = studio;
    await studio.openProject(PROJECT);
    let flaw = '';
    await page.route(/device-worker-\w+\.js$/, async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: `${flaw}\n${await reply.text()}` });
    });
    const again = page.getByRole('button', { name: 'Export one format' }).last();
    // Another profile than that of the test card.
    flaw =
      "const configure = VideoEncoder.prototype.configure; VideoEncoder.prototype.configure = function (config) { configure.call(this, { ...config, codec: config.codec.replace('6400', '4200') }); };";
    await exportHere(page);
    await page.getByRole('alert').getByText('The encoder of this browser is not the one that was checked.').waitFor();
    flaw = "VideoEncoder.prototype.encode = () => { throw new Error('no frames today'); };";
    await again.click();
    await page.getByRole('alert').getByText('in this browser. The reason: no frames today').waitFor();
    flaw = '';
    await again.click();
    await looksAsOnService((await downloaded(page)).file);
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });

  test('a stopped export and that of a killed tab continue, two tabs make each part once', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const killed = await StudioPage.open(context, service.base);
    await killed.openProject(PROJECT);
    await exportHere(killed.page);
    await killed.page.getByRole('button', { name: 'Stop all' }).click();
    await killed.page.locator('.or[data-preset="preset_one"]').getByText('Stopped').waitFor();
    await killed.page.getByRole('button', { name: 'Export one format' }).last().click();
    await becomesTrue(killed.page, `${PARTS}.then((parts) => parts.length > 0)`);
    const session = await context.newCDPSession(killed.page);
    const crashed = killed.page.waitForEvent('crash');
    session.send('Page.crash').catch(() => {});
    await crashed;
    await killed.page.close();

    const tabs = [await StudioPage.open(context, service.base), await StudioPage.open(context, service.base)];
    for (const tab of tabs) await tab.openProject(PROJECT);
    const before = (await tabs[0]!.page.evaluate(PARTS)) as readonly string[];
    assert(before.length > 0);
    for (const { page } of tabs) await exportHere(page);
    const files = await Promise.all(tabs.map(async ({ page }) => (await downloaded(page)).file));
    const after = (await tabs[0]!.page.evaluate(PARTS)) as readonly string[];
    assert.deepEqual(
      before.filter((part) => !after.includes(part)),
      [],
    );
    assert(readFileSync(files[0]!).equals(readFileSync(files[1]!)));
    await looksAsOnService(files[0]!);
    // What is stored needs no more space, the sound neither.
    const { page } = tabs[0]!;
    await page.reload();
    await page.locator('.pv-frame[data-settled=true]').waitFor();
    await page.evaluate('navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })');
    await exportHere(page);
    assert(readFileSync((await downloaded(page)).file).equals(readFileSync(files[0]!)));
    for (const { complaints } of tabs) assert.deepEqual(complaints, []);
    await context.close();
  });

  test('a browser without an encoder or without space says so, and exports on the service instead', async () => {
    const studio = await StudioPage.open(browser, service.base, (page) =>
      page.addInitScript('globalThis.Encoder = VideoEncoder; delete globalThis.VideoEncoder;'),
    );
    const { page } = studio;
    await studio.openProject(PROJECT);
    await page.getByRole('button', { name: 'Formats and quality' }).click();
    const here = page.getByRole('radio', { name: 'On this device' });
    await here.getByText('This browser has no H.264 encoder').waitFor();
    assert.equal(await here.isDisabled(), true);
    // It was chosen in another browser of this person, which has one.
    await page.evaluate(`localStorage.setItem('tiercut-export-place', '"device"')`);
    await page.reload();
    await page.locator('.pv-frame[data-settled=true]').waitFor();
    await exportHere(page);
    await page.getByRole('alert').getByText('This browser has no H.264 encoder').waitFor();
    await page.getByRole('button', { name: 'Export on the service instead' }).click();
    const made = page.locator('.or[data-preset="preset_one"].done').getByRole('link', { name: /Download/ });
    await made.waitFor();
    assert.deepEqual(studio.complaints, []);

    await page.evaluate('globalThis.VideoEncoder = Encoder');
    await page.getByRole('button', { name: 'Close' }).click();
    const session = await page.context().newCDPSession(page);
    const origin = service.base;
    // Chromium does not tell a page its real quota.
    await page.evaluate('navigator.storage.estimate = async () => ({ quota: 100_000, usage: 0 })');
    await exportHere(page);
    await page.getByRole('alert').getByText('gives the studio too little space: the video needs about').waitFor();
    // As much as the video needs: 1.4 Mbit/s of board and the sound. With every chunk at its most it would be 4.1 MB.
    await page.evaluate('navigator.storage.estimate = async () => ({ quota: 2_500_000, usage: 0 })');
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    const again = page.getByRole('button', { name: 'Export one format' }).last();
    await again.click();
    await page.getByRole('alert').getByText('The storage of this browser is full').waitFor();
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    await again.click();
    await page
      .locator('.or[data-preset="preset_one"].done')
      .getByRole('link', { name: /Download/ })
      .waitFor();
    await page.close();
  });
});

/** The file that the service makes. */
async function onService(): Promise<string> {
  there ??= exportOf(PROJECT).then((bytes) => {
    const file = join(folder, 'there.mp4');
    writeFileSync(file, bytes);
    return file;
  });
  return there;
}

/** Every frame of a file is where it is in that of the service, and looks like it. */
async function looksAsOnService(file: string): Promise<void> {
  const wanted = await onService();
  assert.deepEqual(await factsOf(file), await factsOf(wanted));
  const [ours, theirs] = [await picturesOf(file), await picturesOf(wanted)];
  assert.equal(ours.length, theirs.length);
  const least = ours.map((picture, n) => ssim(picture, theirs[n]!));
  const low = least.flatMap((value, n) => (value < MIN_SSIM ? [`frame ${n * EVERY}: ${value.toFixed(4)}`] : []));
  assert.deepEqual(low, []);
}

/** The texts to paste and a thumbnail are those of the service. (R39, R40) */
async function publishesAsOnService(page: Page): Promise<void> {
  const publish = page.getByRole('region', { name: 'Publish' });
  const sent = { method: 'POST', body: formOf(PROJECT), headers: { prefer: 'respond-async' } };
  const { export_id } = (await (await fetch(`${service.base}/video/exports`, sent)).json()) as { export_id: string };
  const address = `${service.base}/video/exports/${export_id}`;
  const { title, description, tags } = (await (await fetch(`${address}/publish.json`)).json()) as PublishingKit;
  assert.equal(await publish.getByLabel('Title').inputValue(), title);
  assert.equal(await publish.getByLabel('Description, with chapters').inputValue(), description);
  await publish.getByText(tags.join(', '), { exact: true }).waitFor();
  for (const style of ['Question', 'Podium'] as const) {
    await publish.getByRole('radio', { name: style }).click();
    const link = publish.locator(`a[download$="-${style.toLowerCase()}.jpg"]`);
    await link.waitFor();
    const saved = page.waitForEvent('download');
    await link.click();
    const drawn = await readFile(await (await saved).path());
    const query = `style=${style.toLowerCase()}`;
    const wanted = await fetch(`${address}/thumbnail?${query}`, { headers: { accept: 'image/jpeg' } });
    const pictures = await Promise.all([drawn, Buffer.from(await wanted.arrayBuffer())].map(pictureOf));
    const likeness = ssim(pictures[0]!, pictures[1]!);
    assert.ok(likeness > MIN_SSIM, `${style}: ${likeness}`);
  }
}

async function downloaded(page: Page, row = '.or'): Promise<{ readonly file: string; readonly name: string }> {
  const link = page.locator(row).getByRole('link', { name: /Download/ });
  await link.waitFor();
  const saved = page.waitForEvent('download');
  await link.click();
  const download = await saved;
  files += 1;
  const file = join(folder, `${files}.mp4`);
  await download.saveAs(file);
  return { file, name: download.suggestedFilename() };
}

async function exportOf(project: ProjectOnDisk): Promise<Buffer> {
  const reply = await fetch(`${service.base}/video/exports`, {
    method: 'POST',
    body: formOf(project),
    headers: { accept: 'video/mp4' },
  });
  assert.equal(reply.status, 201);
  return Buffer.from(await reply.arrayBuffer());
}

/** The request of a project. */
function formOf({ tier_list, timeline_data, settings, files }: ProjectOnDisk): FormData {
  const form = new FormData();
  for (const [name, document] of Object.entries({ tier_list, timeline_data, settings })) {
    form.set(name, JSON.stringify(document));
  }
  for (const [field, path] of Object.entries(files)) form.set(field, new Blob([readFileSync(path)]), `${field}.mp4`);
  return form;
}

async function pictureOf(file: Buffer): Promise<Picture> {
  const image = await loadImage(file);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, rgba: new Uint8Array(context.getImageData(0, 0, width, height).data) };
}

/** Clips of a second, one after the other, under a subtitle. */
function filmOf(clips: readonly string[]): ProjectOnDisk {
  return {
    tier_list: { title: 'Film', rows: [{ id: 'S', item_ids: [] }], items: [] },
    timeline_data: {
      videos: clips.map((_, index) => ({ file_field: `clip${index}`, start: index, duration: 1 })),
      subtitles: [{ text: 'now we are talking', start: 0.5, duration: clips.length - 0.5 }],
    },
    settings: { preset: 'landscape' },
    files: Object.fromEntries(clips.map((clip, index) => [`clip${index}`, clip])),
  };
}

/** An export on this device is refused for a reason, and one of the service is chosen instead. */
async function refuses(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Formats and quality' }).click();
  const here = page.getByRole('radio', { name: 'On this device' });
  await here.getByText(reason).waitFor();
  assert.equal(await here.isDisabled(), true);
  assert.equal(await page.getByRole('radio', { name: /^On the service/ }).getAttribute('aria-checked'), 'true');
}

/** Exports in one format, on this device. */
async function exportHere(page: Page, format = 'Landscape'): Promise<void> {
  await page.getByRole('button', { name: 'Formats and quality' }).click();
  await page.getByRole('radio', { name: 'On this device' }).click();
  for (const name of ['Landscape', 'Portrait', 'Square']) {
    if (name !== format) await page.getByRole('checkbox', { name }).uncheck();
  }
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

/** A box with the marks of chapters, in hexadecimal; null if there is none. */
function boxOf(file: string, type: string): string | null {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(type, 0, 'latin1') - 4;
  return at < 0 ? null : bytes.subarray(at, at + bytes.readUInt32BE(at)).toString('hex');
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

/** A file of AAC: chords under noise that comes and goes, so that no place is like another. */
async function writeSound(file: string, seconds: number): Promise<void> {
  await using writer = new AacWriter({ file, bitrateKbps: 160, search: 'fast' });
  let random = 1;
  for (let at = 0; at < seconds * SAMPLE_RATE; at += BLOCK) {
    const side = Float32Array.from({ length: BLOCK }, (_, n) => {
      const time = (at + n) / SAMPLE_RATE;
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0;
      const beat = Math.exp(-9 * ((time * 3) % 1));
      const pitch = 150 * (1 + (Math.floor(time * 2) % 5) / 5);
      return 0.2 * Math.sin(2 * Math.PI * pitch * time) + 0.25 * beat * (random / 2 ** 31);
    });
    await writer.write({ left: side, right: side.slice() });
  }
  await writer.finish();
}

/** Windows in which two sounds are more than two samples apart, or differ otherwise. */
function differences(heard: Float32Array, wanted: Float32Array): string[] {
  const found: string[] = [];
  for (let at = WINDOW; at + 2 * WINDOW < wanted.length; at += WINDOW) {
    const [level, other] = [energy(wanted, at), energy(heard, at)];
    if (level < 1e-3 && other < 1e-3) continue;
    let [best, shift] = [0, 0];
    for (let late = -MAX_LATE; late <= MAX_LATE; late += 1) {
      let sum = 0;
      for (let n = at; n < at + WINDOW; n += 1) sum += wanted[n]! * heard[n + late]!;
      const fit = sum / Math.sqrt(level * energy(heard, at + late));
      if (fit > best) [best, shift] = [fit, late];
    }
    if (best < MIN_FIT || Math.abs(shift) > 2) {
      found.push(`at ${(at / SAMPLE_RATE).toFixed(2)} s: ${shift} samples, ${best.toFixed(4)}`);
    }
  }
  return found;
}

function energy(sound: Float32Array, at: number): number {
  return sound.subarray(at, at + WINDOW).reduce((sum, value) => sum + value * value, 0);
}
