import { test } from 'node:test';
import { configurationPage } from '../../build/configuration-page.ts';
import { assertGoldenText } from '../golden-text.ts';

test('docs/reference/configuration.md lists every variable with its default and meaning', () => {
  assertGoldenText('../../docs/reference/configuration.md', configurationPage());
});
