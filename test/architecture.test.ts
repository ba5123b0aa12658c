import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { type SourceFile, sourceFiles } from './source-files.ts';

const FILES = sourceFiles();

/**
 * The rooms of the house, from the ground up: the paths each consists of, and the rooms it may import. A path belongs
 * to the longest prefix that matches it. A room imports only rooms above it in this table, so there is no way back.
 * Every room may import the ground.
 */
const ROOMS: Readonly<Record<string, { readonly of: readonly string[]; readonly imports: readonly string[] }>> = {
  ground: { of: ['time.ts', 'errors.ts', 'collections.ts'], imports: [] },
  platform: { of: ['platform'], imports: [] },
  timeline: { of: ['timeline'], imports: [] },
  archive: { of: ['archive'], imports: ['timeline'] },
  plan: { of: ['plan'], imports: ['timeline'] },
  sound: { of: ['sound'], imports: ['plan'] },
  speech: { of: ['speech'], imports: ['timeline', 'platform'] },
  iso: { of: ['iso'], imports: ['plan'] },
  'image-header': { of: ['image-header'], imports: ['iso'] },
  // The tools of agents: over HTTP and on the command line.
  mcp: { of: ['mcp'], imports: ['timeline', 'platform', 'client'] },

  // Layout and drawing run in a browser; fonts, Skia and SVG are of the server.
  paint: { of: ['paint'], imports: ['plan'] },
  'paint on the server': {
    of: ['paint/fonts', 'paint/skia', 'paint/svg'],
    imports: ['paint', 'image-header', 'plan', 'platform'],
  },
  // Loops over pixels in WebAssembly, which the studio runs too.
  kernels: { of: ['engine/simd', 'engine/color/painted-color.ts'], imports: [] },
  engine: {
    of: ['engine'],
    imports: ['kernels', 'paint', 'image-header', 'iso', 'sound', 'speech', 'plan', 'timeline', 'platform'],
  },

  // The only way to addresses that a client chose.
  outbound: { of: ['outbound'], imports: ['timeline', 'platform'] },
  sandbox: {
    of: ['sandbox'],
    imports: ['engine', 'paint on the server', 'image-header', 'speech', 'plan', 'platform'],
  },
  store: { of: ['store'], imports: ['timeline', 'platform'] },
  'store adapters': {
    of: ['store/sqlite', 'store/postgres', 'store/disk', 'store/s3', 'store/migration'],
    imports: ['store', 'platform'],
  },

  // Use cases are interfaces for `http`; the composition root provides them.
  'exports/api': { of: ['exports/api'], imports: ['store', 'speech', 'plan', 'timeline'] },
  exports: {
    of: ['exports'],
    imports: [
      ...['exports/api', 'store', 'sandbox', 'outbound', 'image-header', 'archive', 'iso', 'speech', 'plan'],
      ...['timeline', 'platform'],
    ],
  },
  http: {
    of: ['http'],
    imports: [
      ...['exports/api', 'store', 'paint on the server', 'archive', 'image-header', 'mcp', 'speech', 'timeline'],
      ...['platform', 'client'],
    ],
  },
  config: { of: ['config'], imports: ['engine', 'sandbox', 'store', 'store adapters', 'timeline'] },
  compose: {
    of: ['compose', 'compose.ts'],
    imports: [
      ...['config', 'http', 'exports', 'exports/api', 'store', 'store adapters', 'sandbox', 'speech', 'plan'],
      'platform',
    ],
  },
  cli: {
    of: ['cli'],
    imports: [
      ...['compose', 'config', 'sandbox', 'outbound', 'engine', 'paint on the server', 'archive', 'iso', 'speech'],
      // For the page that it writes for a static host.
      'http',
      // Commands that use a service use the same client as other programs.
      ...['mcp', 'plan', 'timeline', 'platform', 'client'],
    ],
  },

  // The studio: the document and what all panels use; what some of them use; the panels; what connects them.
  'studio/document': {
    of: [
      ...['studio/texts', 'studio/kit', 'studio/keys', 'studio/document', 'studio/session'],
      ...['studio/media', 'studio/keeping'],
    ],
    imports: ['archive', 'image-header', 'speech', 'plan', 'timeline', 'client'],
  },
  'studio/shared': {
    of: ['studio/carry', 'studio/files', 'studio/sync', 'studio/example'],
    imports: ['studio/document', 'timeline', 'client', 'examples'],
  },
  'studio/panels': {
    of: [
      ...['studio/board', 'studio/timeline', 'studio/preview', 'studio/inspector', 'studio/captions'],
      ...['studio/export', 'studio/series'],
    ],
    imports: [
      ...['studio/shared', 'studio/document', 'paint', 'paint on the server', 'archive', 'image-header', 'sound'],
      ...['speech', 'plan', 'timeline', 'client'],
    ],
  },
  // The workers that render in the browser.
  'studio/device': {
    of: ['studio/device'],
    imports: ['studio/panels', 'studio/document', 'speech', 'timeline', 'kernels', 'paint', 'iso', 'sound', 'plan'],
  },
  studio: { of: ['studio'], imports: ['studio/panels', 'studio/shared', 'studio/document', 'timeline'] },
};

/** What is imported from other parts of the repository. */
const BESIDE: Readonly<Record<string, string>> = { client: '../packages/client/src', examples: '../examples' };

/** Packages that only one part may import. */
const AT_HOME: Readonly<Record<string, readonly string[]>> = {
  'node-av': ['engine'],
  '@napi-rs/canvas': ['paint'],
  '@resvg/resvg-wasm': ['paint', 'studio'],
  koffi: ['sandbox'],
  zod: ['studio', 'timeline', 'config', 'sandbox', 'store', 'http', 'cli'],
  fastify: ['http'],
  'node:sqlite': ['store'],
  '@aws-sdk/client-s3': ['store'],
  esbuild: [],
  preact: ['studio'],
  '@preact/signals': ['studio'],
  immer: ['studio'],
  mediabunny: ['studio'],
  '@mediabunny/aac-encoder': ['studio'],
  pg: ['store'],
  'pg-boss': ['store'],
  '@modelcontextprotocol/sdk': [],
};

/** The folder of a file, or the file itself at the top level. */
function partOf(path: string): string {
  return path.split('/')[0]!;
}

function roomOf(path: string): string | undefined {
  const beside = Object.keys(BESIDE).find((name) => path.startsWith(BESIDE[name]!));
  const prefixes = Object.entries(ROOMS).flatMap(([room, { of }]) => of.map((prefix) => ({ room, prefix })));
  const matching = prefixes.filter(({ prefix }) => covers(prefix, path));
  return beside ?? matching.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.room;
}

/** Whether an entry of the table matches a file, by the name of the file or of a folder. */
function covers(entry: string, path: string): boolean {
  return path === entry || path.startsWith(`${entry}/`);
}

function packageOf(specifier: string): string {
  const [first, second] = specifier.split('/');
  return first!.startsWith('@') ? `${first}/${second}` : first!;
}

test('every file belongs to a room', () => {
  assert.deepEqual(
    FILES.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path),
    [],
  );
});

test('a room imports only rooms that it may, all of them above it in the table', () => {
  const broken = eachImport(({ path }, specifier) => {
    const [room, other] = [roomOf(path)!, roomOf(specifier)!];
    return isOwn(specifier) && other !== room && other !== 'ground' && !ROOMS[room]!.imports.includes(other);
  });
  assert.deepEqual(broken, []);
  const order = [...Object.keys(BESIDE), ...Object.keys(ROOMS)];
  const upward = Object.entries(ROOMS).flatMap(([room, { imports }]) =>
    imports.filter((other) => order.indexOf(other) >= order.indexOf(room)).map((other) => `${room} imports ${other}`),
  );
  assert.deepEqual(upward, []);
});

test('a room imports every room that it may', () => {
  const arrows = new Set(FILES.flatMap(({ path, imports }) => imports.map((to) => `${roomOf(path)} > ${roomOf(to)}`)));
  const unused = Object.entries(ROOMS).flatMap(([room, { imports }]) => imports.map((other) => `${room} > ${other}`));
  assert.deepEqual(
    unused.filter((arrow) => !arrows.has(arrow)),
    [],
  );
});

test('folders do not import each other both ways', () => {
  const arrows = new Map<string, string>();
  for (const { path, imports } of FILES) {
    for (const specifier of imports.filter(isOwn)) {
      const [from, to] = [posix.dirname(path), posix.dirname(specifier)];
      // The files directly in src/ are of different rooms.
      if (from !== to && from !== '.' && to !== '.') arrows.set(`${from} > ${to}`, `${to} > ${from}`);
    }
  }
  const both = [...arrows].filter(([arrow, back]) => arrow < back && arrows.has(back)).map(([arrow]) => arrow);
  assert.deepEqual(both, []);
});

test('no panel of the studio imports another', () => {
  const panelOf = (path: string) => ROOMS['studio/panels']!.of.find((panel) => covers(panel, path));
  const broken = eachImport(({ path }, specifier) => {
    const [panel, other] = [panelOf(path), panelOf(specifier)];
    return panel !== undefined && other !== undefined && panel !== other;
  });
  assert.deepEqual(broken, []);
});

test('only the render child loads the engine and the canvas of the server', () => {
  // The table of containers is plain data.
  const loads = /^import (?!type )[^;]*? from '[^']*\/(?:engine|paint)\/(?!input\/media-containers)[^']+';/m;
  const parent = FILES.filter(({ path }) => covers('sandbox', path) && !covers('sandbox/child', path));
  assert.deepEqual(
    parent.filter(({ text }) => loads.test(text)).map(({ path }) => path),
    [],
  );
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

test('no two files of different rooms have the same name, adapters of one port aside', () => {
  const named = Map.groupBy(
    // Texts are named after what they are shown in.
    FILES.filter(({ path }) => !covers('studio/texts', path)),
    ({ path }) => posix.basename(path),
  );
  const shared = [...named].filter(([, files]) => new Set(files.map(({ path }) => roomOf(path))).size > 1);
  assert.deepEqual(
    shared.map(([name]) => name),
    [],
  );
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
    ...[
      'timeline',
      'plan',
      'sound',
      'iso',
      'paint/canvas-2d.ts',
      'paint/boxes.ts',
      'paint/layout',
      'paint/draw',
      'paint/pixels',
      'engine/simd',
    ],
    ...ROOMS.ground!.of,
  ];
  const pure = (file: SourceFile) => rooms.some((room) => covers(room, file.path));
  assert.deepEqual(
    eachImport((file, specifier) => pure(file) && !isOwn(specifier) && specifier !== 'zod/mini'),
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
    /^(?:preact(?:\/|$)|@preact\/signals$|immer$|mediabunny$|@mediabunny\/aac-encoder\/module$|zod\/mini$|@resvg\/resvg-wasm(?:$|\/index_bg\.wasm$)|@expo-google-fonts\/noto-sans\/400Regular\/|\.\.\/examples\/(?:planets|templates\/[\w-]+)\/project\.json$|@noble\/hashes\/|speech\/(?:silero-vad-16k|captions\/moonshine-tokens)\.bin$)/;
  assert.deepEqual(
    eachImport(({ path }, specifier) => covers('studio', path) && !isOwn(specifier) && !packages.test(specifier)),
    [],
  );
  assert.deepEqual(
    eachImport(({ path }, specifier) => covers('studio/document', path) && !isOwn(specifier) && specifier !== 'immer'),
    [],
  );
});

test('the studio calls the service only through its client; fonts, word lists and the voice model are files', () => {
  const asks = /(?<![.#])\bfetch\(|\bEventSource\b|\bXMLHttpRequest\b/;
  assert.deepEqual(
    FILES.filter((file) => covers('studio', file.path) && asks.test(file.text))
      .map(({ path }) => path)
      .sort(),
    [
      'studio/device/captions-worker.ts',
      'studio/kit/font-list.ts',
      'studio/media/speech-worker.ts',
      'studio/preview/canvas/browser-words.ts',
      'studio/preview/canvas/drawing-worker.ts',
      'studio/session/service.ts',
      'studio/sync/link-worker.ts',
    ],
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
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(?:\.d)?\.tsx?$/.test(name)),
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
