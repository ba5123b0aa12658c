import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults } from './shell-page.ts';

const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 240, height: 240, aliases: ['square'] },
];
const CHECKED = 60_000;

describe('the check of a browser', { skip: noBrowser, timeout: 200_000 }, () => {
  let service: ServiceFixture;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS) }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('[R46] every format passes here, and the results are copied as one text', async () => {
    const { page, complaints } = await open();
    await page.getByText('Yes: this browser can export on this device.').waitFor({ timeout: CHECKED });
    assert.equal(await page.locator('td.bad').count(), 0);
    const rows = await page.locator('tbody tr', { has: page.locator('td:nth-child(4)') }).count();
    assert.equal(rows, 9, 'eight checks and the speed');
    assert.deepEqual(await axeFaults(page), []);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await page.getByText('Copied').waitFor();
    const text: string = await page.evaluate('navigator.clipboard.readText()');
    assert.match(text, /^Tiercut \/studio\/check\nprogram test-card-worker-/);
    assert.match(text, /\nLandscape 640x360: ok, [\d.]+ frames\/s\n {2}ok {3}Encoder: avc1\.64/);
    assert.match(text, /ok {3}Sound: AAC, off by -?[012] samples/);
    assert.doesNotMatch(text, /FAIL/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('[R46] an encoder that mixes up frames, colours or tags is refused, with the reason', async () => {
    for (const [flaw, name] of Object.entries(FLAWS)) {
      const { page } = await open(flawed(flaw));
      await page.getByText('No: export on the service.').waitFor({ timeout: CHECKED });
      const failed = page.locator('tr', { has: page.locator('td.bad') }).locator('th');
      assert.ok((await failed.allTextContents()).includes(name), `${flaw}: ${await failed.allTextContents()}`);
      await page.close();
    }
  });

  async function open(prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await prepare(page);
    await page.goto(`${service.base}/studio/check`);
    return { page, complaints };
  }
});

/** What an encoder may do wrong, as a change of the worker's program, and the check that finds it. */
const FLAWS: Readonly<Record<string, string>> = {
  'delete globalThis.VideoEncoder;': 'Encoder',
  // The sixth frame is lost.
  'let n = 0; const encode = VideoEncoder.prototype.encode; VideoEncoder.prototype.encode = function (...given) { n += 1; if (n !== 6) encode.apply(this, given); };':
    'Every frame in its place',
  // Another profile above a rate.
  "const configure = VideoEncoder.prototype.configure; VideoEncoder.prototype.configure = function (config) { const { width, height, framerate, codec } = config; const isMore = config.bitrate > 0.3 * width * height * framerate; configure.call(this, isMore ? { ...config, codec: codec.replace('6400', '4200') } : config); };":
    'Parts that join',
  "Object.defineProperty(VideoFrame.prototype, 'colorSpace', { get: () => new VideoColorSpace({ matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: true }) });":
    'Colour tags',
  // What is drawn is read from frames without a length.
  'globalThis.VideoFrame = class extends VideoFrame { constructor(data, init) { super(init.duration > 1 ? data.map((level) => level * 0.9) : data, init); } };':
    'Flat colours',
};

function flawed(flaw: string) {
  return async (page: Page): Promise<void> => {
    await page.route(/test-card-worker-\w+\.js$/, async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: `${flaw}\n${await reply.text()}` });
    });
  };
}
