import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SourceFile, sourceFiles } from './source-files.ts';

const FILES = sourceFiles();

/** What each part may import beside itself. Imports go down only: an export flows through the tree in this order. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'time.ts': [],
  'errors.ts': [],
  'first-signal.ts': [],
  'sha256.ts': [],
  timeline: ['time.ts', 'errors.ts'],
  plan: ['timeline', 'time.ts', 'errors.ts'],
  'image-header': ['errors.ts'],
  paint: ['image-header', 'plan', 'timeline', 'time.ts', 'errors.ts'],
  engine: ['image-header', 'plan', 'timeline', 'time.ts', 'errors.ts'],
  sandbox: ['engine', 'paint', 'image-header', 'plan', 'timeline', 'time.ts', 'errors.ts'],
  store: ['plan', 'timeline', 'time.ts', 'errors.ts'],
  exports: ['first-signal.ts', 'sha256.ts', 'store', 'sandbox', 'plan', 'timeline', 'time.ts', 'errors.ts'],
  http: ['first-signal.ts', 'exports', 'store', 'plan', 'timeline', 'time.ts', 'errors.ts'],
  config: ['engine', 'sandbox', 'timeline', 'errors.ts'],
  'compose.ts': ['config', 'http', 'exports', 'store', 'sandbox', 'engine', 'paint', 'plan', 'timeline', 'errors.ts'],
  cli: ['compose.ts', 'config', 'sandbox', 'engine', 'paint', 'plan', 'timeline', 'sha256.ts', 'time.ts', 'errors.ts'],
};

/** What each room of a part may import of the others; what stands in the part itself may import all of them. */
const ROOM_MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  sandbox: { jail: [], channel: ['jail'], child: ['channel', 'jail'], host: ['channel', 'jail'] },
};

/** Packages that live in one part and nowhere else. */
const AT_HOME: Readonly<Record<string, readonly string[]>> = {
  'node-av': ['engine'],
  '@napi-rs/canvas': ['paint'],
  koffi: ['sandbox'],
  zod: ['timeline', 'config', 'sandbox', 'store', 'http', 'cli'],
  fastify: ['http'],
  'node:sqlite': ['store'],
};

/** The folder of a file, or the file itself where it stands at the top. */
function partOf(path: string): string {
  return path.split('/')[0]!;
}

function packageOf(specifier: string): string {
  const [first, second] = specifier.split('/');
  return first!.startsWith('@') ? `${first}/${second}` : first!;
}

test('every file belongs to a part whose imports are ruled', () => {
  const parts = new Set(FILES.map(({ path }) => partOf(path)));
  assert.deepEqual(
    [...parts].filter((part) => !(part in MAY_IMPORT)),
    [],
  );
});

test('imports go down only', () => {
  const broken = eachImport((file, specifier) => {
    const from = partOf(file.path);
    const to = partOf(specifier);
    return specifier.endsWith('.ts') && from !== to && !MAY_IMPORT[from]?.includes(to);
  });
  assert.deepEqual(broken, []);
});

test('inside a part, imports go down only too', () => {
  const broken = eachImport((file, specifier) => {
    const [part, room, inRoom] = file.path.split('/');
    const [toPart, toRoom, toInRoom] = specifier.split('/');
    const allowed = ROOM_MAY_IMPORT[part!]?.[room!];
    if (part !== toPart || inRoom === undefined || allowed === undefined || room === toRoom) return false;
    return toInRoom === undefined || !allowed.includes(toRoom!);
  });
  assert.deepEqual(broken, []);
});

test('own files are imported by their .ts name, and exist', () => {
  const known = new Set(FILES.map(({ path }) => path));
  const broken = eachImport((_, specifier) => specifier.endsWith('.ts') && !known.has(specifier));
  assert.deepEqual(broken, []);
});

test('each native or framework package lives in its own part', () => {
  const broken = eachImport((file, specifier) => {
    const home = AT_HOME[packageOf(specifier)];
    return home !== undefined && !home.includes(partOf(file.path));
  });
  assert.deepEqual(broken, []);
});

test('timeline and plan are pure: no files, no processes, no clock, no chance', () => {
  const effects = new Set([
    'node:fs',
    'node:fs/promises',
    'node:child_process',
    'node:net',
    'node:http',
    'node:os',
    'node:timers',
  ]);
  const pure = (file: SourceFile) => ['timeline', 'plan', 'time.ts', 'errors.ts'].includes(partOf(file.path));
  assert.deepEqual(
    eachImport((file, specifier) => pure(file) && effects.has(specifier)),
    [],
  );
  const impure = /\b(?:Date\.now|new Date|Math\.random|performance\.now|setTimeout|setInterval|randomUUID|process\.)/;
  assert.deepEqual(
    FILES.filter((file) => pure(file) && impure.test(file.text)).map(({ path }) => path),
    [],
  );
});

test('the environment is read in config.ts alone', () => {
  const readers = FILES.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
  assert.deepEqual(readers, ['config/config.ts']);
});

test('files are kebab-case, and none is called after nothing in particular', () => {
  const names = FILES.map(({ path }) => path.split('/').at(-1)!);
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => /^(utils?|helpers?|misc|common|index|types)\.ts$/.test(name)),
    [],
  );
});

function eachImport(broken: (file: SourceFile, specifier: string) => boolean): string[] {
  return FILES.flatMap((file) =>
    file.imports.filter((specifier) => broken(file, specifier)).map((specifier) => `${file.path} imports ${specifier}`),
  );
}
