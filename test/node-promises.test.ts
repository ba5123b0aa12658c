import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/**
 * Biome reports floating promises, but not those of Node's own modules, whose types are declared elsewhere than in a
 * file of their name. A call that starts a statement is one of them.
 */
function floatingCalls(text: string): string[] {
  const imports = text.matchAll(/^import (?!type)\{([^}]*)\} from '(node:[\w/]+)';/gm);
  const names = [...imports].flatMap(([, list, from]) =>
    list!
      .split(',')
      .map((name) => name.trim().replace(/^.* as /, ''))
      .filter((name) => from!.endsWith('/promises') || from === 'node:stream/consumers' || name === 'once'),
  );
  const lines = text.split('\n').filter((line) => !/^\s*(?:\/\/|\*|\/\*|$)/.test(line));
  const call = /^\s*(\w+)\(/;
  return lines.filter((line, n) => names.includes(call.exec(line)?.[1] ?? '') && /[;{}]$/.test(lines[n - 1] ?? ''));
}

test("the check finds a floating promise of Node's modules, and accepts one that is awaited or passed on", () => {
  const imports = "import { mkdir, rm as remove } from 'node:fs/promises';\nimport { once } from 'node:events';\n";
  const floating = ['  remove(a);', '  once(a, b);', '  mkdir(', '  mkdir(a).then(b);'];
  for (const line of floating) assert.deepEqual(floatingCalls(`${imports}{\n${line}\n}`), [line]);
  for (const fine of [
    '  await mkdir(a);',
    '  rm(a);',
    '  const work =\n    mkdir(a);',
    '  b(() =>\n    mkdir(a),\n  );',
  ]) {
    assert.deepEqual(floatingCalls(`${imports}{\n${fine}\n}`), []);
  }
});

test('no promise of Node’s own modules floats', () => {
  const files = globSync('{src,test,bench,examples,build,packages/*/src}/**/*.{ts,tsx}', { cwd: ROOT });
  assert.ok(files.length > 500);
  const found = files.flatMap((file) =>
    floatingCalls(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(found, []);
});
