import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS, type CommandName } from '../../src/cli/command-line/commands.ts';
import { commandText, helpCommand, overviewText } from '../../src/cli/command-line/help.ts';
import { readArguments } from '../../src/cli/command-line/read-arguments.ts';
import { schemaCommand } from '../../src/cli/project/print-schema.ts';
import { readConfig } from '../../src/config/config.ts';
import { HeardTerminal, MAIN, tiercut } from './tiercut.ts';

test('every command has help with usage, options and examples', () => {
  const overview = overviewText('1.2.3');
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    assert.match(overview, RegExp(`^ {2}${name} +\\S`, 'm'));
    const text = commandText(name);
    assert.match(text, RegExp(`^usage: tiercut ${name}`));
    for (const option of Object.keys(COMMANDS[name].options)) assert.ok(text.includes(`--${option}`), text);
    assert.match(text, /^Examples:\n {2}tiercut /m);
    assert.ok(
      text.split('\n').every((line) => line.length <= 110),
      text,
    );
  }
});

test('[C37] "tiercut secret" prints a secret that the service accepts, each time another', () => {
  const [one, other] = [tiercut('secret'), tiercut('secret')];
  assert.deepEqual([one.status, one.stderr, one.stdout === other.stdout], [0, '', false]);
  const TIERCUT_WEBHOOK_SECRET = one.stdout.trim();
  assert.equal(readConfig({ TIERCUT_WEBHOOK_SECRET }).webhookSecret, TIERCUT_WEBHOOK_SECRET);
});

test('[C82] "tiercut schema" prints the schema of a project', async () => {
  const terminal = new HeardTerminal();
  assert.equal(await schemaCommand([], terminal), 0);
  const { $schema, properties, $defs } = JSON.parse(terminal.said[0]!);
  assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema');
  assert.ok(properties.media && properties.fields && $defs.TierList && $defs.TemplateField);
});

test('help works in every position, and serve --help starts nothing', async () => {
  const { status, stdout, stderr } = tiercut('serve', '--help');
  assert.deepEqual([status, stdout.split('\n')[0], stderr], [0, 'usage: tiercut serve [--no-render]', '']);
  const render = tiercut('render', '--nonsense', '-h');
  assert.deepEqual([render.status, render.stdout], [0, `${commandText('render')}\n`]);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  assert.deepEqual(tiercut('--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
  const terminal = new HeardTerminal();
  assert.equal(await helpCommand(['render'], terminal), 0);
  assert.deepEqual(terminal.said, [commandText('render')]);
  assert.equal(await helpCommand(['rendr'], terminal), 2);
  assert.equal(terminal.said[2], 'Did you mean "tiercut render"?');
});

test('all errors of a command line are printed, with suggestions', () => {
  const reported = (name: CommandName, ...args: string[]): string[] => {
    try {
      readArguments(name, args);
    } catch (error) {
      return (error as Error).message.split('\n').slice(0, -2);
    }
    return [];
  };
  assert.deepEqual(reported('render', 'a.json', '-o', 'a.mp4'), []);
  assert.deepEqual(reported('render', '--presett', 'x', '--json=1'), [
    'There is no option "--presett". Did you mean --preset?',
    '--json takes no value.',
    '-o OUT.mp4 is missing.',
  ]);
  assert.deepEqual(reported('render', 'a.json', '-o', '--json'), [
    '-o needs a value: -o OUT.mp4.',
    '-o OUT.mp4 is missing.',
  ]);
  assert.deepEqual(reported('plan', 'a.json', '--media-url'), ['--media-url needs a value: --media-url FIELD=URL.']);
  assert.deepEqual(reported('plan'), ['PROJECT.json is missing.']);
  assert.deepEqual(reported('plan', 'a.json', 'b.json'), ['Unexpected argument: "b.json".']);
  assert.deepEqual(reported('serve', '--xyz'), ['There is no option "--xyz".']);
  assert.deepEqual(reported('config', '-q'), ['There is no option "-q".']);
  assert.deepEqual(reported('frame', 'a.json', '--at', '1', '-o', 'b.png', '--at=2', '--out', 'c.png'), [
    '--at is given twice.',
    '--out is given twice.',
  ]);
});

test('options are parsed as documented: values, short forms, switches, a legacy name', () => {
  const read = readArguments('render', ['--preset=all', 'a.json', '--out', 'b.mp4', '--json']);
  assert.deepEqual(read, {
    operand: 'a.json',
    options: { preset: 'all', out: 'b.mp4', shorts: false, strict: false, 'media-url': [], json: true },
  });
  assert.deepEqual(readArguments('board', ['a.json', '--output', 'b.png']).options, { out: 'b.png', 'media-url': [] });
  assert.deepEqual(readArguments('frame', ['a.json', '--at', '-1', '-ob.png']).options, {
    at: '-1',
    out: 'b.png',
    'media-url': [],
  });
});

test('when the reader closes the pipe, the command ends silently, without a stack trace', () => {
  const script = '{ "$0" "$1" config; echo "ended with $?" >&2; } | true';
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath, MAIN], { encoding: 'utf8' });
  assert.equal(stderr, 'ended with 141\n');
});

test('an output that cannot be written is reported in one line and ends the command', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full',
}, () => {
  const script = '"$0" "$1" config > /dev/full; echo "ended with $?" >&2';
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath, MAIN], { encoding: 'utf8' });
  assert.equal(stderr, 'cli.unwritable: The output cannot be written: no space left on device.\nended with 2\n');
});

test('[C31] config --json lists every variable for programs, without secrets', () => {
  const env = { ...process.env, TIERCUT_API_KEYS: 'ann:key-of-ann-1234567', PORT: '1234' };
  const { status, stdout } = spawnSync(process.execPath, [MAIN, 'config', '--json'], { env, encoding: 'utf8' });
  assert.equal(status, 0);
  const rows = JSON.parse(stdout) as { name: string; value: string; default: string; doc: string }[];
  const set = (wanted: string) => rows.find(({ name }) => name === wanted)?.value;
  assert.deepEqual([set('PORT'), set('TIERCUT_API_KEYS')], ['1234', '(set)']);
  assert.ok(!stdout.includes('key-of-ann'));
});
