import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocsSite } from '../../../src/http/pages/docs/docs-site.ts';
import { renderMarkdown } from '../../../src/http/pages/docs/markdown.ts';
import { serve } from '../serve.ts';

const html = (markdown: string) => renderMarkdown(markdown, (target) => target).body.text;

test('[H17] Markdown becomes HTML in which every text is escaped', () => {
  const hostile = '<img src=x onerror=alert(1)>"';
  const escaped = '&lt;img src=x onerror=alert(1)&gt;&quot;';
  for (const place of [
    hostile,
    `# ${hostile}`,
    `- ${hostile}`,
    `| ${hostile} |\n|---|\n| ${hostile} |`,
    `\`${hostile}\``,
  ]) {
    const text = html(place);
    assert.ok(text.includes(escaped), text);
    assert.doesNotMatch(text, /<img/);
  }
  assert.match(html('[x](a"onclick="b)'), /href="a&quot;onclick=&quot;b"/);
});

test('Markdown: headings, lists, tables, code, links and pictures', () => {
  assert.equal(
    html('Some **bold *and* `code`**, [a `link`](x#y)\non two lines'),
    '<p>Some <strong>bold <em>and</em> <code>code</code></strong>, <a href="x#y">a <code>link</code></a>\non two lines</p>',
  );
  assert.equal(
    html('- one\n  more\n  - inner\n- two'),
    '<ul><li>one more<ul><li>inner</li></ul></li><li>two</li></ul>',
  );
  assert.equal(html('1. one\n2. two'), '<ol><li>one</li><li>two</li></ol>');
  assert.match(
    html('| a | b |\n|---|---|\n| `x.y` | 1 \\| 2 |'),
    /<tr id="x\.y"><th scope="row"><code>x\.y<\/code><\/th><td>1 \| 2</,
  );
  assert.match(html('```sh no-run: why\na < b\n```'), /<pre tabindex="0"><code>a &lt; b<\/code><\/pre>/);
  assert.match(html('## A title\n\n## A title'), /<h2 id="a-title">.*<h2 id="a-title-1">/s);
  assert.match(html('<a id="c1"></a>\n### C1. Rule'), /^<a id="c1"><\/a><h3 id="c1-rule">/);
  assert.equal(html('2 * 3 * 4'), '<p>2 * 3 * 4</p>');
  assert.equal(html('Keep no more than\n24. Then delete'), '<p>Keep no more than\n24. Then delete</p>');
});

test('every page of docs/ is served with menu and search, and every link in it works', async (t) => {
  const service = await serve(t);
  const ids = new Map<string, Set<string>>();
  const links: [string, string][] = [];
  const site = new DocsSite();
  const { addresses } = site;
  assert.ok(addresses.length > 25);
  for (const client of ['javascript', 'n8n', 'python'])
    assert.ok(addresses.includes(`/docs/clients/${client}`), client);
  for (const address of [...addresses, '/docs/api']) {
    const reply = await fetch(service.base + address);
    assert.equal(reply.status, 200, address);
    assert.match(
      reply.headers.get('content-security-policy')!,
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    const text = await reply.text();
    assert.match(text, /<form role="search"/);
    ids.set(address, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
    for (const [, target] of text.matchAll(/ href="([/#][^"]*)"/g)) links.push([address, target!]);
  }
  const broken = links.filter(([from, target]) => {
    const [to, anchor] = target.split('#', 2) as [string, string | undefined];
    const page = ids.get(to === '' ? from : to);
    return to.startsWith('/docs') && !to.endsWith('.jpg')
      ? page === undefined || (anchor !== undefined && !page.has(anchor))
      : false;
  });
  assert.deepEqual(broken, []);
  assert.equal((await fetch(`${service.base}/docs/nowhere`)).status, 404);
  assert.equal((await fetch(`${service.base}/docs/../package.json`)).status, 404);
  assert.equal((await fetch(`${service.base}/docs/%2e%2e%2fpackage.json`)).status, 404);
});

test('the search index has every section with its address, and the text of tables', async (t) => {
  const service = await serve(t);
  const sections = (await (await fetch(`${service.base}/docs/search.json`)).json()) as {
    title: string;
    address: string;
    text: string;
  }[];
  const found = sections.find(({ address }) => address === '/docs/reference/timeline#tier_tiles')!;
  assert.equal(found.title, 'tier_tiles');
  assert.match(found.text, /stamp_at/);
  assert.doesNotMatch(found.text, /`|\]\(/);
});

test('the page of endpoints has a table of fields for every schema', async (t) => {
  const service = await serve(t);
  const text = await (await fetch(`${service.base}/docs/api`)).text();
  const { components } = (await (await fetch(`${service.base}/openapi.json`)).json()) as {
    components: { schemas: object };
  };
  for (const name of Object.keys(components.schemas)) assert.ok(text.includes(`<h3 id="${name}">`), name);
  assert.match(text, /<code>background\.colors<\/code>/);
  const failure =
    /<code>error<\/code><\/th>\s*<td><a href="#Failure">Failure<\/a><\/td>\s*<td>The reason of the failure\./;
  assert.match(text, failure);
  assert.match(text, /<code>shorts\[\]\.title<\/code>|<a href="#Short">Short<\/a>/);
  assert.doesNotMatch(text, /&quot;type&quot;:/);
});

test('Markdown: an unclosed code block reaches to the end of the page', () => {
  assert.match(html('Text.\n\n```sh\nnpm start\n'), /<pre tabindex="0"><code>npm start\s*<\/code><\/pre>$/);
});
