import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { writeZip } from '../../../src/archive/zip-file.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { MAIN, ScratchFolder } from '../../cli/tiercut.ts';
import { eachFrame } from '../../engine/encode/render-video.ts';
import { noModel, TEST_MODELS } from '../../fixtures/caption-model.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { askForProject, axeFaults, completed, keptProject, openExample, watchFaults } from './shell-page.ts';
import { type StaticHost, serveFolder } from './static-host.ts';

const PRESETS = [
  { name: 'preset_one', width: 320, height: 180, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 180, height: 180, aliases: ['square'] },
];

/** Three seconds. */
const SHORT = JSON.stringify({
  tier_list: {
    title: 'Two snacks',
    rows: [{ id: 'S', item_ids: ['pretzel', 'popcorn'] }],
    items: ['Pretzel', 'Popcorn'].map((name) => ({ id: name.toLowerCase(), name })),
  },
  timeline_data: {
    tier_blocks: [{ start: 0, duration: 3 }],
    tier_tiles: [{ tier_item_id: 'pretzel', position: 1 }],
  },
  settings: { reveal_sound: 'pop', fps: 30 },
});

const JFK = join(REAL_MEDIA, 'speech', 'jfk.flac');
const noSpeech = existsSync(JFK) ? noModel : 'no speech in the folder of real media';

const BELOW = '/some/path/';

describe('a static studio', { skip: noBrowser, timeout: 280_000 }, () => {
  const scratch = new ScratchFolder();
  const folder = scratch.in('site');
  let host: StaticHost;
  let browser: Browser;
  let address: string;

  before(async () => {
    const env = { ...process.env, TIERCUT_PRESETS: JSON.stringify(PRESETS), TIERCUT_MODELS_DIR: TEST_MODELS };
    const captions = noModel === false ? ['--captions'] : [];
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'studio', '--static', folder, ...captions], { env });
    assert.equal(status, 0, String(stderr));
    [host, browser] = await Promise.all([serveFolder(folder, { below: BELOW }), launchBrowser()]);
    address = host.origin + BELOW;
  });
  after(async () => {
    await browser?.close();
    await host?.[Symbol.asyncDispose]();
    scratch[Symbol.dispose]();
  });

  test('[C97] edits, keeps and exports a project without a service, and asks only for files of its folder', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const faults: string[] = [];
    watchFaults(page, faults);
    const asked = requestsOf(page, address, faults);
    await page.goto(address);
    await page.getByText('Everything stays in this browser.').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await openExample(page);
    await page.locator('.pv-frame[data-settled="true"]').waitFor();
    await page.getByText('Matches export').waitFor();

    await page.getByRole('radio', { name: 'Chalk' }).click();
    assert.match(JSON.stringify((await keptProject(page)).settings.theme), /chalk/);
    await page.reload();
    await page.getByRole('radio', { name: 'Chalk', checked: true }).waitFor();
    await page.getByRole('button', { name: 'The planets, ranked' }).click();
    await page.getByText('this page has no service that keeps or shares them').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press('Escape');

    // It lasts a tenth of the example.
    const chooser = await askForProject(page);
    await chooser.setFiles({ name: 'short.json', mimeType: 'application/json', buffer: Buffer.from(SHORT) });
    await page.locator('.pname', { hasText: 'Two snacks' }).waitFor();
    await page.getByRole('button', { name: 'Formats and quality' }).click();
    const places = page.getByRole('radiogroup', { name: 'Where' }).getByRole('radio');
    await places.first().waitFor();
    assert.equal(await places.count(), 1);
    for (const name of ['Portrait', 'Landscape']) await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('button', { name: 'Export one format' }).click();
    const link = page.locator('.or').getByRole('link', { name: /Download/ });
    await completed(page, link);
    // The browser draws the thumbnails too.
    const thumbnails = page.getByRole('region', { name: 'Publish' }).locator('.thumbs img');
    for (let style = 0; style < 4; style += 1) await thumbnails.nth(style).waitFor();
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}-static.png` });
    assert.deepEqual(await axeFaults(page), []);
    const saved = page.waitForEvent('download');
    await link.click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'Two snacks-square.mp4');
    const file = join(scratch.path, 'square.mp4');
    await download.saveAs(file);
    const times: number[] = [];
    await eachFrame(file, ({ width, height }, micros) => {
      assert.deepEqual([width, height], [180, 180]);
      times.push(micros);
    });
    assert.equal(times.length, 90);
    assert.equal(Math.round(times.at(-1)! - times[0]!), Math.round((89 / 30) * 1e6));
    assert.ok(asked.size > 20, `${[...asked].join('\n')}`);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('[C97] the speech model has its licenses beside it', { skip: noModel }, () => {
    for (const [name, words] of [
      ['moonshine-js', 'Moonshine'],
      ['onnxruntime-web', 'Copyright (c) Microsoft Corporation'],
      ['silero-vad', 'Silero Team'],
    ] as const) {
      assert.ok(readFileSync(join(folder, 'captions', `LICENSE-${name}.txt`), 'utf8').includes(words), name);
    }
  });

  test('[C77] [C97] captions are transcribed in the browser, by a model that is loaded when they are asked for', {
    skip: noSpeech,
  }, async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const faults: string[] = [];
    watchFaults(page, faults);
    const asked = requestsOf(page, address, faults);
    await page.goto(address);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Rank pictures/ }).click();
    await (await chooser).setFiles(JFK);
    await page.locator('.pname').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Captions from speech …' }).click();
    const panel = page.getByRole('complementary', { name: 'Captions' });
    await panel.getByText('It loads a speech model of 41 MB from this page').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual(
      [...asked].filter((url) => url.includes('/captions/')),
      [],
    );
    await panel.getByRole('button', { name: 'Create captions' }).click();
    const words = panel.locator('.captions-word');
    await completed(page, words.first());
    const written = await words.evaluateAll((fields) =>
      (fields as unknown as { value: string }[]).map(({ value }) => value),
    );
    assert.equal(written.join(' '), SPOKEN);
    const { subtitles } = (await keptProject(page)).timeline_data as unknown as {
      subtitles: { words: { start: number }[] }[];
    };
    const starts = subtitles.flatMap(({ words: own }) => own.map(({ start }) => start));
    const known: { t: number }[] = JSON.parse(readFileSync(JFK.replace('.flac', '.json'), 'utf8'));
    const off = starts.filter((start, n) => Math.abs(start - known[n]!.t) > 0.2);
    assert.ok(off.length <= 1, `${off}`);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('[C97] a link opens a project file of another site once the user agrees, and replaces nothing', async () => {
    const files = scratch.in('files');
    mkdirSync(files);
    // A name without an ending, as those of many stores.
    writeFileSync(join(files, 'week-12'), await linkedArchive());
    writeFileSync(join(files, 'huge'), declaring(600 * 2 ** 20, await linkedArchive()));
    writeFileSync(join(files, 'page'), '<!doctype html><title>Not a project</title>');
    await using open = await serveFolder(files, { headers: { 'access-control-allow-origin': '*' } });
    await using closed = await serveFolder(files);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const faults: string[] = [];
    watchFaults(page, faults);
    await page.goto(address);
    await page.getByRole('button', { name: /^A weekly ranking/ }).click();
    await page.locator('.pname').waitFor();
    const mine = await keptProject(page);
    const follow = (link: string) => page.evaluate(`location.hash = ${JSON.stringify(`#project=${link}`)}`);
    const dialog = page.getByRole('dialog');

    await follow(`${open.origin}/week-12`);
    await dialog.getByText(`${open.origin}/week-12`).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual([open.asked, new URL(page.url()).hash], [[], '']);

    for (const [link, words] of [
      [`${open.origin}/absent`, 'has no such file: it responds with 404.'],
      [`${open.origin}/huge`, 'media/pretzel.svg in the .zip file has 629145600 bytes.'],
      [`${open.origin}/page`, 'page is not a project.'],
      [`${closed.origin}/week-12`, 'sends no Access-Control-Allow-Origin'],
      ['javascript:alert(1)', 'This link names no address of a project file.'],
    ] as const) {
      await follow(link);
      if (link.startsWith('http')) await dialog.getByRole('button', { name: 'Open it' }).click();
      const said = page.locator('.word.bad', { hasText: words });
      await said.waitFor();
      await said.getByRole('button', { name: 'Close' }).click();
      assert.equal(new URL(page.url()).hash, '', link);
    }
    assert.deepEqual(await keptProject(page), mine);

    await follow(`${open.origin}/week-12`);
    await dialog.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('This is a shared project.').waitFor();
    await page.locator('.pname', { hasText: 'Two snacks' }).waitFor();
    await page.getByText('Matches export').waitFor();
    const { headers } = open.asked.at(-1)!;
    assert.deepEqual([headers.cookie, headers.referer, headers.origin], [undefined, undefined, host.origin]);
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await page.getByText('This is your own copy.').waitFor();
    assert.equal((await keptProject(page)).tier_list.title, 'Two snacks');
    assert.equal(new URL(page.url()).hash, '');
    await page.getByRole('button', { name: 'Two snacks' }).click();
    await page.getByRole('button', { name: /^A weekly ranking/ }).click();
    await page.locator('.pname', { hasText: 'A weekly ranking' }).waitFor();
    assert.deepEqual(await keptProject(page), mine);

    // A file beside the page is opened at once.
    writeFileSync(join(folder, 'demo.zip'), await linkedArchive());
    await page.goto(`${address}?demo#project=demo.zip`);
    await page.getByText('This is a shared project.').waitFor();
    // Who went on to an own project finds that one after a reload.
    await page.locator('.pname', { hasText: 'Two snacks' }).click();
    await page.getByRole('button', { name: /^A weekly ranking/ }).click();
    await page.locator('.pname', { hasText: 'A weekly ranking' }).waitFor();
    assert.equal(page.url(), `${address}?demo`);
    await page.reload();
    await page.locator('.pname', { hasText: 'A weekly ranking' }).waitFor();
    // What the tests for faults ask for is a fault of the site.
    assert.deepEqual(faults, []);
    await page.close();
  });
});

/** The words that the service writes down with the same model. */
const SPOKEN =
  'And so my fellow Americans ask not what your country can do for you, ask what you can do for your country.';

/** A project as a link names it: an archive with a picture. */
async function linkedArchive(): Promise<Buffer> {
  const project = JSON.parse(SHORT);
  project.tier_list.items[0].file_field = 'pretzel';
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#c63"/></svg>';
  const archive = await writeZip([
    { path: 'project.json', file: new Blob([JSON.stringify({ ...project, media: { pretzel: 'media/pretzel.svg' } })]) },
    { path: 'media/pretzel.svg', file: new Blob([picture]) },
  ]);
  return Buffer.from(await archive.arrayBuffer());
}

/** An archive whose last file says that it has so many bytes. */
function declaring(bytes: number, archive: Buffer): Buffer {
  archive.writeUInt32LE(bytes, archive.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
  return archive;
}

/** The addresses that the page and its workers ask for. One outside of its folder, or without an answer, is a fault. */
function requestsOf(page: Page, address: string, faults: string[]): ReadonlySet<string> {
  const asked = new Set<string>();
  page.context().on('request', (request) => {
    const url = request.url();
    if (/^(blob|data):/.test(url)) return;
    asked.add(url);
    if (!url.startsWith(address) || request.method() !== 'GET') faults.push(`${request.method()} ${url}`);
  });
  page.context().on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  return asked;
}
