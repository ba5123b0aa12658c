import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, FileChooser, Locator, Page } from 'playwright-core';
import type { Project } from '../../../src/studio/document/project.ts';
import type { ServiceFixture } from '../../service/service-fixture.ts';

/** The service's own, and the one way in where it wants keys. */
export const KEY = 'the-only-key-there-is-1';

export interface StudioPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts, and what the policy had to stop. */
  readonly faults: string[];
}

/** As long as other waits. */
const BECOMES_MS = 30_000;
/** For the first page of a browser on a machine that does much else. */
const LOADED_MS = 60_000;
/** What is made on a machine that does much else may take minutes, and shows some progress in this time. */
const PROGRESS_MS = 50_000;
const LOOK_MS = 1000;
const WIDE = { width: 1440, height: 900 };

/** The studio in a browser with empty storage. */
export async function openStudio(
  browser: Browser,
  service: ServiceFixture,
  { path = '/studio', ...options }: BrowserContextOptions & { readonly path?: string } = {},
): Promise<StudioPage> {
  const studio = await emptyPage(browser, options);
  await load(studio.page, service.base + path);
  return studio;
}

/** A page in a browser with empty storage, for `restartStudio`. */
export async function emptyPage(browser: Browser, options: BrowserContextOptions = {}): Promise<StudioPage> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  watchFaults(page, faults);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('.top').waitFor({ timeout: LOADED_MS });
}

/** Opens the example from the first visit. */
export async function openExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^The planets, ranked/ }).click();
  await page.locator('.pname').waitFor();
}

/** Waits for what the page shows once it is made (an export, words), as long as the page shows some progress. */
export async function completed(
  page: Page,
  shown: Locator = page.getByText('All three formats are ready'),
): Promise<void> {
  let words: string | null = '';
  for (let leftMs = PROGRESS_MS; leftMs > 0; leftMs -= LOOK_MS) {
    const isThere = await shown.waitFor({ timeout: LOOK_MS }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const now = await page.locator('.app').textContent({ timeout: PROGRESS_MS });
    if (now !== words) leftMs = PROGRESS_MS;
    words = now;
  }
  throw new Error(`${shown} was not shown, and nothing changed for ${PROGRESS_MS} ms:\n${words?.slice(0, 4000)}`);
}

/** Asks for a project file: on the first visit, or in the menu of the open project. */
export async function askForProject(page: Page): Promise<FileChooser> {
  await page.locator('.first, .pname').first().waitFor();
  const choosing = page.waitForEvent('filechooser');
  if (await page.locator('.first').isVisible()) await page.getByRole('button', { name: 'Open a file…' }).click();
  else {
    await page.locator('.pname').click();
    await page.getByRole('button', { name: 'Open a project file' }).click();
  }
  return choosing;
}

/** What a user sets that a page can see. */
export interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'dark' | 'light';
  readonly reducedMotion?: 'reduce';
}

/** Leaves the studio and empties its storage. */
export async function leaveStudio(page: Page, origin: string): Promise<void> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

/** Empties the storage of a page and loads the studio again, which takes half the time of a new browser context. */
export async function restartStudio(
  { page, faults }: StudioPage,
  service: ServiceFixture,
  { viewport = WIDE, ...media }: Look = {},
): Promise<void> {
  await leaveStudio(page, service.base);
  faults.length = 0;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, ...media });
  await load(page, `${service.base}/studio`);
}

/** Waits until a promise of the page resolves to true. `waitForFunction` takes the promise itself for true. */
export async function becomesTrue(page: Page, promise: string): Promise<void> {
  const isTrue = await page.evaluate(`(async () => {
    for (const end = performance.now() + ${BECOMES_MS}; performance.now() < end; ) {
      if (await ${promise}) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  })()`);
  if (!isTrue) throw new Error(`false for ${BECOMES_MS} ms: ${promise}`);
}

export function watchFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
}

/** Drops as many small pictures onto the page at once, called by their numbers; the first is made longer by so many bytes. */
export async function dropPictures(page: Page, count: number, prefix = 'picture_', padBytes = 0): Promise<void> {
  await page.evaluate(
    async ([many, name, pad]) => {
      const page = globalThis as unknown as BrowserWindow;
      const transfer = new page.DataTransfer();
      for (let i = 0; i < many; i += 1) {
        const canvas = new page.OffscreenCanvas(32, 32);
        const context = canvas.getContext('2d');
        context.fillStyle = `hsl(${i * 37} 70% 50%)`;
        context.fillRect(0, 0, 32, 32);
        context.fillStyle = '#fff';
        context.fillRect(i % 30, Math.floor(i / 30), 2, 2);
        const blob = await canvas.convertToBlob({ type: 'image/png' });
        const parts = i === 0 ? [blob, new Uint8Array(pad)] : [blob];
        transfer.items.add(new page.File(parts, `${name}${i}.png`, { type: 'image/png' }));
      }
      page.dispatchEvent(new page.DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [count, prefix, padBytes] as const,
  );
}

/** Drops files onto the page at once. */
export async function dropFiles(page: Page, files: readonly (readonly [name: string, bytes: Buffer])[]): Promise<void> {
  await page.evaluate(
    (packed) => {
      const page = globalThis as unknown as BrowserWindow;
      const transfer = new page.DataTransfer();
      for (const [name, base64] of packed) {
        transfer.items.add(new page.File([Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))], name));
      }
      page.dispatchEvent(new page.DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    files.map(([name, bytes]) => [name, bytes.toString('base64')] as const),
  );
}

/** What of a browser is used above; the tests themselves run without its types. */
interface BrowserWindow extends EventTarget {
  readonly DataTransfer: new () => { items: { add(file: unknown): void } };
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: string): { fillStyle: string; fillRect(x: number, y: number, w: number, h: number): void };
    convertToBlob(options: object): Promise<Blob>;
  };
  readonly File: typeof File;
  readonly DragEvent: new (type: string, options: object) => Event;
}

/** The project in the browser's storage, once everything is stored. */
export async function keptProject(page: Page): Promise<Project> {
  // An empty project is saved before it is shown.
  await page
    .locator('.saved', { hasText: /^Saved$/ })
    .or(page.locator('.first'))
    .first()
    .waitFor({ state: 'attached' });
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('tiercut-studio');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const stores = opening.result.transaction(['projects', 'last']);
      stores.objectStore('last').get('last').onsuccess = (event) => {
        stores.objectStore('projects').get(event.target.result).onsuccess = (found) => {
          opening.result.close();
          resolve(found.target.result.project);
        };
      };
    };
  })`);
}

/** Keeps the page from saving, as a browser that is busy does, until what it returns is called. */
export async function holdDatabase(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`new Promise((held) => {
    const opening = indexedDB.open('tiercut-studio');
    opening.onsuccess = () => {
      const projects = opening.result.transaction('projects', 'readwrite').objectStore('projects');
      let isHeld = true;
      globalThis.freeDatabase = () => { isHeld = false; };
      const stay = () => {
        held();
        if (isHeld) projects.count().onsuccess = stay;
        else opening.result.close();
      };
      projects.count().onsuccess = stay;
    };
  })`);
  return () => page.evaluate('freeDatabase()');
}

/** The names of the items of each row, the pool last. */
export function rowsOf(page: Page): Promise<readonly (readonly string[])[]> {
  return page.evaluate(`[...document.querySelectorAll('[data-row]')].map((row) =>
    [...row.querySelectorAll('.tile')].map((tile) => tile.getAttribute('aria-label')))`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds, one line each: of all rules as the page is, and of colours in the other look too. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) {
    // By the protocol, which no policy of the page blocks.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: AXE });
    await session.detach();
  }
  const faults = await violations(page, '');
  const [was, other] = (await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`))
    ? (['dark', 'light'] as const)
    : (['light', 'dark'] as const);
  await page.emulateMedia({ colorScheme: other });
  const colors = await violations(page, `runOnly: ['color-contrast', 'link-in-text-block'],`);
  await page.emulateMedia({ colorScheme: was });
  return [...faults, ...colors.map((fault) => `${other}: ${fault}`)];
}

async function violations(page: Page, options: string): Promise<readonly string[]> {
  // A colour in transition is none of a look. Only a rule that is off by default needs the page's files.
  return page.evaluate(`(async () => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    const found = await axe.run(document, { ${options} resultTypes: ['violations'], preload: false });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary));
  })()`);
}
