import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'test', 'bench', 'build', 'examples', 'packages'];

/**
 * Exported for a test that cannot reach its subject otherwise, or needs the type. Remove any other export that only
 * tests import.
 */
const FOR_TESTS: readonly string[] = [
  'src/cli/command-line/help.ts commandText',
  'src/cli/command-line/help.ts overviewText',
  'src/compose/try-parts.ts databaseFault',
  'src/compose/try-parts.ts filesFault',
  'src/engine/compose/decode-picture.ts RgbaPicture',
  'src/engine/compose/front-of-board.ts dimmedFrame',
  'src/engine/compose/clip-layers.ts plainFrame',
  'src/engine/compose/painted-frames.ts writePainted',
  'src/engine/input/joined-clock.ts ClockEpochs',
  'src/engine/input/joined-clock.ts TransportStamp',
  'src/engine/input/joined-clock.ts wrappedDifference',
  'src/engine/picture/orientation.ts UPRIGHT',
  'src/engine/picture/picture-facts.ts uprightSize',
  'src/engine/picture/picture-packets.ts mendedPicture',
  'src/engine/sound/mixer.ts BusAdder',
  'src/engine/sound/mixer.ts ReaderPool',
  'src/engine/sound/render-sound.ts SoundRequest',
  'src/engine/sound/render-sound.ts SoundResult',
  'src/exports/media/fetch-media.ts FetchPlaces',
  'src/exports/submit/form-faults.ts parseCallbackUrl',
  'src/exports/submit/planner.ts plannerHere',
  'src/http/multipart/read-multipart.ts boundaryOf',
  'src/http/pages/docs/markdown.ts slug',
  'src/http/limit-requests.ts SteadyRateStore',
  'src/paint/draw/color.ts INK_DARK',
  'src/paint/draw/color.ts INK_LIGHT',
  'src/paint/draw/color.ts luminance',
  'src/paint/draw/motion/slammed-cards.ts SlammedCard',
  'src/paint/draw/motion/slammed-cards.ts slammedCards',
  'src/paint/layout/board-pose.ts stillPose',
  'src/paint/layout/text/glyph-coverage.ts missingGlyphs',
  'src/paint/layout/words/listed-words.ts ListedWords',
  'src/paint/layout/words/listed-words.ts WordList',
  'src/paint/layout/words/listed-words.ts isSyllableBound',
  'src/paint/layout/words/listed-words.ts readWordList',
  'src/paint/svg/svg-rasterizer.ts RasterizedSvg',
  'src/plan/model/fonts.ts nearestWeight',
  'src/plan/model/fonts.ts uploadFamily',
  'src/plan/place/place-subtitles.ts captionPages',
  'src/plan/plan-outline.ts neededSources',
  'src/plan/plan-outline.ts pictureSources',
  'src/plan/plan-outline.ts soundSources',
  'src/sandbox/host/child-limits.ts DEFAULT_CHILD_ALLOWANCE',
  'src/sandbox/host/render-memory.ts renderMemoryBytes',
  'src/sandbox/jail/jail.ts ALLOWED_CALLS',
  'src/sandbox/jail/seccomp.ts filterProgram',
  'src/sandbox/jail/syscall-numbers.ts SYSCALL_NUMBERS',
  'src/sandbox/render-host.ts ChildTask',
  'src/sandbox/render-host.ts RenderHostOptions',
  'src/speech/captions/caption-words.ts captionRows',
  'src/speech/models/install-model.ts FetchPackage',
  'src/speech/models/installed-models.ts VULKAN_LOADER',
  'src/speech/models/installed-models.ts checkWhisperFile',
  'src/speech/models/installed-models.ts hasLibrary',
  'src/studio/document/move-entries.ts startedAt',
  'src/studio/document/versions.ts MAX_VERSIONS',
  'src/studio/preview/drag-box.ts DragRules',
  'src/studio/sync/project-sync.ts QUIET_MS',
  'src/studio/take/take.ts PreviewPace',
  'src/studio/timeline/view/snapping.ts SNAP_PX',
  'src/studio/timeline/view/timeline-layout.ts levelShare',
  'src/timeline/json-schema.ts defaultWords',
  'src/timeline/json-schema.ts fieldDescription',
  'src/timeline/parse/parse-request.ts ParseOptions',
  'src/timeline/project/fill-project.ts fillProject',
];

/** A declaration or a re-export. Anything else that begins with `export` has to be added here first. */
const DECLARED = /^export (?:declare |async |abstract )*(?:const|let|function\*?|class|interface|type) +(\w+)/;
const EXPORTED_AGAIN = /^export (?:type )?\{([^}]*)\}/;

/** The exports of each file, and the folders that import each name; `*` means all of them. */
interface Names {
  readonly exported: ReadonlyMap<string, readonly string[]>;
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
}

const { exported, importers } = readNames();

function readNames(): Names {
  const exported = new Map<string, string[]>();
  const importers = new Map<string, Set<string>>();
  for (const path of FOLDERS.flatMap(typeScriptFiles)) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (path.startsWith('src/')) exported.set(path, exportsOf(path, text));
    for (const { from, names } of importsOf(text)) {
      for (const name of names) {
        const key = `${posix.join(posix.dirname(path), from)} ${name}`;
        const folders = importers.get(key) ?? new Set();
        importers.set(key, folders.add(path.split('/')[0]!));
      }
    }
  }
  return { exported, importers };
}

function typeScriptFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.split(sep).join('/')))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/'));
}

function exportsOf(path: string, text: string): string[] {
  return [...text.matchAll(/^export (?:(?:type )?\{[^}]*\}|.*)/gm)].flatMap(([line]) => {
    const names = DECLARED.exec(line)?.slice(1, 2) ?? namesIn(EXPORTED_AGAIN.exec(line)?.[1]);
    assert.notEqual(names.length, 0, `${path}: this test does not understand "${line}"`);
    return names;
  });
}

function* importsOf(text: string): Generator<{ from: string; names: readonly string[] }> {
  for (const [, clause, from] of text.matchAll(
    /^\s*(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s+'(\.[^']+)'/gm,
  )) {
    yield { from: from!, names: clause!.startsWith('{') ? namesIn(clause!.slice(1, -1)) : ['*'] };
  }
  for (const [, from] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) yield { from: from!, names: ['*'] };
}

/** The names on the other side of a clause: `a, type b, c as d` are a, b and c. */
function namesIn(clause = ''): string[] {
  return clause
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    )
    .filter((name) => name !== '');
}

/** The folders in which a name is imported, its own file's among them. */
function foldersWith(path: string, name: string): string[] {
  return [name, '*'].flatMap((key) => [...(importers.get(`${path} ${key}`) ?? [])]);
}

function namesWhere(holds: (folders: readonly string[]) => boolean): string[] {
  return [...exported].flatMap(([path, names]) =>
    names.filter((name) => holds(foldersWith(path, name))).map((name) => `${path} ${name}`),
  );
}

test('every exported name is imported by another file', () => {
  assert.ok(exported.size > 500, `${exported.size} files`);
  assert.deepEqual(
    namesWhere((folders) => folders.length === 0),
    [],
  );
});

test('names that are exported only for tests are listed', () => {
  const found = namesWhere((folders) => folders.length > 0 && folders.every((folder) => folder === 'test'));
  assert.deepEqual(found.sort(), [...FOR_TESTS].sort());
});
