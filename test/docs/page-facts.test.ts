import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-line/commands.ts';
import { exitCode } from '../../src/cli/run-command.ts';
import { clientLimits, readConfig, VARIABLES } from '../../src/config/config.ts';
import type { ErrorKind } from '../../src/errors.ts';
import { CALLBACK_EVENTS } from '../../src/exports/api/export-view.ts';
import { nextTryInMs, RETRIES } from '../../src/store/job-queue.ts';
import { serve } from '../http/serve.ts';
import { ROOT, repositoryTexts } from './repository-texts.ts';

const texts = new Map(repositoryTexts().map(({ path, text }) => [path, text]));
const pages = [...texts].filter(([path]) => /^docs\/.*\.md$/.test(path));
const ALERTS = 'deploy/monitoring/alerts.yaml';
const alerts = readFileSync(join(ROOT, ALERTS), 'utf8');
const pageAt = (path: string) => texts.get(path)!;

test('[C70] the page of limits has every name of /limits once, with its default', async (t) => {
  const service = await serve(t);
  const own = (await (await fetch(`${service.base}/limits`)).json()) as Record<string, number>;
  const limits: Record<string, number> = { ...own, ...clientLimits(readConfig({})) };
  const defaults = new Map<string, string>(Object.values(VARIABLES).map(({ name, default: value }) => [name, value]));
  const rows = [...pageAt('docs/reference/limits.md').matchAll(/^\| `([a-z_]+)` \| ([^|]+?)(, fixed)? \|/gm)];
  assert.deepEqual(rows.map(([, name]) => name).toSorted(), Object.keys(limits).toSorted());
  const known: Readonly<Record<string, string>> = {
    max_entries_per_lane: 'TIERCUT_MAX_LANE_ENTRIES',
    max_layers_at_once: 'TIERCUT_MAX_LAYERS',
  };
  for (const [, name, given, fixed] of rows) {
    const variable = known[name!] ?? `TIERCUT_${name!.toUpperCase()}`;
    if (fixed === undefined) assert.equal(given, defaults.get(variable), name);
    else assert.deepEqual([given, defaults.has(variable)], [String(limits[name!]), false], name);
  }
});

test('the codes of the guides are those of docs/reference/errors.md', () => {
  const known = pageAt('docs/reference/errors.md');
  const areas = new Set([...known.matchAll(/^\| `([a-z_]+)\.[a-z_]+` \|/gm)].map(([, area]) => area));
  // Those of the rules are compared in rule-facts.test.ts.
  const guides = pages.filter(([path]) => !path.startsWith('docs/reference/rules/'));
  const unknown = guides.flatMap(([path, text]) =>
    [...text.matchAll(/`([a-z_]+)\.([a-z_]+)`/g)]
      .filter(
        ([, area, what]) =>
          areas.has(area) && !known.includes(`| \`${area}.${what}\` |`) && area !== 'settings' && !FILE.test(what!),
      )
      .filter(([code]) => !NO_CODES.has(code))
      .map(([code]) => `${path} names ${code}`),
  );
  assert.deepEqual(unknown, []);
});

const FILE = /^(?:json|vtt|srt|md|ts)$/;

/** Events; files and members of documents look the same. */
const NO_CODES: ReadonlySet<string> = new Set([...CALLBACK_EVENTS, 'batch.completed'].map((event) => `\`${event}\``));

test('the command line exits as its page says', () => {
  const page = pageAt('docs/start/cli.md').match(/^A command exits with .*$/m)![0];
  const said = (code: number) => new RegExp(`(?<!\\d)${code}(?!\\d)`).test(page);
  const kinds = ['malformed', 'invalid', 'unsupported', 'too_large', 'missing', 'unavailable', 'internal', 'cancelled'];
  const codes = new Set((kinds as ErrorKind[]).map(exitCode));
  assert.deepEqual([...codes].toSorted(), [1, 130, 2, 3, 4]);
  assert.deepEqual(
    [...codes].filter((code) => !said(code)),
    [],
  );
  assert.match(page, new RegExp(`${exitCode('invalid')} if the input is wrong`));
  assert.match(page, new RegExp(`${exitCode('missing')} if something is missing`));
  assert.match(page, new RegExp(`${exitCode('unavailable')} if something is unavailable`));
  assert.match(page, new RegExp(`${exitCode('internal')} after an internal error`));
  assert.match(page, new RegExp(`${exitCode('cancelled')} after Ctrl-C`));
  // What a command returns without an error.
  const ownExits = ['node/doctor', 'batch/batch'].map((file) => texts.get(`src/cli/${file}.ts`)!);
  for (const source of ownExits) assert.match(source, /return (?:healthy \? 0 : 1|this\.#failures > 0 \? 1 : 0);/);
  assert.match(page, /, 1 after an internal error, if `doctor` finds a fault or if a row of `batch` failed,/);
  const listed = [...pageAt('docs/start/cli.md').matchAll(/^\| (`[a-z]+`(?:, `[a-z]+`)*) \|/gm)];
  const commands = listed.flatMap(([, names]) => [...names!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!));
  assert.deepEqual(commands.toSorted(), Object.keys(COMMANDS).toSorted());
});

test('[C37] pages, alerts and the API description have the schedule of webhooks', () => {
  const pauses: number[] = [];
  for (let n = 1; ; n += 1) {
    const pause = nextTryInMs(n, RETRIES.webhook);
    if (pause === null) break;
    pauses.push(pause / 1000);
  }
  const words = pauses.map((s) => (s < 60 ? `${s} s` : s < 3600 ? `${s / 60} min` : `${s / 3600} h`));
  const schedule = `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  for (const page of ['docs/reference/rules/wire-contract.md', 'docs/guides/webhooks.md'])
    assert.ok(pageAt(page).includes(schedule), `${page}: ${schedule}`);
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
  const quoted = [...texts, [ALERTS, alerts] as const].flatMap(([path, text]) =>
    /^(?:docs|deploy|src\/http\/openapi)\//.test(path)
      ? [...text.matchAll(/(1\d\.\d) (?:h|hours)\b/g)].map(([, n]) => [path, n])
      : [],
  );
  assert.ok(quoted.length >= 3 && quoted.some(([path]) => path === ALERTS));
  for (const [path, given] of quoted) assert.equal(given, hours.toFixed(1), path);
});

/** What a rule has, and the words of the page for it. */
const SIGNS: Readonly<Record<string, readonly (readonly [RegExp, RegExp])[]>> = {
  TiercutTakesNothingIn: [[/for: 5m/, /for 5 minutes/]],
  TiercutQueueGrows: [[/\[1h:1m\]\) > 100/, /more than 100 jobs wait for an hour/]],
  TiercutWorkersIdle: [[/for: 10m/, /none runs for 10 minutes/]],
  TiercutErrors: [[/"5\.\.",status!~"503\|507"/, /any 5xx except 503 and 507/]],
  TiercutExportsFail: [[/> 0\.05 \*/, /more than one export in twenty fails/]],
  TiercutRendersCrash: [[/reason="render\.crashed"/, /render processes crash/]],
  TiercutLoopDelay: [[/quantile\(0\.99.* > 0\.1\n/, /above 0\.1 s more than once in a hundred/]],
  TiercutMemory: [[/> 300e6\s+for: 1h/, /above 300 MB for an hour/]],
  TiercutCallbacksGivenUp: [[/within 17\.6 hours/, /away for 17\.6 hours/]],
};

test('the page of metrics has every alert of deploy/monitoring with its figures', () => {
  const rules = alerts.split(/^ +- alert: /m).slice(1);
  const rows = [...pageAt('docs/reference/metrics.md').matchAll(/^\| .* \| `(Tiercut\w+)` \| .*$/gm)];
  const names = rules.map((rule) => /^\w+/.exec(rule)![0]);
  assert.deepEqual(rows.map(([, name]) => name).toSorted(), names.toSorted());
  assert.deepEqual(Object.keys(SIGNS).toSorted(), names.toSorted());
  for (const [row, name] of rows) {
    const rule = rules[names.indexOf(name!)]!;
    for (const [figure, words] of SIGNS[name!]!) {
      assert.match(rule, figure);
      assert.match(row, words);
    }
  }
});

test('every message on the page of troubleshooting is one of the program', () => {
  const source = [...texts]
    .filter(([path]) => path.startsWith('src/'))
    .map(([, text]) => text)
    .join('\n');
  // A message that is written over two lines is one text.
  const program = source.replaceAll(/['`] \+\s*['`]/g, '').replaceAll("\\'", "'");
  const quoted = [...pageAt('docs/guides/troubleshooting.md').matchAll(/^\| "([^"]+)" \|/gm)].map(([, text]) => text!);
  assert.ok(quoted.length > 30);
  const parts = quoted.flatMap((message) => message.split('…').map((part) => part.trim()));
  assert.deepEqual(
    parts.filter((part) => part !== '' && !program.includes(part)),
    [],
  );
});

test('[C75] the page about agents has every tool of tiercut mcp', () => {
  const files = ['video-tools', 'template-tools', 'docs-pages'].map((name) => texts.get(`src/mcp/${name}.ts`)!);
  const tools = [...files.join('').matchAll(/name: '(\w+)',\s+title:/g)].map(([, name]) => name).sort();
  const listed = [...pageAt('docs/guides/mcp.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).sort();
  assert.deepEqual(listed, tools);
});
