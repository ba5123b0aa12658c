import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { GOLDEN_TIMELINES } from '../plan/golden-timelines.ts';
import { plan } from '../request-builder.ts';
import { browserBundle } from './browser-bundle.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import type { Page } from './page-program.ts';

const bundle = await browserBundle();

test('browser code imports no Node modules, and of packages only zod', () => {
  const foreign = bundle.inputs.filter((path) => !/^(?:src\/|test\/browser\/|node_modules\/zod\/|<stdin>)/.test(path));
  // The program brings the page's own SHA-256.
  assert.deepEqual(
    foreign.filter((path) => !path.startsWith('node_modules/@noble/hashes/')),
    [],
  );
});

test('the check finds a Node module that is imported indirectly', async () => {
  await assert.rejects(browserBundle('../../src/platform/sha256.ts'), /Could not resolve "node:crypto"/);
});

test('[R18] without Node globals, plans and chunk keys are the same', () => {
  // Only what a browser has beyond the language itself: neither Buffer nor process.
  const globals = createContext({ TextEncoder, URL });
  runInContext(bundle.script, globals);
  const page: Page = globals.page;
  for (const timeline of GOLDEN_TIMELINES) {
    assert.equal(page.plan(JSON.stringify(timeline)), planned(timeline), timeline.name);
  }
});

test("[R18] plans and chunk keys in Chromium equal the server's", { skip: noBrowser }, async () => {
  await using browser = await launchBrowser();
  const tab = await browser.newPage();
  await tab.addScriptTag({ content: bundle.script });
  for (const timeline of GOLDEN_TIMELINES) {
    const there = await tab.evaluate(
      (text) => (globalThis as unknown as { page: Page }).page.plan(text),
      JSON.stringify(timeline),
    );
    assert.equal(there, planned(timeline), timeline.name);
  }
});

function planned({ documents, media, preset }: (typeof GOLDEN_TIMELINES)[number]): string {
  return JSON.stringify(plan(documents, media, preset));
}
