import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { completionCommand } from '../../src/cli/command-line/completion.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

async function scriptFor(shell: string): Promise<string> {
  const terminal = new HeardTerminal();
  assert.equal(await completionCommand([shell], terminal), 0);
  return terminal.said.join('\n');
}

function isThere(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

/** The suggestions for the last word of each line. */
const LINES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['tiercut re', ['render']],
  ['tiercut pl', ['plan']],
  ['tiercut render --pre', ['--preset']],
  ['tiercut render --med', ['--media-url']],
  ['tiercut render project.json --preset po', ['portrait']],
  ['tiercut render --preset a', ['all']],
  ['tiercut plan --preset a', []],
  ['tiercut render p', ['pictures/', 'project one.json']],
  ['tiercut render project.json -o v', ['video.mp4']],
  ['tiercut watch project.json --cache p', ['pictures/']],
  ['tiercut probe v', ['video.mp4']],
  ['tiercut completion f', ['fish']],
  ['tiercut help doc', ['doctor']],
  ['tiercut frame project.json --at 1', []],
];

function filled(): ScratchFolder {
  const folder = new ScratchFolder();
  folder.file('project one.json', {});
  folder.file('poster.png', 'no picture');
  folder.file('video.mp4', 'no video');
  mkdirSync(folder.in('pictures'));
  return folder;
}

test('bash completes commands, options, presets and files by extension', async (t) => {
  if (!isThere('bash')) return t.skip('there is no bash here');
  using folder = filled();
  folder.file('tiercut.bash', await scriptFor('bash'));
  // As readline does it: the words of the line, and the place of the one that is completed.
  const asked = LINES.map(([line]) => {
    const words = line.split(' ');
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _tiercut; printf '%s|' "\${COMPREPLY[@]}"; echo`;
  });
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', ['source ./tiercut.bash', ...asked].join('\n')], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const offered = stdout.trimEnd().split('\n');
  for (const [i, [line, expected]] of LINES.entries()) {
    // Readline adds the slash of a folder itself.
    const got = offered[i]!.split('|').filter((word) => word !== '');
    assert.deepEqual(got.sort(), expected.map((word) => word.replace(/\/$/, '')).toSorted(), line);
  }
});

test('fish completes the same', async (t) => {
  if (!isThere('fish')) return t.skip('there is no fish here');
  using folder = filled();
  folder.file('tiercut.fish', await scriptFor('fish'));
  const asked = LINES.map(([line]) => `echo (complete -C '${line}' | string replace -r '\\t.*' '' | string join '|')`);
  const { stdout, stderr } = spawnSync('fish', ['-N', '-c', ['source ./tiercut.fish', ...asked].join('\n')], {
    cwd: folder.path,
    env: { ...process.env, HOME: folder.path },
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const offered = stdout.split('\n');
  for (const [i, [line, expected]] of LINES.entries()) {
    const got = offered[i]!.split('|').map((word) => word.replaceAll('\\', ''));
    // It also offers similar names, after those with the same prefix.
    assert.deepEqual(
      expected.filter((word) => !got.includes(word)),
      [],
      `${line}: ${got}`,
    );
  }
});

test('zsh loads the script and completes the same', async (t) => {
  if (!isThere('zsh')) return t.skip('there is no zsh here');
  using folder = filled();
  folder.file('_tiercut', await scriptFor('zsh'));
  const program = 'autoload -U compinit && compinit -u -D && source ./_tiercut && print $_comps[tiercut]';
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', program], { cwd: folder.path, encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['_tiercut\n', '']);
});

test('an unknown shell is an error', async () => {
  await assert.rejects(scriptFor('fissh'), { code: 'cli.usage', message: /Did you mean fish\?/ });
});
