import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { type SourceFile, sourceFiles } from './source-files.ts';

const FILES = sourceFiles();

const CLIENT = '../packages/client/src/client.ts';
const GROUND = ['time.ts', 'errors.ts', 'collections'];

/** What every panel of the studio may import. */
const BELOW_PANELS = [
  ...['studio/media', 'studio/session', 'studio/keys', 'studio/document', 'studio/kit', 'plan', 'timeline', ...GROUND],
];

/**
 * What each room may import beside itself. The room of a path is its longest matching prefix. Imports go only
 * downwards, in the order in which an export passes through the tree. `plan` is all of it, `plan/*` the files directly
 * in it.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'time.ts': [],
  'errors.ts': [],
  collections: [],
  platform: ['errors.ts'],

  'timeline/json': [],
  timeline: ['timeline/request', 'timeline/json', ...GROUND],
  'timeline/request': ['timeline/*', ...GROUND],
  'timeline/subtitle-file': ['timeline/*', 'timeline/request', 'timeline/json', ...GROUND],
  'timeline/parse': [
    'timeline/*',
    'timeline/request',
    'timeline/json',
    'timeline/subtitle-file',
    'timeline/parse/settings',
    ...GROUND,
  ],
  'timeline/parse/settings': ['timeline/*', 'timeline/request', 'timeline/json', 'timeline/parse/*', ...GROUND],

  plan: [
    'plan/layers',
    'plan/audio',
    'plan/keys',
    'plan/place',
    'plan/ground',
    'plan/font',
    'plan/painted',
    'plan/envelope',
    'plan/reveal',
    'timeline',
    ...GROUND,
  ],
  'plan/audio': ['plan/*', 'timeline', ...GROUND],
  'plan/envelope': ['plan/*', 'plan/layers', 'plan/audio', ...GROUND],
  'plan/font': ['plan/*', 'timeline', ...GROUND],
  'plan/ground': ['plan/*', 'plan/layers', 'plan/place', 'timeline', ...GROUND],
  'plan/keys': [
    'plan/*',
    'plan/layers',
    'plan/audio',
    'plan/font',
    'plan/painted',
    'plan/envelope',
    'plan/reveal',
    ...GROUND,
  ],
  'plan/outline': [
    'plan/*',
    'plan/layers',
    'plan/audio',
    'plan/font',
    'plan/keys',
    'plan/place',
    'timeline',
    ...GROUND,
  ],
  'plan/layers': ['plan/*', 'plan/font', 'timeline', ...GROUND],
  'plan/painted': ['plan/*', 'plan/layers', 'plan/font', 'plan/envelope', ...GROUND],
  'plan/place': ['plan/*', 'plan/layers', 'plan/audio', 'plan/font', 'plan/reveal', 'timeline', ...GROUND],
  'plan/reveal': ['plan/*', ...GROUND],

  sound: ['sound/dsp', 'plan', 'collections', 'time.ts'],
  'sound/dsp': ['time.ts'],

  speech: ['timeline', 'platform', ...GROUND],

  iso: [],
  'iso/h264': ['time.ts'],
  'iso/mp4': ['iso/*', 'plan', ...GROUND],
  'iso/cmaf': ['iso/*', 'iso/mp4', ...GROUND],

  'image-header': ['iso/*', 'errors.ts'],

  'paint/canvas-2d.ts': [],
  'paint/layout': ['paint/canvas-2d.ts', 'plan', ...GROUND],
  'paint/pixels': ['plan'],
  'paint/draw': ['paint/pixels', 'paint/layout', 'paint/canvas-2d.ts', 'plan', ...GROUND],
  'paint/fonts': ['paint/layout', 'plan', 'platform'],
  'paint/svg': ['platform', 'image-header', 'errors.ts'],
  'paint/skia': [
    ...['paint/svg', 'paint/fonts', 'paint/draw', 'paint/pixels', 'paint/layout', 'paint/canvas-2d.ts'],
    ...['image-header', 'plan'],
    ...GROUND,
  ],

  'engine/color': [],
  'engine/libav': ['engine/color', 'platform', 'errors.ts'],
  'engine/input': ['engine/libav', 'image-header', 'iso/*', ...GROUND],
  'engine/picture': ['engine/input', 'engine/libav', 'engine/color', 'image-header', 'iso/*', 'plan', ...GROUND],
  'engine/probe': ['engine/picture', 'engine/input', 'engine/libav', 'engine/color', 'image-header', 'plan', ...GROUND],
  'engine/simd': ['engine/color'],
  'engine/compose': [
    ...['engine/picture', 'engine/input', 'engine/libav', 'engine/simd', 'engine/color', 'image-header'],
    ...['paint/pixels', 'plan', ...GROUND],
  ],
  'engine/encode': [
    ...['engine/compose', 'engine/picture', 'engine/input', 'engine/libav', 'engine/color'],
    ...['iso/h264', 'plan', ...GROUND],
  ],
  'engine/speech': [
    ...[
      'engine/probe',
      'engine/sound',
      'engine/input',
      'engine/libav',
      'sound',
      'speech',
      'plan',
      'timeline/subtitle-file',
    ],
    ...GROUND,
  ],
  'engine/sound': ['engine/input', 'engine/libav', 'sound', 'iso/*', 'platform', 'plan', ...GROUND],

  // The only way to addresses that a client chose.
  outbound: ['timeline/json', 'platform', 'errors.ts'],

  'sandbox/jail': ['errors.ts'],
  'sandbox/cgroup': ['sandbox/jail'],
  'sandbox/channel': ['sandbox/jail', 'platform', 'errors.ts'],
  'sandbox/child': [
    ...['sandbox/channel', 'sandbox/jail', 'engine', 'speech', 'paint/skia', 'paint/svg'],
    ...['image-header', 'iso/mp4', 'plan', ...GROUND],
  ],
  'sandbox/host': ['sandbox/cgroup', 'sandbox/channel', 'sandbox/jail', 'platform', ...GROUND],
  sandbox: ['sandbox', 'engine', 'platform', 'plan', 'timeline', ...GROUND],

  store: ['store/usage', 'plan', 'timeline', 'platform', ...GROUND],
  'store/blob-backends.ts': ['store/*', 'store/disk', 'store/s3'],
  'store/destinations': ['store/*', 'store/claims'],
  'store/disk': ['store/*', 'platform', 'errors.ts'],
  'store/captions': ['store/*', 'store/claims'],
  'store/claims': ['store/*'],
  'store/drafts': ['store/*'],
  'store/fetches': ['store/*', 'store/claims'],
  'store/nodes': ['store/*'],
  'store/sqlite': ['store/*', 'store/nodes', 'store/disk', 'errors.ts'],
  'store/postgres': ['store/*', 'store/nodes', 'errors.ts'],
  'store/s3': ['store/*', 'errors.ts'],
  'store/parts': ['store/*', 'platform', 'errors.ts'],
  'store/projects': ['store/*', 'store/usage'],
  'store/usage': ['store/*'],

  exports: [
    ...['exports', 'store/*', 'store/captions', 'store/destinations', 'store/drafts', 'store/fetches', 'store/nodes'],
    ...[
      'store/parts',
      'store/projects',
      'store/usage',
      'sandbox/*',
      'speech',
      'plan',
      'timeline',
      'platform',
      ...GROUND,
    ],
  ],
  'exports/api': ['exports/*', 'store/*', 'store/drafts', 'store/projects', 'speech', 'plan', 'timeline', ...GROUND],
  'exports/run': [
    ...[
      'exports/*',
      'exports/api',
      'store/*',
      'store/drafts',
      'store/fetches',
      'store/nodes',
      'store/parts',
      'store/usage',
    ],
    ...['store/destinations', 'sandbox/*', 'sandbox/host', 'plan', 'platform', ...GROUND],
  ],
  'exports/follow': [
    'exports/*',
    'exports/api',
    'exports/run',
    'store/*',
    'store/nodes',
    'platform',
    'plan',
    'timeline',
    'time.ts',
  ],
  'exports/watch': [
    ...['exports/*', 'exports/api', 'exports/follow', 'store/*', 'store/parts', 'plan', 'iso', 'platform'],
    ...GROUND,
  ],
  'exports/media': [
    ...[
      'exports/*',
      'exports/api',
      'store/*',
      'store/captions',
      'store/fetches',
      'store/projects',
      'outbound',
      'image-header',
    ],
    'sandbox/*',
    ...['plan', 'timeline', 'platform', ...GROUND],
  ],
  'exports/projects': [
    'exports/*',
    'exports/api',
    'exports/media',
    'store/*',
    'store/projects',
    'platform',
    'errors.ts',
  ],
  'exports/claims': ['exports/*', 'exports/api', 'store/*', 'store/claims', 'store/nodes', 'platform', 'errors.ts'],
  'exports/captions': [
    ...[
      'exports/*',
      'exports/api',
      'exports/claims',
      'exports/media',
      'exports/run',
      'exports/submit',
      'store/*',
      'store/captions',
    ],
    ...[
      'store/claims',
      'store/nodes',
      'sandbox/*',
      'sandbox/child',
      'sandbox/host',
      'speech',
      'plan',
      'timeline',
      'platform',
    ],
    ...GROUND,
  ],
  'exports/fetch': [
    ...[
      'exports/*',
      'exports/api',
      'exports/claims',
      'exports/run',
      'exports/submit',
      'store/*',
      'store/fetches',
      'store/nodes',
    ],
    ...['platform', 'errors.ts'],
  ],
  'exports/destinations': [
    ...[
      'exports/*',
      'exports/api',
      'exports/claims',
      'exports/run',
      'store/*',
      'store/destinations',
      'store/nodes',
      'outbound',
    ],
    'errors.ts',
  ],
  'exports/retention': [
    'exports/*',
    'exports/api',
    'exports/media',
    'exports/run',
    'store/*',
    'store/destinations',
    'store/drafts',
    'store/nodes',
    'store/parts',
    'errors.ts',
  ],
  'exports/submit': [
    ...[
      'exports/*',
      'exports/api',
      'exports/media',
      'exports/run',
      'exports/webhooks',
      'store/*',
      'store/destinations',
    ],
    ...['store/fetches', 'store/nodes', 'outbound', 'sandbox/*', 'plan', 'timeline', 'platform', ...GROUND],
  ],
  'exports/frames': [
    ...['exports/*', 'exports/api', 'exports/media', 'exports/submit', 'store/*', 'sandbox/*', 'sandbox/host'],
    ...['plan', 'timeline', 'platform', ...GROUND],
  ],
  'exports/drafts': [
    ...[
      'exports/*',
      'exports/api',
      'exports/media',
      'exports/run',
      'exports/submit',
      'store/*',
      'store/drafts',
      'store/nodes',
    ],
    ...['store/parts', 'plan', 'timeline', 'platform', ...GROUND],
  ],
  'exports/pauses': [
    ...[
      'exports/*',
      'exports/api',
      'exports/media',
      'store/*',
      'sandbox/*',
      'speech',
      'timeline',
      'platform',
      ...GROUND,
    ],
  ],
  'exports/webhooks': [
    'exports/*',
    'exports/api',
    'store/*',
    'store/nodes',
    'outbound',
    'timeline/json',
    'platform',
    'errors.ts',
  ],

  // Use cases are interfaces here; the composition root provides them.
  'http/wire': ['exports/api', 'store/*', 'store/usage', 'timeline', 'errors.ts'],
  'http/multipart': ['exports/api', 'store/*', 'image-header', 'timeline', 'platform', 'errors.ts'],
  'http/server': [
    'http/multipart',
    'http/wire',
    'exports/api',
    'exports/meter.ts',
    'timeline',
    'platform',
    'errors.ts',
  ],
  'http/openapi': ['http/server', 'http/wire', 'exports/api', 'timeline', 'errors.ts'],
  'http/pages': ['platform', 'http/openapi', 'http/server', 'http/wire', 'paint/fonts', 'timeline', 'errors.ts'],
  'http/routes': [
    ...['http/pages', 'http/openapi', 'http/server', 'http/multipart', 'http/wire', 'exports/api'],
    ...['image-header', 'speech', 'timeline', 'store/*', 'platform', 'errors.ts'],
  ],
  http: ['http', 'exports/api', 'errors.ts'],

  // The studio, layer by layer. No panel imports another: code that two of them need is below both. All of it may show
  // a text.
  'studio/texts': [],
  'studio/document': ['plan', 'timeline', ...GROUND],
  'studio/kit': ['timeline'],
  'studio/keys': ['studio/kit'],
  // The only way to the service, which other programs use too.
  'studio/service': [CLIENT],
  'studio/session': ['studio/document', 'studio/kit', 'plan', 'timeline', ...GROUND],
  'studio/media': ['studio/session', 'studio/document', 'studio/kit', 'image-header', 'plan'],
  'studio/keeping': ['studio/media', 'studio/session', 'studio/document', 'studio/kit', 'errors.ts'],
  // Projects that are kept on the service.
  'studio/sync': [
    ...['studio/keeping', 'studio/service', 'studio/media', 'studio/session', 'studio/document', 'studio/kit'],
    ...[CLIENT, 'errors.ts'],
  ],
  // The first example is drawn by its own code, in the page.
  'studio/example': [
    ...['studio/keeping', 'studio/media', 'studio/session', 'studio/document', 'studio/kit', 'plan', 'time.ts'],
    '../examples',
  ],
  'studio/files': [
    ...['studio/keeping', 'studio/media', 'studio/session', 'studio/keys', 'studio/document', 'studio/kit', 'timeline'],
    ...['studio/service', CLIENT, 'time.ts'],
  ],
  'studio/carry': ['studio/media', 'studio/session', 'studio/document', 'studio/kit', 'timeline'],
  'studio/bin': ['studio/carry', 'studio/files', ...BELOW_PANELS],
  'studio/board': ['studio/carry', ...BELOW_PANELS],
  'studio/timeline': ['studio/timeline', 'studio/carry', 'studio/files', 'studio/service', CLIENT, ...BELOW_PANELS],
  'studio/timeline/view': ['studio/document', 'timeline', ...GROUND],
  'studio/preview': [
    ...['studio/service', ...BELOW_PANELS, 'paint/draw', 'paint/pixels', 'paint/layout', 'paint/canvas-2d.ts'],
    ...['image-header', 'sound'],
  ],
  'studio/inspector': ['studio/carry', ...BELOW_PANELS],
  'studio/captions': ['studio/carry', 'studio/service', CLIENT, ...BELOW_PANELS],
  'studio/export': ['studio/service', 'studio/keeping', CLIENT, ...BELOW_PANELS],
  'studio/frame': [
    ...['studio/export', 'studio/example', 'studio/files', 'studio/sync', 'studio/keeping', 'studio/service'],
    ...[CLIENT, ...BELOW_PANELS],
  ],
  // Above the panels: it shows the picture of one and passes it to another.
  'studio/take': ['studio/preview', 'studio/export', 'studio/carry', ...BELOW_PANELS],
  // Menus offer the actions of panels.
  'studio/commands': ['studio/timeline', 'studio/carry', 'studio/files', ...BELOW_PANELS],
  'studio/app.tsx': ['studio'],
  'studio/main.tsx': ['studio'],

  config: ['engine/input', 'sandbox/host', 'store/blob-backends.ts', 'timeline', 'errors.ts'],
  compose: ['platform', 'config', 'http', 'exports', 'store', 'sandbox', 'plan', 'errors.ts'],
  'compose.ts': ['platform', 'compose', 'config', 'http', 'exports', 'store', 'sandbox', 'speech', 'plan'],
  cli: [
    // Commands that use a service use the same client as other programs.
    CLIENT,
    '../packages/client/src/node.ts',
    ...[
      'compose.ts',
      'compose',
      'config',
      'sandbox',
      'outbound',
      'engine',
      'speech',
      'iso/mp4',
      'paint',
      'plan',
      'timeline',
      'platform',
    ],
    ...GROUND,
  ],
};

/** A folder with more files than this should be split. */
const MAX_FILES = 20;

/** Packages that only one part may import. */
const AT_HOME: Readonly<Record<string, readonly string[]>> = {
  'node-av': ['engine'],
  '@napi-rs/canvas': ['paint'],
  '@resvg/resvg-wasm': ['paint'],
  koffi: ['sandbox'],
  zod: ['studio', 'timeline', 'config', 'sandbox', 'store', 'http', 'cli'],
  fastify: ['http'],
  'node:sqlite': ['store'],
  '@aws-sdk/client-s3': ['store'],
  esbuild: ['platform', 'http', 'sandbox'],
  preact: ['studio'],
  '@preact/signals': ['studio'],
  immer: ['studio'],
  idb: ['studio'],
  mediabunny: ['studio'],
  pg: ['store'],
  'pg-boss': ['store'],
  '@modelcontextprotocol/sdk': ['cli'],
};

/** The folder of a file, or the file itself at the top level. */
function partOf(path: string): string {
  return path.split('/')[0]!;
}

function roomOf(path: string): string | undefined {
  const rooms = Object.keys(MAY_IMPORT).filter((room) => covers(room, path));
  return rooms.sort((a, b) => b.length - a.length)[0];
}

/** Whether an entry of the table matches a file, by the name of the file or of a folder. */
function covers(entry: string, path: string): boolean {
  if (entry.endsWith('/*')) return posix.dirname(path) === entry.slice(0, -2);
  return path === entry || path.startsWith(`${entry}/`);
}

function packageOf(specifier: string): string {
  const [first, second] = specifier.split('/');
  return first!.startsWith('@') ? `${first}/${second}` : first!;
}

test('every file belongs to a room with import rules', () => {
  assert.deepEqual(
    FILES.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path),
    [],
  );
});

test('imports go only downwards, from room to room', () => {
  const broken = eachImport((file, specifier) => {
    const room = roomOf(file.path)!;
    const texts = room.startsWith('studio/') ? ['studio/texts'] : [];
    const allowed = [...MAY_IMPORT[room]!, ...texts].some((entry) => covers(entry, specifier));
    return isOwn(specifier) && roomOf(specifier) !== room && !allowed;
  });
  assert.deepEqual(broken, []);
});

test('there are no import cycles, type imports included', () => {
  // A file without imports, or without importers, is in no cycle. After all such files are removed repeatedly, cycles
  // remain.
  let left = FILES;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const paths = new Set(left.map(({ path }) => path));
    const imported = new Set(left.flatMap(({ imports }) => imports));
    left = left.filter(({ path, imports }) => imported.has(path) && imports.some((specifier) => paths.has(specifier)));
  }
  assert.deepEqual(
    left.map(({ path }) => path),
    [],
  );
});

test('no folder directly holds more files than the limit', () => {
  const folders = Map.groupBy(FILES, ({ path }) => posix.dirname(path));
  const full = [...folders].filter(([, files]) => files.length > MAX_FILES).map(([folder]) => folder);
  assert.deepEqual(full, []);
});

test('own files are imported by their .ts or .tsx name, and exist', () => {
  const known = new Set(FILES.map(({ path }) => path));
  const broken = eachImport(
    (_, specifier) => isOwn(specifier) && !/^\.\.\/(examples|packages)\//.test(specifier) && !known.has(specifier),
  );
  assert.deepEqual(broken, []);
});

test('each native or framework package lives in its own part', () => {
  const broken = eachImport((file, specifier) => {
    const home = AT_HOME[packageOf(specifier)];
    return home !== undefined && !home.includes(partOf(file.path));
  });
  assert.deepEqual(broken, []);
});

test('code that runs in a browser is pure: no Node modules, no clock, no random numbers', () => {
  const rooms = [
    ...['timeline', 'plan', 'sound', 'paint/canvas-2d.ts', 'paint/layout', 'paint/draw', 'paint/pixels'],
    ...GROUND,
  ];
  const pure = (file: SourceFile) => rooms.some((room) => covers(room, file.path));
  assert.deepEqual(
    eachImport((file, specifier) => pure(file) && !isOwn(specifier) && specifier !== 'zod'),
    [],
  );
  const impure =
    /\b(?:Buffer\.|Date\.now|new Date|Math\.random|performance\.now|setTimeout|setInterval|randomUUID|process\.)/;
  assert.deepEqual(
    FILES.filter((file) => pure(file) && impure.test(file.text)).map(({ path }) => path),
    [],
  );
});

test('the studio uses only browser APIs, and the edited document is plain data', () => {
  const packages =
    /^(?:preact(?:\/|$)|@preact\/signals$|immer$|idb$|mediabunny$|zod$|\.\.\/examples\/planets\/project\.json$|@noble\/hashes\/)/;
  assert.deepEqual(
    eachImport(({ path }, specifier) => covers('studio', path) && !isOwn(specifier) && !packages.test(specifier)),
    [],
  );
  assert.deepEqual(
    eachImport(({ path }, specifier) => covers('studio/document', path) && !isOwn(specifier) && specifier !== 'immer'),
    [],
  );
});

test('the studio calls the service only through its client; fonts and word lists are files', () => {
  const asks = /(?<![.#])\bfetch\(|\bEventSource\b|\bXMLHttpRequest\b/;
  assert.deepEqual(
    FILES.filter((file) => covers('studio', file.path) && asks.test(file.text))
      .map(({ path }) => path)
      .sort(),
    ['studio/preview/stage/browser-fonts.ts', 'studio/preview/stage/browser-words.ts', 'studio/service/service.ts'],
  );
});

test('only one file reads the environment', () => {
  const readers = FILES.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
  assert.deepEqual(readers, ['config/environment.ts']);
});

test('the entry file loads almost nothing, because it is compiled at every start, twice for a service', () => {
  const loaded = new Set(['cli/main.ts']);
  for (const path of loaded) {
    const { text } = FILES.find((file) => file.path === path)!;
    for (const [, specifier] of text.matchAll(/^import (?!type )[^;]*? from '([^']+)';/gm)) {
      assert.match(specifier!, /^(\.|node:)/, `${path} loads a package`);
      if (specifier!.startsWith('.')) loaded.add(posix.join(posix.dirname(path), specifier!));
    }
  }
  assert.ok(loaded.size <= 5, `${[...loaded]}`);
});

test('file names are kebab-case and specific', () => {
  const names = FILES.map(({ path }) => path.split('/').at(-1)!);
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => /^(utils?|helpers?|misc|common|index|types)\.tsx?$/.test(name)),
    [],
  );
});

/** Whether an import refers to our own file. */
function isOwn(specifier: string): boolean {
  return /\.tsx?$/.test(specifier);
}

function eachImport(broken: (file: SourceFile, specifier: string) => boolean): string[] {
  return FILES.flatMap((file) =>
    file.imports.filter((specifier) => broken(file, specifier)).map((specifier) => `${file.path} imports ${specifier}`),
  );
}
