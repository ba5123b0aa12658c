import { matchesGlob } from 'node:path';
import type { TestFile } from './test-files.ts';

/** `quick` is `npm test`, `all` is the rest that CI runs, `slow` is for before a release. */
export type Group = 'quick' | 'all' | 'slow';

/** What `npm test` leaves to `npm run test:all` and `npm run test:slow`, and why. The first entry that matches decides; what matches none is quick. */
const GROUPS: readonly { readonly group: Group; readonly files: readonly string[]; readonly why: string }[] = [
  { group: 'quick', files: ['test/service/walk.test.ts'], why: 'one export through the whole service' },
  {
    group: 'slow',
    files: [
      'test/cluster/{faults,hostile}.test.ts',
      'test/service/strain/kill.test.ts',
      'test/studio/page/likeness.test.ts',
      'test/browser/boards.test.ts',
    ],
    why: 'CI has 25 minutes; the same is tested on one node, and in the preview, with fewer cases',
  },
  {
    group: 'all',
    files: ['client', 'cluster', 'faults', 'hostile', 'package', 'postgres', 'service'].map(
      (name) => `test/${name}/**`,
    ),
    why: 'whole services, several of them, that are used, attacked, killed or installed',
  },
  {
    group: 'all',
    files: [
      'test/sandbox/*',
      'test/sandbox/host/{hostile,jailed}-child.test.ts',
      'test/exports/run/**',
      'test/exports/{exports,interrupted}.test.ts',
    ],
    why: 'render children, one after the other',
  },
  {
    group: 'all',
    files: [
      'test/docs/run-blocks.test.ts',
      'test/examples/cookbook.test.ts',
      'test/cli/{batch,doctor,mcp,project-archives,render,service-commands,watch,web-media}.test.ts',
      'test/store/**/{kill,*-restart}.test.ts',
      'test/store/migration/postgres-migration.test.ts',
    ],
    why: 'programs that start, end and start again',
  },
  {
    group: 'all',
    files: ['test/deploy/manifests.test.ts', 'test/n8n/linter.test.ts'],
    why: 'they use schemas and a linter that CI installs during npm test',
  },
  {
    group: 'all',
    files: [
      '**/real-{media,pictures,speech}.test.ts',
      '**/{drift,mixer,sound-reader,joined-files,source-frames,picture-reader,level-buffer,ranges,pixel-formats,svg-rasterizer}.test.ts',
    ],
    why: 'each of them decodes or renders for more than ten seconds',
  },
];

/** Tests that measure time run alone. These leave the measuring to their helpers. */
const SERIAL = [
  'test/cluster/{faults,hostile}.test.ts',
  'test/hostile/requests/slow-clients.test.ts',
  'test/sandbox/host/jailed-child.test.ts',
];

/** They measure the memory or the event loop of their process, and have one of their own. */
const APART = ['test/outbound/costly-responses.test.ts', 'test/http/multipart/document-memory.test.ts'];

/** What takes longest, the longest first, as measured by CI: begun last, one of them would run alone while cores are idle. */
const LONGEST = [
  'test/hostile/requests/held-loop.test.ts',
  'test/studio/page/take.test.ts',
  'test/faults/disk-full.test.ts',
  'test/studio/page/{preview,shell,timeline,faults,desk}.test.ts',
  'test/docs/run-blocks.test.ts',
  'test/store/migration/postgres-migration.test.ts',
  'test/studio/page/storage.test.ts',
  // The longest of the quick ones: it waits for retries most of the time.
  'test/store/s3/s3-faults.test.ts',
];

/** Names that no file has any more: a file that was renamed would change its group unnoticed. */
export function unusedPatterns(files: readonly TestFile[]): string[] {
  const patterns = [...GROUPS.flatMap((entry) => entry.files), ...SERIAL, ...APART, ...LONGEST].flatMap(alternatives);
  return patterns.filter((pattern) => !files.some(({ path }) => matchesGlob(path, pattern)));
}

/** `{a,b}.test.ts` as two patterns: one that matches would hide one that does not. */
function alternatives(pattern: string): string[] {
  const [whole, before, inside, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return inside!.split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}

export function groupOf({ path, usesBrowser }: TestFile): Group {
  const group = GROUPS.find(({ files }) => files.some((pattern) => matchesGlob(path, pattern)))?.group;
  return group ?? (usesBrowser ? 'all' : 'quick');
}

/** Whether a test in it depends on how long something takes. */
export function isSerial({ path, readsClock }: TestFile): boolean {
  return readsClock || SERIAL.some((pattern) => matchesGlob(path, pattern));
}

/**
 * Whether a process runs it with others: to load the code costs a second. Tests that wait side by side, whole services and
 * browsers take long, and begin when a processor is free.
 */
export function sharesProcess(file: TestFile): boolean {
  if (file.isConcurrent || isLong(file) || APART.some((pattern) => matchesGlob(file.path, pattern))) return false;
  return !file.startsProcesses || groupOf(file) === 'quick';
}

export function isLong(file: TestFile): boolean {
  return placeOf(file) < LONGEST.length;
}

/** The place in the order in which files are begun: those of the same place by their size. */
export function placeOf({ path }: TestFile): number {
  const place = LONGEST.findIndex((pattern) => matchesGlob(path, pattern));
  return place === -1 ? LONGEST.length : place;
}
