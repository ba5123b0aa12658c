import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CALLBACK_EVENTS } from '../../src/exports/api/export-view.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { type LoadedPackage, loadPackage } from './n8n-stand-in.ts';

/**
 * What the linter of n8n checks in a package of the community (@n8n/eslint-plugin-community-nodes), without installing
 * it: the rules that its verification needs.
 */

const PACKAGE = join(import.meta.dirname, '../../packages/n8n');
const described = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

const EXPRESSION = 'using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';
/** What n8n asks for, word for word, where a list is loaded. */
const ONE_OF_LIST = `Choose from the list, or specify an ID ${EXPRESSION}`;
const MANY_OF_LIST = `Choose from the list, or specify IDs ${EXPRESSION}`;

/** The layout is that of n8n: `nodes` and `credentials` beside package.json, where its linter looks for them. */
function sourceFiles(): string[] {
  const all = readdirSync(PACKAGE, { recursive: true, encoding: 'utf8' });
  return all.filter((path) => !/^(?:dist|node_modules)\b/.test(path));
}

const folder = new ScratchFolder();
let loaded: LoadedPackage;
before(async () => {
  loaded = await loadPackage(folder.path, described.n8n);
});
after(() => folder[Symbol.dispose]());

test('the package is one that n8n finds, installs and verifies', () => {
  assert.match(described.name, /^n8n-nodes-/);
  assert.ok(described.keywords.includes('n8n-community-node-package'));
  assert.deepEqual(described.peerDependencies, { 'n8n-workflow': '*' });
  assert.deepEqual([described.dependencies, described.overrides], [undefined, undefined]);
  assert.deepEqual([described.license, described.files], ['MIT', ['dist']]);
  assert.ok(described.description && described.version && described.homepage && described.author.name);
  assert.deepEqual(Object.keys(described.scripts).sort(), ['postpack', 'prepack'], 'nothing runs at an installation');
  assert.equal(described.n8n.n8nNodesApiVersion, 1);
  const sources = sourceFiles();
  const registered = [...described.n8n.nodes, ...described.n8n.credentials] as string[];
  assert.deepEqual(
    registered.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts')).sort(),
    sources.filter((path) => /\.(node|credentials)\.ts$/.test(path)).sort(),
  );
});

test('the sources use nothing that n8n forbids in its cloud', () => {
  const sources = sourceFiles();
  for (const path of sources.filter((each) => each.endsWith('.ts') && !each.endsWith('.d.ts'))) {
    const text = readFileSync(join(PACKAGE, path), 'utf8');
    const imports = [...text.matchAll(/^(?:import [^'"]*|} )from '([^']+)'/gm)];
    for (const [, from = ''] of imports) {
      assert.ok(/^(\.|n8n-workflow$|node:crypto$)/.test(from), `${path} imports ${from}`);
    }
    const forbidden =
      /\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\bglobalThis\b|\bprocess\.|\b__dirname\b|\beval\(/;
    assert.doesNotMatch(text, forbidden, path);
    assert.doesNotMatch(text, /httpRequest\(/, `${path}: a request without the credentials of n8n`);
    assert.doesNotMatch(text, /(?:inputs|outputs): \['/, `${path}: NodeConnectionTypes names a connection`);
  }
});

test('a credential has its name, its test, its page, and hides the key', () => {
  for (const [name, credential] of loaded.credentials) {
    assert.equal(
      credential.constructor.name,
      name.replace(/^./, (letter) => letter.toUpperCase()),
    );
    assert.match(name, /^[a-z]\w*Api$/);
    assert.match(credential.displayName, / API$/);
    assert.ok(credential.test.request.url);
    assert.match(credential.documentationUrl, /^https:/);
    assert.equal(credential.properties.find((each) => /key/i.test(each.name))!.typeOptions!.password, true);
    assert.ok(existsSync(join(folder.path, 'dist/credentials', credential.icon.replace('file:', ''))));
  }
});

test('a node has all that n8n shows of it', () => {
  for (const [name, node] of loaded.nodes) {
    const { description } = node;
    const path = described.n8n.nodes.find((each: string) => each.endsWith(`/${node.constructor.name}.node.js`))!;
    assert.equal(
      node.constructor.name,
      name.replace(/^./, (letter) => letter.toUpperCase()),
    );
    const icons = Object.entries<string>(description.icon);
    assert.deepEqual(
      icons.map(([looks]) => looks),
      ['light', 'dark'],
    );
    for (const [, icon] of icons) {
      const file = icon.replace('file:', '');
      assert.ok(file.endsWith('.svg') && existsSync(join(folder.path, dirname(path), file)), file);
    }
    assert.ok(description.subtitle && description.description && description.defaults.name);
    for (const each of description.credentials) assert.ok(loaded.credentials.has(each.name));
    assert.deepEqual(description.outputs, ['main']);
    const isTrigger = name.endsWith('Trigger');
    assert.deepEqual(description.inputs, isTrigger ? [] : ['main']);
    assert.equal(description.usableAsTool, isTrigger ? undefined : true);
    if (isTrigger) {
      const offered = description.properties[0]!.options as readonly INodePropertyOptions[];
      assert.deepEqual(offered.map(({ value }) => value).toSorted(), CALLBACK_EVENTS.toSorted());
      assert.match(description.displayName, /Trigger/);
      for (const step of ['checkExists', 'create', 'delete']) {
        assert.equal(typeof node.webhookMethods.default[step], 'function', step);
      }
    } else assert.match(String(node.execute), /continueOnFail\(\)/);
    const lists = { ...node.methods?.loadOptions, ...node.methods?.resourceMapping };
    for (const property of everyProperty(description.properties)) checkProperty(property, Object.keys(lists));
  }
});

function* everyProperty(properties: readonly INodeProperties[]): Generator<INodeProperties> {
  for (const property of properties) {
    yield property;
    if (property.type === 'collection') yield* everyProperty(property.options as INodeProperties[]);
  }
}

function checkProperty(property: INodeProperties, lists: readonly string[]): void {
  const { name, displayName, type, description, options = [], typeOptions = {} } = property;
  assert.ok('default' in property, name);
  assert.match(displayName, /^[A-Z]/);
  if (description !== undefined) {
    assert.match(description, /^[A-Z][\s\S]*[^.\s]$/, `${name}: no period at the end`);
    if (type === 'boolean') assert.match(description, /^Whether /, name);
  }
  if (['resource', 'operation'].includes(name)) assert.equal(property.noDataExpression, true);
  const list = typeOptions.loadOptionsMethod;
  if (list !== undefined) {
    assert.ok(lists.includes(list as string), `${list}`);
    assert.match(displayName, / Names? or IDs?$/, name);
    assert.equal(description, type === 'multiOptions' ? MANY_OF_LIST : ONE_OF_LIST, name);
  }
  if (type === 'collection') {
    assert.ok(options.every((each) => (each as INodeProperties).required === undefined));
    assert.deepEqual(property.default, {});
    const names = options.map((each) => (each as INodeProperties).displayName);
    assert.deepEqual(names, names.toSorted());
  } else if (options.length > 0) {
    const choices = options as readonly INodePropertyOptions[];
    const first = choices[0]!.value === '' ? 1 : 0;
    const names = choices.slice(first).map((each) => each.name);
    assert.deepEqual(names, names.toSorted(), `${name}: options are sorted`);
    assert.equal(new Set(choices.map(({ value }) => value)).size, choices.length);
    if (name === 'operation') assert.ok(choices.every(({ action }) => action !== undefined));
    if (!Array.isArray(property.default))
      assert.ok(
        choices.some(({ value }) => value === property.default),
        name,
      );
  }
}
