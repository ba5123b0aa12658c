import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Project } from '../../../src/studio/document/project.ts';
import type { ServiceFixture } from '../../service/service-fixture.ts';

/** The service's own, and the one way in where it wants keys. */
export const KEY = 'the-only-key-there-is-1';

export interface StudioPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts, and what the policy had to stop. */
  readonly faults: string[];
}

/** The studio in a browser with empty storage. */
export async function openStudio(
  browser: Browser,
  service: ServiceFixture,
  { path = '/studio#new', ...options }: BrowserContextOptions & { readonly path?: string } = {},
): Promise<StudioPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  watchFaults(page, faults);
  await page.goto(service.base + path);
  await page.locator('.top').waitFor({ timeout: 120_000 });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
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
  await page
    .locator('.saved', { hasText: /^Saved$/ })
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

/** The violations that axe finds, one line each. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // By the protocol, which no policy of the page blocks.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  await session.detach();
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}
