import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { RESERVE_BYTES } from '../../../src/studio/keeping/reserve-size.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, becomesTrue, dropPictures, holdDatabase, keptProject, openStudio } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 240_000 };

let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  [browser, service] = await Promise.all([launchBrowser(), ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'silent' })]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const RESERVE = `navigator.storage.getDirectory().then((root) => root.getFileHandle('reserve')).then((handle) => handle.getFile())`;

/** Limits the storage of the page to what it uses now and so many bytes more; null ends the limit. */
async function leaveRoom(page: Page, bytes: number | null): Promise<void> {
  // A limit lasts as long as its session.
  const session = await page.context().newCDPSession(page);
  const used = (await page.evaluate('navigator.storage.estimate().then(({ usage }) => usage)')) as number;
  const quota = bytes === null ? {} : { quotaSize: Math.max(1, used + bytes) };
  await session.send('Storage.overrideQuotaForOrigin', { origin: service.base, ...quota });
}

/** Types a title until something is so. Chromium asks for the room of a database again after half a minute. */
async function saveUntil(page: Page, title: string, isSo: () => Promise<boolean>): Promise<void> {
  const field = page.getByLabel('Title', { exact: true });
  for (let tries = 0; tries < 60 && !(await isSo()); tries += 1) {
    await field.fill(`${title} ${tries}`);
    await page
      .locator('.saved', { hasText: /^Sav(ed|ing …)$/ })
      .first()
      .waitFor({ state: 'attached' });
    await pass(1000);
  }
  await field.fill(title);
  await page
    .locator('.top .saved', { hasText: /^(Saved|Not saved in this browser)$/ })
    .first()
    .waitFor({ state: 'attached' });
}

function word(page: Page): Promise<string | null> {
  return page.locator('.top .saved').textContent();
}

test('a full storage refuses files, and the project is saved with the space of its reserve', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await dropPictures(page, 2);
  await page.locator('.pool .tile').nth(1).waitFor();
  await keptProject(page);
  await becomesTrue(page, `${RESERVE}.then(({ size }) => size === ${RESERVE_BYTES}, () => false)`);

  // No room for the next picture: it is refused, and all that is shown as saved is.
  await leaveRoom(page, 20_000);
  await dropPictures(page, 1, 'large_', 3_000_000);
  await page.getByText('large_0.png (3.0 MB) was not added').waitFor();
  assert.equal(await page.locator('.pool .tile').count(), 2);
  assert.equal(await page.locator('.bars .bar-note').count(), 0);
  assert.equal(await word(page), 'Saved');
  assert.match((await page.locator('.bin .foot').textContent())!, /^Kept in this browser/);

  // No room for the project either: it takes that of the reserve.
  await leaveRoom(page, -10_000);
  const isReserveGone = () => page.evaluate<boolean>(`${RESERVE}.then(() => false, () => true)`);
  await saveUntil(page, 'In a full storage', isReserveGone);
  await page.reload();
  await page.locator('.pool .tile').nth(1).waitFor();
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'In a full storage');

  // Nothing is left at all: it says so, everywhere the same.
  await leaveRoom(page, -1e9);
  const note = page.locator('.bars .bar-note', { hasText: 'The storage of this browser is full' });
  await saveUntil(page, 'No room at all', () => note.isVisible());
  assert.equal(await word(page), 'Not saved in this browser');
  assert.match((await page.locator('.bin .foot').textContent())!, /^In this tab only/);
  assert.deepEqual(await axeFaults(page), []);

  // With room again, it is saved, and there is a reserve again.
  await leaveRoom(page, null);
  await page.locator('.bar-note').getByRole('button', { name: 'Try again' }).click();
  assert.equal((await keptProject(page)).tier_list.title, 'No room at all');
  assert.equal(await page.locator('.bars .bar-note').count(), 0);
  assert.match((await page.locator('.bin .foot').textContent())!, /^Kept in this browser/);
  await page.getByLabel('Title', { exact: true }).fill('Room again');
  await page.keyboard.press('Enter');
  await becomesTrue(page, `${RESERVE}.then(({ size }) => size === ${RESERVE_BYTES}, () => false)`);
  assert.deepEqual(studio.faults, []);
});

test('a text that is typed and not left is saved, as one step, before the page says so', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await dropPictures(page, 2);
  await page.locator('.pool .tile').nth(1).waitFor();
  await keptProject(page);
  const title = page.getByLabel('Title', { exact: true });
  await title.focus();
  await page.keyboard.press('ControlOrMeta+A');
  // Two pauses in the typing: each is saved.
  const free = await holdDatabase(page);
  await page.keyboard.type('Snacks');
  assert.equal(await word(page), 'Saving …');
  await free();
  assert.equal((await keptProject(page)).tier_list.title, 'Snacks');
  await page.keyboard.type(', ranked');
  assert.equal((await keptProject(page)).tier_list.title, 'Snacks, ranked');
  await page.reload();
  await page.locator('.pool .tile').nth(1).waitFor();
  assert.equal(await title.inputValue(), 'Snacks, ranked');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal(await title.inputValue(), 'My tier list');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  assert.equal(await title.inputValue(), 'Snacks, ranked');

  // A label that is taken back by Escape was never changed.
  const before = await keptProject(page);
  const label = page.getByLabel('Label of row S');
  await label.focus();
  await page.keyboard.type('Best');
  await page.getByLabel('Label of row Best').waitFor();
  assert.equal((await keptProject(page)).tier_list.rows[0]!.label, 'Best');
  await page.keyboard.press('Escape');
  await label.waitFor();
  assert.deepEqual((await keptProject(page)).tier_list, before.tier_list);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal(await title.inputValue(), 'My tier list', 'the step before it is the title');
  assert.deepEqual(studio.faults, []);
});
