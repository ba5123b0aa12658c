import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ssim } from '../../browser/ssim.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { exactFrame, looked } from './exact-frames.ts';
import { openExample } from './shell-page.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
const PRESETS = [
  { name: 'preset_one', width: 960, height: 540, aliases: ['landscape'] },
  { name: 'preset_two', width: 540, height: 960, aliases: ['portrait'] },
  { name: 'preset_three', width: 640, height: 640, aliases: ['square'] },
];
const folder = mkdtempSync(join(tmpdir(), 'tiercut-faults-'));
let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  const settings = { TIERCUT_LOG_LEVEL: 'silent', TIERCUT_PRESETS: JSON.stringify(PRESETS) };
  [browser, service] = await Promise.all([launchBrowser(), ServiceFixture.start(settings)]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const svgOf = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320">${content}</svg>`;

/** A board with a card, which shows a drawing. */
function projectOf(title: string, svg: string): ProjectOnDisk {
  mkdirSync(join(folder, title));
  const file = join(folder, title, 'logo.svg');
  writeFileSync(file, svg);
  return {
    tier_list: {
      title,
      rows: [{ id: 's', label: 'S', color: '#ff7f7f', item_ids: ['logo'] }],
      items: [{ id: 'logo', name: 'Logo', file_field: 'logo' }],
    },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 2 }],
    },
    settings: { preset: 'landscape', background: '#34405a' },
    files: { logo: file },
  };
}

test('[R45] the preview draws an SVG with foreignObject and text as the service does', SLOW, async () => {
  const project = projectOf(
    'Foreign',
    svgOf(`<rect width="320" height="320" fill="#ff8800"/><circle cx="90" cy="90" r="60" fill="#0044ff"/>
      <text x="20" y="240" font-size="60" font-family="Papyrus">Regular</text>
      <text x="20" y="300" font-size="60" font-weight="bold">Bold</text>
      <foreignObject x="150" y="20" width="150" height="100"><div xmlns="http://www.w3.org/1999/xhtml" style="background:lime">No video has this</div></foreignObject>`),
  );
  const fetched: string[] = [];
  const listen = async (page: Page) => {
    page.on('request', (request) => fetched.push(...(/\.wasm$/.exec(request.url()) ?? [])));
  };
  const studio = await StudioPage.open(browser, service.base, listen, 2);
  assert.deepEqual(fetched, [], 'without an SVG the program is not fetched');
  const { errors } = await studio.openProject(project);
  assert.deepEqual(errors, []);
  await studio.page.keyboard.press('Home');
  await studio.seesFrame(0);
  const exact = await exactFrame(service.base, project, 0, 'preset_one');
  const likeness = await looked(
    async () => ssim(await studio.picture(exact), exact),
    (found) => found > 0.995,
  );
  assert.ok(likeness > 0.995, `likeness ${likeness}`);
  assert.equal(await studio.page.locator('.pv-faults').count(), 0);
  assert.deepEqual(studio.complaints, []);
  await studio.page.close();
});

test('[R45] an SVG that cannot be drawn is named in the preview, with the reason', SLOW, async () => {
  const deep = projectOf('Deep', svgOf(`${'<g>'.repeat(120)}<rect/>${'</g>'.repeat(120)}`));
  const studio = await StudioPage.open(browser, service.base);
  await studio.openProject(deep);
  const banner = studio.page.locator('.pv-faults');
  await banner.waitFor();
  assert.match(
    (await banner.textContent()) ?? '',
    /logo\.svg is not shown here\. The drawing is too complex: .*nested/,
  );
  await banner.getByRole('button', { name: 'Close this message' }).click();
  await banner.waitFor({ state: 'detached' });
  await studio.page.close();
});

test('[R45] an exception in the preview worker is shown in the preview', SLOW, async () => {
  // The script of the worker, with a fault at its end: one that is thrown, and a rejection that nothing handles.
  const inject = (fault: string) => (page: Page) =>
    page.route(/canvas-worker-.*\.js/, async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: `${await reply.text()}\n;${fault}` });
    });
  for (const [fault, shown] of [
    ["setTimeout(() => { throw new Error('a thrown fault') }, 500)", /a thrown fault/],
    ["setTimeout(() => Promise.reject(new Error('a rejected fault')), 500)", /a rejected fault/],
    ['throw new Error("at the start")', /at the start/],
  ] as const) {
    const studio = await StudioPage.open(browser, service.base, inject(fault));
    await openExample(studio.page);
    const banner = studio.page.locator('.pv-faults');
    await banner.waitFor();
    assert.match((await banner.textContent()) ?? '', shown);
    await studio.page.close();
  }
});
