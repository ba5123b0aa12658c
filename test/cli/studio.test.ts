import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { test } from 'node:test';
import { studioCommand } from '../../src/cli/node/write-studio.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

/** The paths of all files, with slashes. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return all.map(({ parentPath, name }) =>
    posix.join(
      parentPath
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      name,
    ),
  );
}

test('[C97] the written studio has every file that it names, by relative addresses, without a service', async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.in('deep/site');
  const terminal = new HeardTerminal();
  assert.equal(await studioCommand(['--static', folder], terminal), 0);
  const files = filesIn(folder);
  assert.match(terminal.said[0]!, new RegExp(`^The studio is in .*site \\(${files.length} files, \\d+ MB\\)\\.`));
  const read = (path: string) => readFileSync(posix.join(folder, path), 'utf8');

  const page = read('index.html');
  const { home, docs, service, assets } = JSON.parse(attribute(page, 'data-config'));
  assert.deepEqual([home, service], ['./', null]);
  const named = [
    ...[...page.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address]) => address!),
    ...Object.values(JSON.parse(attribute(page, 'data-assets')) as Record<string, string>),
    ...Object.values<string>(docs),
  ];
  assert.ok(named.length > 15, `${named}`);
  const absent = (addresses: readonly string[], from: string) =>
    addresses.filter((address) => !files.includes(posix.join(from, address.split('#')[0]!)));
  assert.deepEqual(absent(named, ''), []);

  const { fonts } = JSON.parse(read(`${assets}fonts.json`)) as { fonts: { url: string; bytes: number }[] };
  assert.ok(fonts.length > 50);
  const sizeOf = ({ url }: { url: string }) => statSync(posix.join(folder, assets, url)).size;
  assert.deepEqual(
    fonts.filter((font) => sizeOf(font) !== font.bytes),
    [],
  );
  for (const path of files.filter((path) => path.startsWith('help/') && path.endsWith('.html'))) {
    const links = [...read(path).matchAll(/ (?:href|src)="([^"#][^"]*)"/g)].map(([, address]) => address!);
    const own = links.filter((address) => !/^https?:/.test(address) && address !== '../');
    assert.ok(own.length >= 3, path);
    assert.deepEqual(absent(own, 'help'), [], path);
  }

  // In a page's own policy, a browser ignores this rule with a warning.
  assert.match(page, /content-security-policy" content="default-src &#39;none&#39;; script-src &#39;self&#39;/);
  assert.doesNotMatch(page, /frame-ancestors|<style|<script>|unsafe-/);
  // Programs have no address of a service's assets.
  const programs = files.filter((path) => path.endsWith('.js') || path.endsWith('.css'));
  assert.deepEqual(
    programs.filter((path) => read(path).includes('/assets/')),
    [],
  );
});

test('[C97] a folder with files is refused without --force, which keeps them and removes nothing', async () => {
  using scratch = new ScratchFolder();
  const run = (...args: string[]) => studioCommand(args, new HeardTerminal());
  const folder = scratch.in('site');
  await assert.rejects(run('--static', scratch.file('file', '')), {
    code: 'cli.unwritable',
    message: /is not a folder/,
  });
  await assert.rejects(run(), { code: 'cli.usage', message: /^--static DIR is missing\./ });
  mkdirSync(folder);
  writeFileSync(posix.join(folder, 'CNAME'), 'tiers.example\n');
  writeFileSync(posix.join(folder, 'index.html'), 'an earlier page');
  await assert.rejects(run('--static', folder), { code: 'cli.not_empty', message: /is not empty\. --force/ });
  assert.equal(readFileSync(posix.join(folder, 'index.html'), 'utf8'), 'an earlier page');
  assert.equal(await run('--static', folder, '--force'), 0);
  const files = filesIn(folder);
  assert.ok(files.includes('CNAME'));
  assert.match(readFileSync(posix.join(folder, 'index.html'), 'utf8'), /<title>Tiercut Studio/);

  // Interrupted before its end, it leaves the page as it was.
  writeFileSync(posix.join(folder, 'index.html'), 'an earlier page');
  const terminal = new HeardTerminal();
  terminal.interrupt();
  await assert.rejects(studioCommand(['--static', folder, '--force'], terminal), /interrupted/);
  assert.equal(readFileSync(posix.join(folder, 'index.html'), 'utf8'), 'an earlier page');
  assert.deepEqual(filesIn(folder), files);
});

/** The value of an attribute, unescaped. */
function attribute(page: string, name: string): string {
  const escaped = new RegExp(`${name}="([^"]*)"`).exec(page)![1]!;
  return escaped.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
