import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/** Every file reached from `entry` by imports that exist at run time, and the packages among them. */
function reached(entry: string, files = new Set<string>(), packages = new Set<string>()) {
  if (!files.has(entry)) {
    files.add(entry);
    const text = readFileSync(entry, 'utf8').replace(/^import type .*?;$/gms, '');
    for (const [, specifier] of text.matchAll(/^import (?:[^;'"]* from )?'([^']+)';$/gms)) {
      if (specifier!.startsWith('.')) reached(join(dirname(entry), specifier!), files, packages);
      else packages.add(`${relative(SOURCE, entry)} imports ${specifier}`);
    }
  }
  return { files, packages };
}

test('boards and subtitles are laid out and drawn without Node: a browser runs the very same code', () => {
  for (const entry of [
    'draw/board-painter.ts',
    'layout/board-layout.ts',
    'draw/draw-subtitle.ts',
    'layout/subtitle-layout.ts',
    'layout/text-measure.ts',
  ]) {
    const { files, packages } = reached(join(SOURCE, 'paint', entry));
    assert.deepEqual([...packages], []);
    for (const file of files) {
      assert.ok(existsSync(file));
      assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(?:process|Buffer|require)\b[.(]/, relative(SOURCE, file));
    }
  }
});

test('the search for imports finds them', () => {
  const { packages } = reached(join(SOURCE, 'paint', 'skia', 'skia.ts'));
  assert.ok(
    [...packages].some((line) => line.endsWith('imports @napi-rs/canvas')),
    [...packages].join('\n'),
  );
});
