import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BUILT } from '../../platform/program-files.ts';
import type { CaptionModelName } from '../../speech/models/caption-models.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../timeline/limits.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { HLS_SCRIPT_PATH } from './hls-script.ts';
import { type Html, html } from './html.ts';

/** A file of the studio as served; its name has the hash of its content. */
interface StudioFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The built studio. */
export interface StudioFiles {
  /** File names by entry: `main`, `studio` (the style), and one for each worker. */
  readonly entries: Readonly<Record<string, string>>;
  /** The files that `main` imports. */
  readonly first: readonly string[];
  readonly files: ReadonlyMap<string, StudioFile>;
}

/** The manifest of a folder of built files. */
export type Manifest = Pick<StudioFiles, 'entries' | 'first'>;

const ASSETS = '/assets/';

/** Where the service has the files. */
export const STUDIO_ASSETS = `${ASSETS}studio`;

export const MANIFEST = 'manifest.json';

/** A clone's service is there before its studio, which takes seconds to build, on a busy machine minutes. */
const LONGEST_BUILD_MS = 300_000;

/** The studio's files, as they were built; waits for them while they are built (`build/run.ts`). */
export async function loadStudio(folder = join(BUILT, 'studio-built')): Promise<StudioFiles> {
  await appeared(folder);
  const { entries, first }: Manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  const files = new Map<string, StudioFile>();
  for (const name of await readdir(folder)) {
    if (name === MANIFEST || name.endsWith(BROTLI)) continue;
    const [bytes, brotli] = await Promise.all([name, name + BROTLI].map((file) => readFile(join(folder, file))));
    const type = TYPES[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream';
    files.set(name, { type, bytes: bytes!, brotli: brotli!, gzip: await promisify(gzip)(bytes!, { level: 9 }) });
  }
  return { entries, first, files };
}

async function appeared(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => existsSync(folder) && resolve();
  const watcher = watch(dirname(folder), look).on('error', reject);
  const late = setTimeout(resolve, LONGEST_BUILD_MS);
  try {
    // Perhaps it appeared before it was watched.
    look();
    await promise;
  } finally {
    clearTimeout(late);
    watcher.close();
  }
}

/** The extension of Brotli-compressed files. */
export const BROTLI = '.br';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
};

/** The pages of the studio: their title, their entries in the manifest, and what they load at once. */
const PAGES = {
  studio: { title: 'Tiercut Studio', script: 'main', style: 'studio' },
  check: { title: 'Check this browser – Tiercut Studio', script: 'check-page', style: 'check' },
} as const;

/**
 * A page of the studio of a service.
 *
 * @param captionLanguages those of the installed speech models. (C77)
 */
export function studioPage(
  { presets, limits, shownLimits, apiKeys, metricsKey, models }: HttpConfig,
  captionLanguages: readonly string[],
  built: Manifest,
  name: keyof typeof PAGES = 'studio',
): string {
  const page = {
    ...{ presets, limits },
    ...{ assets: ASSETS, home: '/studio', head: html`` },
    docs: { studio: '/docs/start/studio', captions: '/docs/guides/captions', check: '/studio/check' },
    service: {
      needsKey: apiKeys.length > 0,
      drafts: shownLimits.max_drafts !== 0,
      captionLanguages,
      // The page has no operator's key: only without keys is its visitor the operator.
      modelInstall: models === 'auto' ? 'auto' : apiKeys.length === 0 && metricsKey === null ? 'offered' : 'none',
      hls: HLS_SCRIPT_PATH,
      watch: '/assets/watch.js',
    },
    speech: null,
    without: html`Without it, <a href="/docs">the API</a> makes videos from JSON and files.`,
  };
  return studioText(page, built, name);
}

/** A speech model that a page runs: its files, as addresses. */
export interface StudioSpeech {
  readonly name: CaptionModelName;
  readonly bytes: number;
  readonly files: Readonly<Record<'runtime' | 'loader' | 'wasm' | 'encoder' | 'decoder', string>>;
}

/** What differs between hosts of the page: its addresses, and the service behind it. */
export interface StudioHost {
  readonly presets: HttpConfig['presets'];
  readonly limits: HttpConfig['limits'];
  /** The folder of its pictures, fonts and programs, as an address that ends with a slash. */
  readonly assets: string;
  /** The page itself. */
  readonly home: string;
  readonly docs: Readonly<Record<'studio' | 'captions' | 'check', string>>;
  /** Null: there is none. */
  readonly service: Readonly<Record<string, unknown>> | null;
  /** A speech model beside the page; null if there is none. */
  readonly speech: StudioSpeech | null;
  /** In the head, before anything is loaded. */
  readonly head: Html;
  /** What is possible without JavaScript. */
  readonly without: Html;
}

/** A page of the studio: a root, its script and its style, and its configuration in attributes. */
export function studioText(
  host: StudioHost,
  { entries, first }: Manifest,
  name: keyof typeof PAGES = 'studio',
): string {
  const { title, script, style } = PAGES[name];
  const { presets, limits, assets: folder, home, docs, service, speech } = host;
  const at = (file: string) => `${folder}studio/${file}`;
  const assets = Object.fromEntries(
    Object.entries(entries)
      .filter(([name, file]) => file.endsWith('.js') || name === 'late')
      .map(([name, file]) => [name, at(file)]),
  );
  // Anyone can read what a page contains: these fields and no others.
  const shown = Object.fromEntries(
    Object.keys(DEFAULT_TIMELINE_LIMITS).map((name) => [name, limits[name as 'maxItems']]),
  );
  const fileLimits = { maxFileBytes: limits.maxFileBytes, maxImageFileBytes: limits.maxImageFileBytes };
  const config = { presets, limits: shown, fileLimits, assets: folder, home, docs, service, speech };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
${host.head}<title>${title}</title>
<link rel="stylesheet" href="${at(entries[style]!)}">
<link rel="icon" href="${folder}icon.svg" type="image/svg+xml">
${(name === 'studio' ? first : []).map(
  (file) => html`<link rel="modulepreload" href="${at(file)}">
`,
)}<script src="${assets[script]}" type="module"></script>
</head>
<body>
<div id="studio" data-assets="${JSON.stringify(assets)}" data-config="${JSON.stringify(config)}">
<noscript><p>The studio needs JavaScript. ${host.without}</p></noscript>
</div>
</body>
</html>
`.text;
}
