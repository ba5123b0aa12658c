import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser as skip } from '../../browser/chromium.ts';
import { svgFile } from '../../fixtures/svg-file.ts';
import { metadataOf, post, seen } from '../../service/export-client.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { tempFolder } from '../../store/temp-folder.ts';
import { StudioPage } from '../../studio/page/studio-page.ts';

/** A text that runs in a page that takes it for markup, wherever texts appear. */
function script(place: string): string {
  const run = `alert('${place}')`;
  return `${place}"'></title></textarea></script><script>${run}</script><img src=x class=planted onerror="${run}"><svg class=planted onload=${run}>`;
}

const SVG = svgFile(
  `<script>alert('svg')</script><rect width="100" height="100" fill="red" onload="alert('svg')"/><image href="x" onerror="alert('svg')"/>
  <foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" class="planted" onerror="alert('svg')"/></body></foreignObject>`,
  `width="100" height="100" onload="alert('svg')"`,
);
const HTML = Buffer.from(`<!doctype html>${script('html')}`);

const DOCUMENTS = {
  tier_list: {
    title: script('title'),
    rows: [{ id: script('row'), label: script('label'), item_ids: [script('item')] }],
    items: [
      { id: script('item'), name: script('name'), note: script('note'), score: script('score'), file_field: 'picture' },
    ],
  },
  timeline_data: {
    tier_blocks: [{ id: script('block'), start: 0, duration: 1 }],
    tier_tiles: [{ id: script('tile'), tier_item_id: script('item'), position: 0.2 }],
    subtitles: [{ id: script('subtitle'), text: script('words'), start: 0, duration: 1 }],
  },
  settings: { reveal: 'spotlight' },
};

/** The browser's report of a script that a policy stopped. Reports for its own documents do not matter. */
const STOPPED = /^(Executing|Refused to execute|Loading the (script|image '[^']*\/x'))|Trusted/;

/** Everything that shows that a text became more than text: it ran, it was stopped by the policy, or it is an element. */
class ScriptWatch {
  readonly seen: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('dialog', async (dialog) => {
      this.seen.push(`ran: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.on('console', (message) => {
      if (STOPPED.test(message.text())) this.seen.push(message.text());
    });
  }

  async assertNothing(where: string): Promise<void> {
    const planted = await this.#page.locator('.planted').count();
    assert.deepEqual({ seen: this.seen, planted }, { seen: [], planted: 0 }, where);
  }
}

async function watchedPage(browser: Browser): Promise<{ page: Page; watch: ScriptWatch }> {
  const page = await browser.newPage();
  return { page, watch: new ScriptWatch(page) };
}

/** An export in which every text that a client may send is a script. */
async function scriptedExport(service: ServiceFixture): Promise<string> {
  const form = new FormData();
  const { settings, timeline_data, ...others } = DOCUMENTS;
  const documents = {
    ...others,
    timeline_data: { ...timeline_data, subtitle_files: [{ file_field: 'words' }], [script('lane')]: [] },
    settings: { ...settings, file_name: script('file'), quality: 'draft', shorts: true, [script('setting')]: 1 },
    external_id: script('external').slice(0, 200),
  };
  for (const [name, value] of Object.entries(documents)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.append('picture', new Blob([new Uint8Array(SVG)], { type: 'text/html' }), script('upload').slice(0, 200));
  const cue = `1\n00:00:00,000 --> 00:00:00,900\n${script('cue')}\n`;
  form.append('words', new Blob([cue], { type: 'text/html' }), 'words.srt');
  return (await metadataOf(await post(service, form), 201)).export_id;
}

test('[C26, H17] a script in any text or file runs on no page and at no address', { skip }, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const id = await scriptedExport(service);
  for (const file of [SVG, HTML]) {
    const sha256 = createHash('sha256').update(file).digest('hex');
    const type = { 'content-type': 'text/html' };
    await fetch(`${service.base}/media/${sha256}`, { method: 'PUT', headers: type, body: new Uint8Array(file) });
  }
  await using browser = await launchBrowser();
  const control = await watchedPage(browser);
  await control.page.setContent(script('control'));
  assert.ok(control.watch.seen.includes('ran: control'), 'what runs is seen');
  const stopped = { contentType: 'text/html', headers: { 'content-security-policy': "default-src 'none'" } };
  await control.page.route('**/control', (route) => route.fulfill({ ...stopped, body: script('stopped') }));
  await control.page.goto(`${service.base}/control`);
  assert.match(control.watch.seen.at(-1)!, STOPPED, 'what a policy stops is seen');

  const one = `/video/exports/${id}`;
  const svg = createHash('sha256').update(SVG).digest('hex');
  const planted = encodeURIComponent(script('address'));
  const addresses = [
    one,
    `${one}/download/preset_one?inline`,
    `${one}/captions.vtt`,
    `${one}/captions.srt`,
    `${one}/poster`,
    `${one}/chapters`,
    `${one}/events`,
    `${one}/deliveries`,
    `${one}/hls/preset_one/index.m3u8`,
    `${one}/shorts/${planted}`,
    '/video/exports',
    `/video/exports?external_id=${planted}&cursor=${planted}`,
    `/video/exports/${planted}`,
    `/media/${svg}`,
    `/media/${planted}`,
    `/docs?${planted}`,
    `/docs/errors#${planted}`,
    `/${planted}`,
  ];
  const pages = [one, `/docs?${planted}`, `/docs/errors#${planted}`];
  const { page, watch } = await watchedPage(browser);
  for (const address of addresses) {
    const reply = await fetch(`${service.base}${address}`, {
      headers: { accept: 'text/html,*/*;q=0.8' },
      signal: AbortSignal.timeout(60_000),
    });
    const type = reply.headers.get('content-type') ?? '';
    assert.equal(/html|svg|xml/.test(type), pages.includes(address), `${address}: ${type}`);
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff', address);
    assert.match(reply.headers.get('content-security-policy') ?? '', /^default-src 'none';/, address);
    await reply.body?.cancel();
    // A file that a browser does not show is saved, and reported as a download.
    await page.goto(`${service.base}${address}`, { waitUntil: 'commit' }).catch((error: Error) => {
      assert.match(error.message, /Download is starting|ERR_ABORTED/, address);
    });
    await page.waitForLoadState('domcontentloaded');
    if (address === one) await page.locator('video').waitFor();
    if (address.endsWith('?inline')) {
      await seen('the video', () => page.evaluate('document.querySelector("video").readyState > 0'));
    }
    await watch.assertNothing(address);
  }
  const shown = await fetch(`${service.base}${one}`, { headers: { accept: 'text/html' } });
  assert.match(await shown.text(), /&lt;img src=x class=planted/, 'the page shows such texts');
});

test('[H17] a project with scripts in its texts runs none in the studio', { skip }, async (t) => {
  await using service = await ServiceFixture.start();
  await using browser = await launchBrowser();
  const studio = await StudioPage.open(browser, service.base);
  const { page } = studio;
  const watch = new ScriptWatch(page);
  await studio.openProject({ ...DOCUMENTS, files: { picture: scriptedPicture(t) } });
  await watch.assertNothing('the preview');
  for (const entry of await page.locator('.tl-list').getByRole('option').all()) {
    await page.locator('.tl-list').press('ArrowRight');
    await watch.assertNothing(`the details of ${await entry.textContent()}`);
  }
  await page.keyboard.press('b');
  await page.locator('.tile').first().click();
  await watch.assertNothing('the details of an item');
  await page.locator('.pname').click();
  await watch.assertNothing('the projects');
  await page.keyboard.press('Escape');
  await page
    .locator('.saved', { hasText: /^Saved$/ })
    .first()
    .waitFor({ state: 'attached' });
  await page.goto(`${service.base}/studio`);
  await page.reload();
  await page.locator('.tile').first().waitFor({ state: 'attached' });
  await watch.assertNothing('what was kept');
  await page.locator('.top').getByRole('button', { name: 'Export' }).click();
  await page
    .getByRole('link', { name: /Download/ })
    .first()
    .waitFor({ timeout: 120_000 });
  await watch.assertNothing('the export');
});

/** An SVG whose file name is a script too, as far as file names allow. */
function scriptedPicture(t: TestContext): string {
  const path = join(tempFolder(t), `<img src=x class=planted onerror=alert('upload')>.svg`);
  writeFileSync(path, SVG);
  return path;
}
