import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { RESERVE_BYTES } from '../../../src/studio/keeping/reserve-size.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import {
  axeFaults,
  becomesTrue,
  dropPictures,
  emptyPage,
  holdDatabase,
  keptProject,
  openStudio,
  restartStudio,
} from './shell-page.ts';

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

/** The room at the start: for the reserve and what the tests add. */
const ROOM_BYTES = 32 << 20;

/** Limits the storage of the page, or ends the limit. */
async function limitStorage(page: Page, quotaSize?: number): Promise<void> {
  // A limit lasts as long as its session.
  const session = await page.context().newCDPSession(page);
  const quota = quotaSize === undefined ? {} : { quotaSize };
  await session.send('Storage.overrideQuotaForOrigin', { origin: service.base, ...quota });
}

const USED = 'navigator.storage.estimate().then(({ usage }) => usage)';

/** Limits the storage of the page to what it uses now and so many bytes more. */
async function leaveRoom(page: Page, bytes: number): Promise<void> {
  // A file that has just been written may still be counted twice.
  await becomesTrue(page, `${USED}.then((usage) => usage < ${1.5 * RESERVE_BYTES})`);
  const used = (await page.evaluate(USED)) as number;
  await limitStorage(page, Math.max(1, used + bytes));
  await page.evaluate(ASK_FOR_ROOM);
}

/**
 * Chromium asks for the room of its databases at most twice a minute, unless something needs more than there was:
 * this does, and is not stored.
 */
const ASK_FOR_ROOM = `new Promise((asked, failed) => {
  const opening = indexedDB.open('too-large');
  opening.onupgradeneeded = () => opening.result.createObjectStore('values');
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const value = new Uint8Array(${ROOM_BYTES});
    for (let at = 0; at < value.length; at += 65536) crypto.getRandomValues(value.subarray(at, at + 65536));
    const transaction = opening.result.transaction('values', 'readwrite');
    transaction.objectStore('values').put(value, 0);
    transaction.oncomplete = () => failed(new Error('there was room'));
    transaction.onabort = () => {
      opening.result.close();
      asked();
    };
  };
})`;

/** Types a title, and waits until its saving has ended. */
async function typeTitle(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page
    .locator('.top .saved', { hasText: /^(Saved|Not saved in this browser)$/ })
    .first()
    .waitFor({ state: 'attached' });
}

function word(page: Page): Promise<string | null> {
  return page.locator('.top .saved').textContent();
}

test('a full storage refuses files, and the project is saved with the space of its reserve', SLOW, async () => {
  await using studio = await emptyPage(browser);
  const { page } = studio;
  await limitStorage(page, ROOM_BYTES);
  await restartStudio(studio, service);
  await dropPictures(page, 2);
  await page.locator('.pool .tile').nth(1).waitFor();
  await keptProject(page);
  await becomesTrue(page, `${RESERVE}.then(({ size }) => size === ${RESERVE_BYTES}, () => false)`);

  // Room for the project and not for the next picture: it is refused, and all that is shown as saved is.
  await leaveRoom(page, 1_000_000);
  await dropPictures(page, 1, 'large_', 3_000_000);
  await page.getByText('large_0.png (3.0 MB) was not added').waitFor();
  assert.equal(await page.locator('.pool .tile').count(), 2);
  assert.equal(await page.locator('.bars .bar-note').count(), 0);
  assert.equal(await word(page), 'Saved');
  assert.match((await page.locator('.bin .foot').textContent())!, /^Kept in this browser/);

  // No room for the project either: it takes that of the reserve.
  await leaveRoom(page, -10_000);
  await typeTitle(page, 'In a full storage');
  await becomesTrue(page, `${RESERVE}.then(({ size }) => size < ${RESERVE_BYTES}, () => true)`);
  assert.equal((await keptProject(page)).tier_list.title, 'In a full storage');
  await page.reload();
  await page.locator('.pool .tile').nth(1).waitFor();
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'In a full storage');

  // Nothing is left at all: it says so, everywhere the same.
  await leaveRoom(page, -1e9);
  await typeTitle(page, 'No room at all');
  await page.locator('.bars .bar-note', { hasText: 'The storage of this browser is full' }).waitFor();
  assert.equal(await word(page), 'Not saved in this browser');
  assert.match((await page.locator('.bin .foot').textContent())!, /^In this tab only/);
  assert.deepEqual(await axeFaults(page), []);

  // With room again, it is saved, and there is a reserve again.
  await limitStorage(page);
  await page.locator('.bar-note').getByRole('button', { name: 'Try again' }).click();
  assert.equal((await keptProject(page)).tier_list.title, 'No room at all');
  assert.equal(await page.locator('.bars .bar-note').count(), 0);
  assert.match((await page.locator('.bin .foot').textContent())!, /^Kept in this browser/);
  await page.getByLabel('Title', { exact: true }).fill('Room again');
  await page.keyboard.press('Enter');
  await becomesTrue(page, `${RESERVE}.then(({ size }) => size === ${RESERVE_BYTES}, () => false)`);
  assert.deepEqual(studio.faults, []);
});

test(
  'without the programs of its workers the page saves by itself, and says which file was not added',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service);
    const { page } = studio;
    // As after an update of the service under an open page, which has them at other addresses.
    const [keeper, importer] = [/keeping-worker-.*\.js/, /import-worker-.*\.js/];
    for (const program of [keeper, importer]) await page.route(program, (route) => route.fulfill({ status: 404 }));
    await dropPictures(page, 1);
    await page.getByText('picture_0.png was not added, because a part of this page did not load.').waitFor();
    await page.unroute(importer);
    await dropPictures(page, 1);
    await page.locator('.pool .tile').waitFor();
    for (const title of ['Without a worker', 'Again without one']) {
      await typeTitle(page, title);
      assert.equal((await keptProject(page)).tier_list.title, title);
    }
    await page.unroute(keeper);
    const loaded = page.waitForEvent('worker', (worker) => keeper.test(worker.url()));
    await typeTitle(page, 'With a worker');
    await loaded;
    assert.equal((await keptProject(page)).tier_list.title, 'With a worker');
    assert.deepEqual(studio.faults, []);
  },
);

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
