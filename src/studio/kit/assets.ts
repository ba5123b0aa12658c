import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { FileLimits } from './file-limits.ts';

/** What the service tells its page, in attributes of the page's root: nothing inline is ever executed. */
interface StudioConfig {
  readonly presets: Presets;
  readonly limits: TimelineLimits;
  /** The largest files that the service takes. */
  readonly fileLimits: FileLimits;
  /** Whether the service wants an API key. (C51) */
  readonly needsKey: boolean;
  /** Whether the service renders while a project is edited. (C79) */
  readonly drafts: boolean;
  /** The address of hls.js, loaded when a video is first watched. */
  readonly hls: string;
  /** The address of the player of the service's pages. */
  readonly watch: string;
}

const root = document.getElementById('studio')!;

export const studioConfig: StudioConfig = JSON.parse(root.dataset.config!);
const assets: Readonly<Record<string, string>> = JSON.parse(root.dataset.assets!);

/** As far as we use it; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The only scripts that may be started by address are our own. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('studio', {
  createScriptURL(url) {
    if (Object.values(assets).includes(url)) return url;
    throw new TypeError('Not a script of the studio.');
  },
});

/** The style of what is shown later. */
export const lateStyle: string = assets.late!;

/** Starts a worker: `src/studio/media/import-worker.ts` is `startWorker('import-worker')`. */
export function startWorker(name: string): Worker {
  const url = assets[name];
  if (url === undefined) throw new Error(`There is no worker called ${name}.`);
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module', name });
}
