/**
 * `npm run texts [-- PART OF A PATH …]` prints every text that the program shows, by area, each with its place: messages of
 * errors, logs, help of the command line, descriptions of the API, configuration, doctor, and what the studio says.
 */
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { shownTexts } from './shown-texts.ts';

const ROOT = join(import.meta.dirname, '..');

/** The first that matches decides. */
const AREAS: readonly (readonly [name: string, path: RegExp])[] = [
  ['Command line', /^src\/cli\/command-line\//],
  ['Doctor', /^src\/(?:cli\/doctor|compose\/)/],
  ['Command line', /^src\/cli\//],
  ['Configuration', /^src\/config\//],
  ['API descriptions', /^src\/(?:http\/openapi\/|timeline\/field-words)/],
  ['Pages', /^src\/http\/pages\//],
  ['Studio', /^src\/studio\//],
  ['Client', /^packages\/client\/src\//],
  ['Errors and warnings', /^src\//],
];

const asked = process.argv.slice(2);
const found = new Map<string, string[]>();
for (const path of sourcePaths()) {
  if (asked.length > 0 && !asked.some((part) => path.includes(part))) continue;
  const area = AREAS.find(([, pattern]) => pattern.test(path))![0];
  for (const { line, text, isLog } of shownTexts(join(ROOT, path))) {
    const key = isLog ? 'Logs' : area;
    found.set(key, [...(found.get(key) ?? []), `${path}:${line}  ${text}`]);
  }
}
for (const [area, lines] of [...found].sort()) process.stdout.write(`\n# ${area}\n\n${lines.join('\n')}\n`);

function sourcePaths(): string[] {
  return ['src', 'packages/client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('wire-types.ts'))
      .sort(),
  );
}
