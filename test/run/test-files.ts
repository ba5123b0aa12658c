import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** What a test file is, read from its text and from the files it imports. */
export interface TestFile {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Whether it, or code it imports, can start a program. */
  readonly startsProcesses: boolean;
  /** Whether its tests run side by side: they wait most of the time. */
  readonly isConcurrent: boolean;
  readonly usesBrowser: boolean;
  /** Whether it looks at the clock itself. */
  readonly readsClock: boolean;
  readonly hasGoldens: boolean;
  /** Whether it can run longer on request: by another seed, or by a variable of `LONG`. */
  readonly goesFurther: boolean;
}

/** What `npm run test:long` sets beside the seed: how far the tests that read these variables go. */
export const LONG: Readonly<Record<string, string>> = {
  HOSTILE_CASES: '8000',
  HOSTILE_FORMS: '4000',
  KILL_ROUNDS: '5',
  KILL_EVERY: '1',
  LOST_EVERY: '1',
  LOOP_ADDRESSES: 'each',
};

const STARTS_PROCESSES = ['node:child_process', 'node:cluster', 'playwright-core', 'esbuild'];
const IMPORTS =
  /(?:^|\n)\s*(?:import|export)\b(?! type\b)[^'";]*?\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

/** All of them, each with what it is. Paths are from the working folder, the root of the project. */
export function testFiles(): TestFile[] {
  const sources = new Map<string, Source>();
  const read = (path: string): Source => {
    const known = sources.get(path);
    if (known !== undefined) return known;
    const source = readSource(path);
    sources.set(path, source);
    return source;
  };
  const paths = globSync('test/**/*.test.ts').map((path) => path.replaceAll('\\', '/'));
  return paths.sort().map((path) => describe(path, read));
}

interface Source {
  readonly text: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

function describe(path: string, read: (path: string) => Source): TestFile {
  const files = new Set([path]);
  const packages = new Set<string>();
  for (const file of files) {
    const source = read(file);
    for (const imported of source.files) files.add(imported);
    for (const imported of source.packages) packages.add(imported);
  }
  const { text } = read(path);
  const ownTexts = [...files].filter((file) => file.startsWith('test/')).map((file) => read(file).text);
  const reads = (variable: string) => ownTexts.some((own) => own.includes(`process.env.${variable}`));
  return {
    path,
    bytes: text.length,
    startsProcesses: STARTS_PROCESSES.some((name) => packages.has(name)),
    isConcurrent: /\bconcurrency: (?!1\b)/.test(text),
    usesBrowser: packages.has('playwright-core'),
    readsClock: text.includes('performance.now()'),
    // Tests in a browser compare with what the server paints now, not with a kept picture.
    hasGoldens: reads('UPDATE_GOLDEN') && !packages.has('playwright-core'),
    goesFurther: packages.has('fast-check') || Object.keys(LONG).some(reads),
  };
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const specifiers = [...text.matchAll(IMPORTS)].map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!);
  const files = specifiers
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => posix.join(posix.dirname(path), name));
  return { text, files, packages: specifiers.filter((name) => !name.startsWith('.')) };
}
