import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, noBrowser as skip } from '../../browser/chromium.ts';
import { exampleParts, postForm, type Service, serve } from '../serve.ts';

async function open(browser: Browser, url: string) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  // Also what the content security policy blocks is an error on the console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // Nothing can be watched before it is done: these exports have no chunks. Other tests use streams with real ones.
  await page.route('**/hls/**', (route) => route.fulfill({ status: 202 }));
  await page.goto(url);
  return { page, complaints };
}

async function create(service: Service, headers: Record<string, string> = {}): Promise<string> {
  const reply = await postForm(service, exampleParts(), { ...headers, prefer: 'respond-async' });
  return ((await reply.json()) as { export_id: string }).export_id;
}

test('[C26] the page of an export follows it live, and plays it', { skip }, async (t) => {
  const service = await serve(t);
  const id = await create(service);
  await using browser = await launchBrowser();
  const { page, complaints } = await open(browser, `${service.base}/video/exports/${id}`);
  await page.getByText('Queued …').waitFor();
  while (service.exports.followers === 0) await new Promise(setImmediate);
  await service.exports.progress(id, 'preset_one', 0.42);
  await page.getByText('Rendering … 42 %').waitFor();
  await service.exports.complete(id, 'preset_one', Buffer.from('no real video'));
  const video = page.locator('video');
  await video.waitFor();
  assert.equal(await video.getAttribute('src'), `/video/exports/${id}/download/preset_one?inline`);
  await service.exports.complete(id, 'preset_two', Buffer.from('x'));
  await page.locator('tr[data-preset=preset_two]').getByRole('link', { name: 'Download', exact: true }).waitFor();
  assert.deepEqual(complaints, []);

  // It is deleted elsewhere: the page shows that, offers nothing more, and stops polling.
  await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
  await page.getByText('This export was deleted or has expired').waitFor();
  assert.equal(await page.getByRole('link', { name: /Download/ }).count(), 0);
  while (service.exports.followers > 0) await new Promise(setImmediate);
  assert.equal(await page.evaluate('document.getElementById("export").dataset.settled'), 'yes');
});

test('[C51] an API key is entered once, and the page of an export follows it until sign-out', {
  skip,
}, async (t) => {
  const service = await serve(t, { apiKeys: [{ tenant: 'ann', key: 'secret' }] });
  const id = await create(service, { 'x-api-key': 'secret' });
  await using browser = await launchBrowser();
  const { page } = await open(browser, `${service.base}/video/exports/${id}`);
  // The page and its events are requested without a header: the session identifies the owner.
  const followed = async () => {
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    while (service.exports.followers === 0) await new Promise(setImmediate);
  };
  await page.getByLabel('API key').fill('secret');
  await page.getByRole('button', { name: 'Follow live' }).click();
  await followed();
  await service.exports.progress(id, 'preset_one', 0.42);
  await page.getByText('Rendering … 42 %').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').fill('secret');
  assert.equal(await page.locator('#export').getAttribute('data-live'), 'no');
  // The page keeps waiting for the video itself, which needs only its address.
  while (service.exports.followers > 0) await new Promise(setImmediate);
  await page.getByRole('button', { name: 'Follow live' }).click();
  await followed();
  await service.exports.complete(id, 'preset_one', Buffer.from('x'));
  await page.locator('video').waitFor();
});
