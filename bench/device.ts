import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../test/browser/chromium.ts';
import { ssim } from '../test/browser/ssim.ts';
import { eachFrame } from '../test/engine/encode/render-video.ts';
import type { Picture } from '../test/paint/picture-difference.ts';
import { cpuSeconds, descendantsOf } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { type ProjectOnDisk, StudioPage } from '../test/studio/page/studio-page.ts';
import { benchClip } from './render/media.ts';
import { treeMegabytes } from './render/tree-memory.ts';

const SIZES: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  '360': { width: 640, height: 360 },
  '720': { width: 1280, height: 720 },
  '1080': { width: 1920, height: 1080 },
};
const COMPARED_EVERY = 10;
const LONG_MS = 3 * 3_600_000;

/**
 * `npm run bench -- device [--sizes 720,1080] [--seconds 8] [--only board|film] [--clip FILE] [--minutes 60]`: an export in the browser beside one of
 * the service; `--clip` is a film of your own instead of one with much grain. With `--minutes`, a board of that length at 720p alone, and the memory of the browser while it renders.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '720,1080' },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string' },
      clip: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  if (noBrowser) {
    console.log(`Nothing to measure: ${noBrowser}.`);
    return;
  }
  if (values.minutes !== undefined) return longBoard(Number(values.minutes));
  for (const size of values.sizes.split(',')) {
    for (const material of ['board', 'film']) {
      if (values.only !== undefined && values.only !== material) continue;
      await compare(
        size,
        material === 'board' ? board(Number(values.seconds)) : await film(Number(values.seconds), values.clip),
      );
    }
  }
}

interface Rendered {
  readonly file: Buffer;
  readonly seconds: number;
  readonly cpu: number;
  /** By kind of work. */
  readonly spent: Readonly<Record<string, number>>;
}

/** Both exports of one project, one after the other, each from the start. */
async function compare(size: string, project: ProjectOnDisk & { readonly name: string }): Promise<void> {
  await using bench = await Bench.open(size);
  const here = await bench.onDevice(project);
  const there = await bench.onService(project);
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-device-'));
  try {
    const [ours, theirs] = await Promise.all(
      [here, there].map(({ file }, index) => lumaOf(join(folder, `${index}.mp4`), file)),
    );
    const likeness = ours!.pictures.map((picture, n) => ssim(picture, theirs!.pictures[n]!));
    const mean = likeness.reduce((sum, value) => sum + value, 0) / likeness.length;
    const { frames } = ours!;
    console.log(`\n${project.name}, ${size}p, ${frames} frames`);
    tell('on this device', here, frames);
    tell('on the service', there, frames);
    console.log(
      `  size ${(here.file.length / there.file.length).toFixed(2)} of the service's, SSIM of luma ${mean.toFixed(4)} (mean), ${Math.min(...likeness).toFixed(4)} (least)`,
    );
    const work = Object.entries(here.spent).map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`);
    console.log(`  ${work.join(', ')}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tell(where: string, { file, seconds, cpu }: Rendered, frames: number): void {
  const rate = (frames / seconds).toFixed(1);
  console.log(
    `  ${where}: ${seconds.toFixed(1)} s, ${rate} frames/s, ${cpu.toFixed(1)} s of processor time, ${(file.length / 1e6).toFixed(2)} MB`,
  );
}

/** A board alone, and the memory of all processes of the browser. */
async function longBoard(minutes: number): Promise<void> {
  await using bench = await Bench.open('720');
  const most: number[] = [];
  const begun = performance.now();
  const timer = setInterval(async () => {
    const megabytes = await treeMegabytes(bench.browserPid);
    most.push(megabytes);
    const passed = (performance.now() - begun) / 60_000;
    console.log(`after ${passed.toFixed(1)} min: ${megabytes.toFixed(0)} MB, ${await bench.shown()}`);
  }, 5_000);
  const { file, seconds, spent } = await bench.onDevice(board(minutes * 60)).finally(() => clearInterval(timer));
  console.log(
    `${minutes} min of board at 720p: ${seconds.toFixed(0)} s, ${(file.length / 1e6).toFixed(1)} MB, at most ${Math.max(...most).toFixed(0)} MB of memory`,
  );
  console.log(
    Object.entries(spent)
      .map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`)
      .join(', '),
  );
}

/** Reports what `device-worker` measured. */
const LISTEN = `(() => {
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      super(url, options);
      if (options?.name !== 'device-worker') return;
      this.addEventListener('message', ({ data }) => {
        if (data.kind === 'done') globalThis.spentMs = data.spentMs;
      });
    }
  };
})()`;

class Bench implements AsyncDisposable {
  readonly #service: ServiceFixture;
  readonly #browser: Browser;
  #page: Page | null = null;

  private constructor(service: ServiceFixture, browser: Browser) {
    this.#service = service;
    this.#browser = browser;
  }

  static async open(size: string): Promise<Bench> {
    const { width, height } = SIZES[size]!;
    const presets = [
      { name: 'preset_one', width, height, aliases: ['landscape'] },
      { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
      { name: 'preset_three', width: 240, height: 240, aliases: ['square'] },
    ];
    const settings = { TIERCUT_PRESETS: JSON.stringify(presets), TIERCUT_LOG_LEVEL: 'silent' };
    const [service, browser] = await Promise.all([ServiceFixture.start(settings), launchBrowser()]);
    return new Bench(service, browser);
  }

  get browserPid(): number {
    return browserProcess();
  }

  /** The progress as the page shows it. */
  async shown(): Promise<string> {
    const row = this.#page?.locator('.or[data-preset="preset_one"] .os');
    return (await row?.textContent({ timeout: 1000 }).catch(() => null)) ?? '';
  }

  async onDevice(project: ProjectOnDisk): Promise<Rendered> {
    const studio = await StudioPage.open(this.#browser, this.#service.base, (page) => page.addInitScript(LISTEN));
    const { page } = studio;
    this.#page = page;
    await studio.openProject(project);
    await page.getByRole('button', { name: 'Formats and quality' }).click();
    const place = page.getByRole('radio', { name: 'On this device' });
    await place.click();
    for (const name of ['Portrait', 'Square']) await page.getByRole('checkbox', { name }).uncheck();
    // The test card is not part of the export.
    await place.getByText('About').waitFor({ timeout: 60_000 });
    const cpu = cpuSeconds(this.browserPid);
    const begun = performance.now();
    await page.getByRole('button', { name: 'Export one format' }).click();
    const link = page.locator('.or').getByRole('link', { name: /Download/ });
    await Promise.race([
      link.waitFor({ timeout: LONG_MS }),
      page
        .getByRole('alert')
        .waitFor({ timeout: LONG_MS })
        .then(async () => Promise.reject(new Error((await page.getByRole('alert').textContent()) ?? ''))),
    ]);
    const seconds = (performance.now() - begun) / 1000;
    const used = cpuSeconds(this.browserPid) - cpu;
    const saved = page.waitForEvent('download');
    await link.click();
    const file = readFileSync(await (await saved).path());
    const spent: Readonly<Record<string, number>> = await page.evaluate('globalThis.spentMs');
    await page.close();
    return { file, seconds, cpu: used, spent };
  }

  async onService({ tier_list, timeline_data, settings, files }: ProjectOnDisk): Promise<Rendered> {
    const form = new FormData();
    for (const [name, document] of Object.entries({ tier_list, timeline_data, settings })) {
      form.set(name, JSON.stringify(document));
    }
    for (const [field, path] of Object.entries(files)) form.set(field, new Blob([readFileSync(path)]), `${field}.mp4`);
    const cpu = cpuSeconds(this.#service.pid);
    const begun = performance.now();
    const reply = await fetch(`${this.#service.base}/video/exports`, {
      method: 'POST',
      body: form,
      headers: { accept: 'video/mp4' },
    });
    if (reply.status !== 201) throw new Error(await reply.text());
    const file = Buffer.from(await reply.arrayBuffer());
    return { file, seconds: (performance.now() - begun) / 1000, cpu: cpuSeconds(this.#service.pid) - cpu, spent: {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#service[Symbol.asyncDispose]();
  }
}

/** The browser's first process: the others are below it. */
function browserProcess(): number {
  const found = descendantsOf(process.pid).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('--headless') && !command.includes('--type=');
  });
  if (found === undefined) throw new Error('the browser does not run');
  return found;
}

/** A board of 24 items, one of which is revealed every four seconds, under subtitles that never repeat: no two chunks are the same. */
function board(seconds: number): ProjectOnDisk & { readonly name: string } {
  const items = Array.from({ length: 24 }, (_, n) => ({ id: `item_${n}`, name: `Item number ${n}` }));
  const rows = ['S', 'A', 'B', 'C'].map((id, row) => ({
    id,
    item_ids: items.slice(row * 6, row * 6 + 6).map((item) => item.id),
  }));
  const blocks = Math.ceil(seconds / (4 * items.length));
  const tiles = Array.from({ length: Math.floor(seconds / 4) }, (_, n) => ({
    tier_item_id: items[n % items.length]!.id,
    position: 4 * n + 1,
  }));
  const length = seconds / blocks;
  return {
    name: 'board',
    tier_list: { title: 'Everything, ranked', rows, items },
    timeline_data: {
      tier_blocks: Array.from({ length: blocks }, (_, n) => ({ start: n * length, duration: length })),
      tier_tiles: tiles,
      subtitles: tiles.map(({ position }, n) => ({ text: `This is line ${n + 1}`, start: position, duration: 2 })),
    },
    settings: { preset: 'landscape', reveal: 'spotlight', reveal_sound: 'pop' },
    files: {},
  };
}

/** A clip with grain and much movement: the hardest material for an encoder. */
async function film(seconds: number, own?: string): Promise<ProjectOnDisk & { readonly name: string }> {
  const clip = own ?? (await benchClip({ name: 'hd1', width: 1920, height: 1080, seconds: 20, seed: 1 }));
  return {
    name: own === undefined ? 'film' : basename(own),
    tier_list: { title: 'A clip', rows: [{ id: 'S', item_ids: [] }], items: [] },
    timeline_data: { videos: [{ file_field: 'clip', start: 0, duration: seconds }] },
    settings: { preset: 'landscape' },
    files: { clip },
  };
}

/** The luma of some frames of a video, and how many it has. */
async function lumaOf(path: string, file: Buffer): Promise<{ readonly pictures: Picture[]; readonly frames: number }> {
  writeFileSync(path, file);
  const pictures: Picture[] = [];
  let frames = 0;
  await eachFrame(path, ({ data, linesize, width, height }) => {
    frames += 1;
    if ((frames - 1) % COMPARED_EVERY !== 0) return;
    const rgba = Buffer.alloc(4 * width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const level = data![0]![y * linesize[0]! + x]!;
        const at = 4 * (y * width + x);
        rgba[at] = level;
        rgba[at + 1] = level;
        rgba[at + 2] = level;
      }
    }
    pictures.push({ width, height, rgba });
  });
  return { pictures, frames };
}
