import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { slug } from '../../src/http/pages/docs/markdown.ts';
import { ROOT, repositoryTexts } from './repository-texts.ts';

const CODE = /^```.*?^```$|`[^`\n]*`/gms;
/** `[text](target)`, images too; not those with a scheme. */
const LINK = /\]\((?<target>(?![a-z]+:)[^()\s]+)\)/g;
const HEADING = /^#{1,6} (?<title>.+)$/gm;
const ANCHOR = /<a id="(?<id>[^"]+)"><\/a>/g;

const pages = repositoryTexts().filter(({ path }) => path.endsWith('.md'));

/** Where a link into the page can lead. */
function anchorsOf(text: string): Set<string> {
  const slugs: string[] = [];
  const counts = new Map<string, number>();
  for (const { groups } of text.matchAll(HEADING)) {
    const plain = slug(groups!.title!);
    const before = counts.get(plain) ?? 0;
    counts.set(plain, before + 1);
    slugs.push(before === 0 ? plain : `${plain}-${before}`);
  }
  return new Set([...slugs, ...[...text.matchAll(ANCHOR)].map(({ groups }) => groups!.id!)]);
}

test('every link between our own pages leads to an existing file and heading', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.replace(CODE, '').matchAll(LINK)].flatMap(({ groups }) => {
      const [file = '', anchor] = groups!.target!.split('#', 2);
      const target = join(ROOT, posix.normalize(posix.join(dirname(path), file === '' ? posix.basename(path) : file)));
      const says = `${path} links to ${groups!.target}`;
      if (!existsSync(target)) return [`${says}: there is no such file`];
      if (anchor === undefined || statSync(target).isDirectory()) return [];
      return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? [] : [`${says}: there is no such heading`];
    }),
  );
  assert.deepEqual(broken, []);
});
