import type { CaptionModelName } from '../../speech/models/caption-models.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { FileLimits } from './file-limits.ts';

/** Configuration of the page, read from attributes of the root element: the page has no inline script. */
interface StudioConfig {
  readonly presets: Presets;
  readonly limits: TimelineLimits;
  /** The largest files that are accepted. */
  readonly fileLimits: FileLimits;
  /** The folder of its pictures, fonts and programs, as an address that ends with a slash. */
  readonly assets: string;
  /** The page itself, its documentation, and the check of a browser. */
  readonly home: string;
  readonly docs: Readonly<Record<'studio' | 'captions' | 'check', string>>;
  /** What the service of this page does. Null: the page is static, and everything happens in the browser. */
  readonly service: ServiceConfig | null;
  /** A speech model beside the page, which transcribes in the browser. */
  readonly speech: SpeechFiles | null;
}

/** The files of a speech model, as addresses. */
export interface SpeechFiles {
  readonly name: CaptionModelName;
  /** The size of all. */
  readonly bytes: number;
  readonly files: Readonly<Record<'runtime' | 'loader' | 'wasm' | 'encoder' | 'decoder', string>>;
}

interface ServiceConfig {
  /** Whether the service requires an API key. (C51) */
  readonly needsKey: boolean;
  /** Whether the service renders while a project is edited. (C79) */
  readonly drafts: boolean;
  /** ISO 639 codes of the languages that the service transcribes; empty without a speech model. (C77) */
  readonly captionLanguages: readonly string[];
  /** Who installs a speech model: the service at first use, the user of this page, or neither. */
  readonly modelInstall: 'auto' | 'offered' | 'none';
  /** URL of hls.js, loaded when a video is first watched. */
  readonly hls: string;
  /** URL of the player that the service's pages use. */
  readonly watch: string;
}

const root = document.getElementById('studio')!;

export const studioConfig: StudioConfig = JSON.parse(root.dataset.config!);
const assets: Readonly<Record<string, string>> = JSON.parse(root.dataset.assets!);

/** The part of the API that we use. Not every browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Only our own scripts may be loaded by URL. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('studio', {
  createScriptURL(url) {
    if (Object.values(assets).includes(url)) return url;
    throw new TypeError('Not a script of the studio.');
  },
});

/** The stylesheet of the parts that load later. */
export const lateStyle: string = assets.late!;

/** Starts a worker: `src/studio/media/import-worker.ts` is `startWorker('import-worker')`. */
export function startWorker(name: string): Worker {
  const url = workerAddress(name);
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module', name });
}

/** Where a worker's program is: another program has another address. */
export function workerAddress(name: string): string {
  const url = assets[name];
  if (url === undefined) throw new Error(`There is no worker called ${name}.`);
  return url;
}
