import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, Page, Request } from 'playwright-core';
import { loadStudio, type StudioFiles } from '../src/http/pages/studio-page.ts';
import { ROLE_FAMILIES } from '../src/paint/layout/text/glyph-coverage.ts';
import { DEFAULT_PRESETS } from '../src/timeline/presets.ts';
import { launchBrowser, noBrowser } from '../test/browser/chromium.ts';
import { FIRST_LOAD, importedBy, wireBytes } from '../test/http/pages/first-load.ts';
import { descendantsOf, residentBytes } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { askForProject, dropPictures, openExample, openStudio } from '../test/studio/page/shell-page.ts';
import { episodeTable } from './studio/episode-table.ts';
import { type FrameLog, logFrames } from './studio/frame-log.ts';
import { hourProject, largeProject } from './studio/large-project.ts';

const SETTLED = '.pv-frame[data-settled=true]';
const MB = 1e6;

/** `npm run bench -- studio [--scrub SECONDS] [--only load|long|large|table]`: what the studio promises, in the browser that is installed here. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { scrub: { type: 'string', default: '20' }, only: { type: 'string' } },
  });
  if (noBrowser) {
    console.log(`Nothing to measure: ${noBrowser}.`);
    return;
  }
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'silent',
    TIERCUT_PRESETS: JSON.stringify(DEFAULT_PRESETS),
  });
  const browser = await launchBrowser();
  try {
    const { only } = values;
    if (only === undefined || only === 'load') await firstLoad(browser, service);
    if (only === undefined || only === 'long') await longVideo(browser, service);
    if (only === undefined || only === 'large') await largeBoard(browser, service, Number(values.scrub));
    if (only === undefined || only === 'table') await episodeTable(browser, service);
  } finally {
    await browser.close();
  }
}

/** What a visit fetches until board, timeline and preview are there, and how long that takes; then once more. */
async function firstLoad(browser: Browser, { base }: ServiceFixture): Promise<void> {
  // The service builds the page and packs fonts on the first request: that is not the visitor's time.
  await (await fetch(`${base}/studio`)).text();
  const built = await loadStudio();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const visit of ['first visit', 'second visit']) {
    const page = await context.newPage();
    const fetched = new Set<string>();
    const note = (request: Request) => void fetched.add(request.url());
    context.on('request', note);
    const begun = performance.now();
    await page.goto(`${base}/studio`);
    // A second visit opens the example again.
    await page.locator('.first, .pname').first().waitFor();
    const stands = performance.now() - begun;
    if (visit === 'first visit') await openExample(page);
    await page.locator('.pv-frame[data-frame]').waitFor();
    const drawn = performance.now() - begun;
    const early = [...fetched].flatMap((url) => (url.startsWith('http') ? [new URL(url).pathname] : []));
    await page.getByText('Drawing the example').waitFor({ state: 'detached', timeout: 120_000 });
    const complete = performance.now() - begun;
    context.off('request', note);
    console.log(
      `${visit}: page after ${stands.toFixed(0)} ms, preview after ${drawn.toFixed(0)} ms, example drawn after ${complete.toFixed(0)} ms`,
    );
    if (visit === 'first visit') await tellFetched(base, built, early);
    await page.close();
  }
  await context.close();
}

/**
 * What the first picture waits for. A slow browser has requested other files by then, which are loaded in idle time:
 * fonts of other scripts, forms, the code that reads clips.
 */
async function tellFetched(base: string, built: StudioFiles, early: readonly string[]): Promise<void> {
  const needed = importedBy(built, ...FIRST_LOAD);
  const { fonts } = (await (await fetch(`${base}/assets/fonts.json`)).json()) as {
    readonly fonts: readonly { readonly family: string; readonly url: string }[];
  };
  const always = fonts.filter(({ family }) => ROLE_FAMILIES.includes(family)).map(({ url }) => url);
  const list = await wireBytesOf(base, ['/assets/fonts.json', ...always]);
  const isNeeded = (path: string) => needed.has(path.split('/').at(-1)!) || always.includes(path);
  const others = early.filter(
    (path) => path.startsWith('/assets/') && path !== '/assets/fonts.json' && !isNeeded(path),
  );
  console.log(
    `  until the preview: ${kB(wireBytes(built, ...FIRST_LOAD))} of page, style and scripts, ${kB(list)} of fonts (and ${others.length} files at leisure)`,
  );
}

/** The sizes of files on the wire. */
async function wireBytesOf(base: string, paths: readonly string[]): Promise<number> {
  const replies = await Promise.all(
    paths.map((path) => fetch(base + path, { headers: { 'accept-encoding': 'gzip' } })),
  );
  const lengths = replies.map((reply) => Number(reply.headers.get('content-length')));
  await Promise.all(replies.map((reply) => reply.body?.cancel()));
  return lengths.reduce((sum, length) => sum + length, 0);
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

/** One hour with 500 subtitles and 200 reveals: it scrubs and drags at the pace of the screen, and a key is answered at once. */
async function longVideo(browser: Browser, service: ServiceFixture): Promise<void> {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await openFile(page, hourProject(), 200);
  await page.keyboard.press('p');
  await page.locator(SETTLED).waitFor();
  console.log(
    `\n${'one hour, 500 subtitles, 200 reveals'.padEnd(34)} frames/s   p95 ms  longest    stall   late %   cpu ms`,
  );
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const [left, right] = [canvas.x + 20, canvas.x + canvas.width - 40];
  const measure = async (what: string, act: () => Promise<unknown>) => tell(what, await logFrames(page, act));
  await measure('scrubbing the ruler', () => drag(page, [left, canvas.y + 12], [right, canvas.y + 12], 120));
  await measure('dragging a reveal', () => drag(page, [left + 60, canvas.y + 80], [right - 200, canvas.y + 80], 120));
  await page.keyboard.press('b');
  const taken: number[] = [];
  for (let i = 0; i < 20; i += 1)
    taken.push((await page.evaluate(keyToPicture(`item_${100 + i}`, 1 + (i % 5)))) as number);
  const sorted = taken.toSorted((a, b) => a - b);
  console.log(
    `a key ranks one of 200 items: ${sorted[10]!.toFixed(0)} ms to the picture (median of 20), ${sorted.at(-1)!.toFixed(0)} ms at worst`,
  );
}

/** Presses a figure on a card: the milliseconds until the page has drawn what it changes. */
function keyToPicture(item: string, figure: number): string {
  return `new Promise((done) => {
    const tile = document.querySelector('#tile-${item}');
    tile.focus();
    // Its own frame and the drawing of the edit before are over by then.
    setTimeout(() => {
      const begun = performance.now();
      tile.dispatchEvent(new KeyboardEvent('keydown', { key: '${figure}', bubbles: true, cancelable: true }));
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    }, 400);
  })`;
}

type Point = readonly [x: number, y: number];

async function drag(page: Page, from: Point, to: Point, steps: number): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let i = 1; i <= steps; i += 1) {
    const way = i / steps;
    await page.mouse.move(from[0] + (to[0] - from[0]) * way, from[1] + (to[1] - from[1]) * way);
  }
  await page.mouse.up();
}

async function largeBoard(browser: Browser, service: ServiceFixture, scrubSeconds: number): Promise<void> {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await page.addInitScript(HEAR);
  await page.reload();
  const opened = await openLarge(page, 500);
  await page.keyboard.press('p');
  await page.locator(SETTLED).waitFor();
  console.log(
    `500 items, two hours, 4,400 entries: opened and drawn after ${(performance.now() - opened).toFixed(0)} ms`,
  );

  console.log(`\n${''.padEnd(34)} frames/s   p95 ms  longest    stall   late %   cpu ms`);
  const measure = async (what: string, act: () => Promise<unknown>) => tell(what, await logFrames(page, act));
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const scrub = () => drag(page, [canvas.x + 20, canvas.y + 12], [canvas.x + canvas.width - 40, canvas.y + 12], 120);
  await measure('scrubbing the ruler', scrub);
  await measure('dragging a board on the timeline', () =>
    drag(page, [canvas.x + 30, canvas.y + 44], [canvas.x + 600, canvas.y + 44], 120),
  );
  await measure('undo and redo, ten times', async () => {
    for (let i = 0; i < 10; i += 1) for (const key of ['Control+z', 'Control+Shift+z']) await page.keyboard.press(key);
  });
  await measure('playing for three seconds', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.waitForTimeout(3000);
    await page.keyboard.press('Space');
  });
  await page.keyboard.press('b');
  const tile = (await page.locator('#tile-item_3').boundingBox())!;
  await measure('dragging a card among 500', () =>
    drag(page, [tile.x + 20, tile.y + 20], [tile.x + 300, tile.y + 260], 120),
  );
  await measure('typing a name', async () => {
    await page.locator('#tile-item_7').click();
    await page.getByRole('complementary', { name: 'Details' }).getByLabel('Name').fill('');
    await page.keyboard.type('A name of some length, typed');
  });
  // No board has more than 500: with them, it does.
  await openLarge(page, 450);
  await measure('dropping 50 pictures', async () => {
    await dropPictures(page, 50);
    await page.locator('#tile-picture_49').waitFor({ state: 'attached' });
  });
  console.log(`\nan edit is planned and drawn after ${(await editToPicture(page)).toFixed(0)} ms (median of 9)`);

  const before = await settledMemory(page);
  const until = performance.now() + scrubSeconds * 1000;
  let scrubs = 0;
  for (; performance.now() < until; scrubs += 1) await scrub();
  const after = await settledMemory(page);
  console.log(
    `${scrubs} scrubs in ${scrubSeconds} s: the page's heap ${(before.heap / MB).toFixed(1)} to ${(after.heap / MB).toFixed(1)} MB, all of the browser ${(before.all / MB).toFixed(0)} to ${(after.all / MB).toFixed(0)} MB`,
  );
}

/** Opens two hours with this many items. */
function openLarge(page: Page, items: number): Promise<number> {
  return openFile(page, largeProject(items), items);
}

/** @returns the time of the request. */
async function openFile(page: Page, project: object, items: number): Promise<number> {
  const chooser = await askForProject(page);
  const buffer = Buffer.from(JSON.stringify(project));
  const asked = performance.now();
  await chooser.setFiles({ name: 'large.json', mimeType: 'application/json', buffer });
  await page.locator(`#tile-item_${items - 1}`).waitFor({ state: 'attached' });
  await page.locator(`#tile-item_${items}`).waitFor({ state: 'detached' });
  return asked;
}

/** From a key that moves an entry to the frame that is drawn of the new plan. */
async function editToPicture(page: Page): Promise<number> {
  // Not by its key: the focus is in a field.
  await page.getByRole('radio', { name: 'Preview' }).click();
  await page.getByRole('listbox', { name: 'Entries of the timeline' }).focus();
  await page.keyboard.press('Enter');
  const taken: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    await page.locator(SETTLED).waitFor();
    await page.evaluate(LISTEN);
    await page.keyboard.press('Alt+ArrowRight');
    const after = (await page.evaluate('heard.after')) as number | null;
    if (after === null) {
      const why = (await page.locator('.pv-nothing').allTextContents()).join(' ');
      throw new Error(`An edit was not drawn within half a minute. ${why}`);
    }
    taken.push(after);
  }
  return taken.sort((a, b) => a - b)[4]!;
}

/** Listens to the page's workers: what is planned after a key, and drawn after that. */
const HEAR = `(() => {
  const Plain = Worker;
  const heard = { key: null, isPlanned: false, tell: () => {} };
  globalThis.heard = heard;
  addEventListener('keydown', () => { heard.key ??= performance.now(); }, true);
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      super(url, options);
      this.addEventListener('message', ({ data }) => {
        if (heard.key === null) return;
        if (options?.name === 'plan-worker') heard.isPlanned = true;
        else if (heard.isPlanned && data.shown?.place === 'large') heard.tell(performance.now() - heard.key);
      });
    }
  };
})()`;

/** Null: nothing was drawn. */
const LISTEN = `(() => {
  Object.assign(heard, { key: null, isPlanned: false });
  heard.after = new Promise((tell) => {
    heard.tell = tell;
    setTimeout(tell, 30_000, null);
  });
})()`;

async function settledMemory(page: Page): Promise<{ readonly heap: number; readonly all: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const pids = descendantsOf(process.pid).filter((pid) => /--type=renderer/.test(commandOf(pid)));
  return { heap, all: pids.reduce((sum, pid) => sum + residentBytes(pid), 0) };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function tell(what: string, { framesASecond, p95Ms, longestMs, stallMs, lateShare, cpuMs }: FrameLog): void {
  const columns = [framesASecond, p95Ms, longestMs, stallMs, lateShare * 100, cpuMs].map((value) =>
    value.toFixed(0).padStart(8),
  );
  console.log(`${what.padEnd(34)} ${columns.join(' ')}`);
}
