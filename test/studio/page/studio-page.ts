import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { writeZip } from '../../../src/archive/zip-file.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import type { Picture } from '../../paint/picture-difference.ts';
import { askForProject, leaveStudio } from './shell-page.ts';

/** A project on disk: its documents, and the files of its media by field. */
export interface ProjectOnDisk {
  readonly tier_list: object;
  readonly timeline_data: object;
  readonly settings?: object;
  readonly files: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  svg: 'image/svg+xml',
  png: 'image/png',
  wav: 'audio/wav',
  flac: 'audio/flac',
};

/** What was planned last in a page: the documents that were sent, and what came of them. */
export interface LastPlan {
  /** How many orders there have been before it. */
  readonly order: number;
  /** Whether every format is planned. The shown one is first, and the others follow when the project rests. */
  readonly isWhole: boolean;
  readonly documents: {
    readonly timeline_data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  };
  readonly plans: Readonly<Record<string, RenderPlan>>;
  readonly errors: readonly { readonly path: string; readonly code: string }[];
}

/** Records the messages between the page and its workers, which the tests check. */
const LISTEN = `(() => {
  const Plain = Worker;
  let order = 0;
  let documents = {};
  // As the worker puts them together.
  const put = (changes) => {
    for (const [name, { keys, put, at }] of Object.entries(changes)) {
      const was = documents[name];
      documents[name] = Object.fromEntries(keys.map((key) => [key, key in put ? put[key] : key in at ? [...was[key]] : was[key]]));
      for (const key in at) for (const [index, entry] of at[key]) documents[name][key][index] = entry;
    }
  };
  let plans = {};
  const read = (lists) =>
    Object.fromEntries(
      Object.entries(lists).map(([name, pages]) => [name, pages.flatMap((page) => JSON.parse(page))]),
    );
  // An index stands for a text of the plan before.
  const last = {};
  const whole = (name, lists) => {
    const known = (last[name] ??= {});
    for (const [list, parts] of Object.entries(lists)) {
      known[list] = parts.map((part) => (typeof part === 'number' ? known[list][part] : part));
    }
    return Object.fromEntries(Object.keys(lists).map((list) => [list, known[list]]));
  };
  const unpack = (name, { rest, lists, painted }) => ({
    ...JSON.parse(rest),
    ...read(whole(name, lists)),
    painted: read(whole(name, painted)),
  });
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      super(url, options);
      if (options?.name !== 'plan-worker') return;
      this.addEventListener('message', ({ data: { done, outcome } }) => {
        if (outcome === undefined) return;
        if (outcome.errors.length > 0) plans = {};
        for (const [name, plan] of outcome.plans) plans[name] = unpack(name, plan);
        planHeard(JSON.stringify({ order, isWhole: done, documents, plans, errors: outcome.errors }));
      });
      const post = this.postMessage.bind(this);
      this.postMessage = (message, transfer) => {
        if ('order' in message) {
          order += 1;
          put(message.changes);
          plans = {};
          orderHeard(order);
        }
        post(message, transfer);
      };
    }
  };
})()`;

const PAINTED = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`;

/** Plans take a fraction of a second; a machine that does much else takes longer. */
const LATE_MS = 30_000;
/** A frame is drawn again and again until it is final; beside other browsers on two cores that takes several times as long. */
const SHOWN_MS = 90_000;

/** The studio in a tab, used as a person would. */
export class StudioPage {
  readonly page: Page;
  readonly #url: string;
  /** Errors of the page: of scripts, of the policy, of whatever could not be loaded. */
  readonly complaints: string[] = [];
  /** Plans that were requested so far. */
  orders = 0;
  #plan: LastPlan | null = null;
  #onPlan: () => void = () => {};

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  /**
   * @param browser or a context, whose pages share their storage.
   * @param prepare is done to the page before anything is loaded.
   * @param deviceScaleFactor 2 is four times the work, for tests that compare pictures with those of the service.
   */
  static async open(
    browser: { newPage(options: BrowserContextOptions): Promise<Page> },
    base: string,
    prepare: (page: Page) => Promise<unknown> = async () => {},
    deviceScaleFactor = 1,
  ): Promise<StudioPage> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor });
    const studio = new StudioPage(page, `${base}/studio`);
    await page.exposeFunction('orderHeard', (order: number) => {
      studio.orders = order;
    });
    await page.exposeFunction('planHeard', (plan: string) => {
      studio.#plan = JSON.parse(plan);
      studio.#onPlan();
    });
    await page.addInitScript(LISTEN);
    await prepare(page);
    await page.goto(studio.#url);
    return studio;
  }

  /** Empties the storage and loads the page again, which takes half the time of a new one. */
  async restart(): Promise<void> {
    await leaveStudio(this.page, new URL(this.#url).origin);
    this.complaints.length = 0;
    this.orders = 0;
    this.#plan = null;
    await this.page.goto(this.#url);
  }

  /** Opens a project as one file with its media. */
  async openProject({ files, ...documents }: ProjectOnDisk): Promise<LastPlan> {
    const media = Object.fromEntries(Object.entries(files).map(([field, path]) => [field, `media/${basename(path)}`]));
    const json = JSON.stringify({ settings: {}, ...documents, media });
    const paths = [...new Set(Object.values(files))];
    const archive = await writeZip([
      { path: 'project.json', file: new Blob([json]) },
      ...paths.map((path) => ({
        path: `media/${basename(path)}`,
        file: new Blob([readFileSync(path)], { type: TYPES[path.split('.').at(-1)!] ?? '' }),
      })),
    ]);
    const buffer = Buffer.from(await archive.arrayBuffer());
    const chooser = await askForProject(this.page);
    // The project before may have the same title: only a later plan is one of this project.
    const before = this.orders;
    await chooser.setFiles({ name: 'project.zip', mimeType: 'application/zip', buffer });
    const { title } = documents.tier_list as { title: string };
    const plan = await this.planWhere(
      ({ order, documents: planned }) =>
        order > before && (planned as { tier_list?: { title?: string } }).tier_list?.title === title,
    );
    await this.page.getByRole('radio', { name: 'Preview' }).click();
    await this.page.locator('.pv-frame').waitFor();
    // Once it is painted, it has its keys.
    await this.page.evaluate(PAINTED);
    return plan;
  }

  /** The last plan of all formats; waits until no newer one is requested. It cannot know of later requests. */
  lastPlan(): Promise<LastPlan> {
    return this.planWhere(({ order, isWhole }) => isWhole && order === this.orders);
  }

  /**
   * The first plan from now on that meets a condition, or the last one at the timeout: the assertion then shows the
   * error.
   */
  async planWhere(holds: (plan: LastPlan) => boolean): Promise<LastPlan> {
    const late = AbortSignal.timeout(LATE_MS);
    while (!late.aborted && (this.#plan === null || !holds(this.#plan))) {
      await new Promise<void>((heard) => {
        this.#onPlan = heard;
        late.addEventListener('abort', () => heard(), { once: true });
      });
    }
    if (this.#plan === null) throw new Error(`nothing was planned: ${this.complaints.join()}`);
    return this.#plan;
  }

  /** Waits until the final frame is on the large canvas; the error names what is there instead. */
  async seesFrame(frame: number): Promise<void> {
    const final = this.page.locator(`.pv-frame[data-frame="${frame}"][data-settled="true"]`);
    try {
      await final.waitFor({ timeout: SHOWN_MS });
    } catch (cause) {
      const now = await this.page.locator('.pv-frame').evaluateAll((all) => all.map(({ dataset }) => ({ ...dataset })));
      const focus = await this.page.evaluate('document.activeElement?.outerHTML.slice(0, 200)');
      const found = JSON.stringify({ now, focus, complaints: this.complaints });
      throw new Error(`frame ${frame} is not shown after ${SHOWN_MS} ms: ${found}`, { cause });
    }
  }

  /** The pixels of the large canvas; all of them, or scaled to a size. */
  async picture(size: { readonly width: number; readonly height: number } | null = null): Promise<Picture> {
    // Not as it is: a picture is a size too, and would be sent to the page byte for byte as JSON.
    const asked = size && { width: size.width, height: size.height };
    const { width, height, base64 } = await this.page.evaluate(async (wanted) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.pv-frame canvas')!;
      // What a worker has drawn is there with the next picture of the screen.
      await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
      const bitmap = await createImageBitmap(canvas);
      const copy = new OffscreenCanvas(wanted?.width ?? bitmap.width, wanted?.height ?? bitmap.height);
      const context = copy.getContext('2d')!;
      context.drawImage(bitmap, 0, 0, copy.width, copy.height);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let text = '';
      for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
      return { width: copy.width, height: copy.height, base64: btoa(text) };
    }, asked);
    return { width, height, rgba: Buffer.from(base64, 'base64') };
  }
}

declare const document: { querySelector<T>(selector: string): T | null };
declare const requestAnimationFrame: (run: (value: unknown) => void) => number;
declare const createImageBitmap: (
  from: HTMLCanvasElement,
) => Promise<{ readonly width: number; readonly height: number }>;
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): {
    drawImage(image: object, x: number, y: number, width: number, height: number): void;
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
};
type HTMLCanvasElement = object;
