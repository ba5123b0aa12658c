import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser as skip } from '../browser/chromium.ts';
import { seen } from './export-client.ts';
import { CLIP, TIER_LIST, TIMELINE } from './sample-request.ts';
import { ServiceFixture } from './service-fixture.ts';

async function open(browser: Browser, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

/** What the player on a page knows of its video, once it knows it. */
async function playerOf(page: Page): Promise<unknown> {
  await page.locator('video').waitFor({ timeout: 60_000 });
  return seen('the video', () =>
    page.evaluate(`(() => {
      const { readyState, videoWidth: width, videoHeight: height, duration: seconds, error } = document.querySelector('video');
      return readyState < 1 && error === null ? null : { width, height, seconds: Math.round(seconds * 1000) / 1000, fault: error?.code ?? 0 };
    })()`),
  );
}

test('[C7] a plain HTML form makes a video, which is followed live and plays', { skip }, async () => {
  await using service = await ServiceFixture.start();
  await using browser = await launchBrowser();
  // Any page of the service's own origin: forms on others are refused. (C50)
  const { page, complaints } = await open(browser, `${service.base}/docs`);
  await page.evaluate(`document.querySelector('main').innerHTML = '<form method="post" action="/video/exports" enctype="multipart/form-data">' +
    '<textarea name="tier_list"></textarea><textarea name="timeline_data"></textarea><input type="file" name="clip"><button>Send</button></form>'`);
  const { title, rows } = TIER_LIST;
  const items = TIER_LIST.items.map(({ id, name }) => ({ id, name }));
  await page.locator('[name=tier_list]').fill(JSON.stringify({ title, rows, items }));
  await page.locator('[name=timeline_data]').fill(JSON.stringify(TIMELINE));
  await page.locator('[name=clip]').setInputFiles(CLIP.file);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL('**/video/exports/*');
  assert.equal(await page.locator('h1').textContent(), `${title}.mp4`);
  assert.deepEqual(await playerOf(page), { width: 128, height: 72, seconds: 3, fault: 0 });
  for (const preset of ['preset_one', 'preset_two', 'preset_three']) {
    const link = page.locator(`tr[data-preset=${preset}]`).getByRole('link', { name: 'Download', exact: true });
    await link.waitFor({ timeout: 60_000 });
  }
  assert.deepEqual(complaints, []);
});
