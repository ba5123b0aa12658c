import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ScratchFolder } from '../cli/tiercut.ts';

/** Where `.ci/generators` has installed it. */
const INSTALLED = process.env.TIERCUT_TEST_GENERATORS;
const skip = INSTALLED === undefined && 'TIERCUT_TEST_GENERATORS names no folder; .ci/generators makes one';
const PACKAGE = join(import.meta.dirname, '../../packages/n8n');

/** All recommended rules, without those that n8n turns off for packages of the community. */
const CONFIG = `
import parser from '@typescript-eslint/parser';
import base from 'eslint-plugin-n8n-nodes-base';
import { n8nCommunityNodesPlugin as community } from '@n8n/eslint-plugin-community-nodes';
const off = (...rules) => Object.fromEntries(rules.map((rule) => ['n8n-nodes-base/' + rule, 'off']));
export default [
  {
    files: ['n8n/**/*.ts', 'n8n/package.json'],
    languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
    plugins: { '@n8n/community-nodes': community, 'n8n-nodes-base': base },
    rules: community.configs.recommended.rules,
  },
  {
    files: ['n8n/nodes/**/*.ts'],
    rules: {
      ...base.configs.nodes.rules,
      ...off('node-class-description-inputs-wrong-regular-node', 'node-class-description-outputs-wrong'),
    },
  },
  {
    files: ['n8n/credentials/**/*.ts'],
    rules: { ...base.configs.credentials.rules, ...off('cred-class-field-documentation-url-miscased') },
  },
];
`;

test('the linter of n8n finds nothing in the package, and would find a fault', { skip }, () => {
  using folder = new ScratchFolder();
  symlinkSync(join(INSTALLED!, 'node_modules'), join(folder.path, 'node_modules'));
  cpSync(PACKAGE, join(folder.path, 'n8n'), { recursive: true });
  writeFileSync(join(folder.path, 'eslint.config.mjs'), CONFIG);
  const lint = () => {
    const eslint = join(folder.path, 'node_modules/.bin/eslint');
    const { stdout, stderr } = spawnSync(eslint, ['--format', 'json', 'n8n'], { cwd: folder.path, encoding: 'utf8' });
    assert.match(stdout, /^\[/, stderr);
    const files = JSON.parse(stdout) as { filePath: string; messages: { ruleId: string; message: string }[] }[];
    return files.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => `${filePath}: ${ruleId}: ${message}`),
    );
  };
  assert.deepEqual(lint(), []);
  writeFileSync(join(folder.path, 'n8n/nodes/late.ts'), 'export const late = () => setTimeout(() => {}, 1);\n');
  assert.match(lint().join(), /late\.ts: @n8n\/community-nodes\//);
});
