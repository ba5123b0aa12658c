import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import { readZip } from '../../../src/archive/zip-file.ts';
import { wavFile } from '../../../src/studio/example/wav-file.ts';
import * as zipTexts from '../../../src/studio/texts/en/zip-file.ts';
import { SAMPLE_RATE } from '../../../src/time.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { MAIN, ScratchFolder } from '../../cli/tiercut.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { ServiceFixture, SMALL_PRESETS } from '../../service/service-fixture.ts';
import { ByKeys } from './by-keys.ts';
import {
  askForProject,
  axeFaults,
  becomesTrue,
  completed,
  dropPictures,
  emptyPage,
  holdDatabase,
  KEY,
  keptProject,
  type Look,
  openExample,
  openStudio,
  restartStudio,
  rowsOf,
  type StudioPage,
  watchFaults,
} from './shell-page.ts';

const skip = noBrowser;
const SLOW = { skip, timeout: 280_000 };
let browser: Browser;
let service: ServiceFixture;
/** The page of the tests that need no other kind of browser. */
let shared: StudioPage | null = null;

before(async () => {
  if (noBrowser) return;
  [browser, service] = await Promise.all([
    launchBrowser(),
    ServiceFixture.start({ TIERCUT_API_KEYS: `me:${KEY}`, TIERCUT_LOG_LEVEL: 'silent' }),
  ]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** The studio with empty storage. */
async function emptyStudio(look: Look = {}): Promise<StudioPage> {
  shared ??= await emptyPage(browser);
  await restartStudio(shared, service, look);
  return shared;
}

test(
  'the example appears before its pictures; files dropped meanwhile are added; after a reload the rest is drawn, and after another everything is restored',
  SLOW,
  async () => {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    watchFaults(page, faults);
    // The drawing worker is delayed.
    const held: Route[] = [];
    await context.route(/example-worker/, (route) => void held.push(route));
    await page.goto(`${service.base}/`);
    await openExample(page);
    await page.keyboard.press('b');
    await page.locator('.tile .coming').nth(8).waitFor();
    assert.equal(await page.locator('.tile img').count(), 0);
    assert.deepEqual(await rowsOf(page), [
      ['Earth', 'Saturn'],
      ['Jupiter', 'Neptune'],
      ['Mars', 'Uranus'],
      ['Venus', 'Mercury', 'Pluto'],
      [],
    ]);
    await page
      .getByRole('option', { name: /Saturn/ })
      .first()
      .waitFor({ state: 'attached' });
    assert.equal(await page.locator('.top .prim.off').count(), 0, 'what is to come is not missing');
    await dropPictures(page, 1);
    await page.locator('.pool .tile img').waitFor();
    assert.equal((await keptProject(page)).studio.coming?.pluto?.name, 'pluto.png');
    assert.ok(held.length > 0);

    await context.unroute(/example-worker/);
    await page.reload();
    await page.keyboard.press('b');
    await page.locator('.brow .tile img').nth(8).waitFor({ state: 'attached' });
    await page.getByText('Drawing the example').waitFor({ state: 'detached' });
    const { studio, media } = await keptProject(page);
    assert.equal(studio.coming, undefined);
    assert.deepEqual(new Set(Object.keys(studio.media)), new Set(Object.keys(media)));
    assert.ok('picture_0' in media);

    await page.locator('.tile[data-item=pluto]').click();
    await page.keyboard.press('1');
    await page.getByLabel('Title', { exact: true }).fill('Worlds');
    await page.keyboard.press('Enter');
    const left = await keptProject(page);
    assert.deepEqual(left.tier_list.rows[0]!.item_ids, ['earth', 'saturn', 'pluto']);
    await page.reload();
    await page.keyboard.press('b');
    await page.locator('.tile[data-item=pluto] img').waitFor();
    assert.deepEqual((await rowsOf(page))[0], ['Earth', 'Saturn', 'Pluto']);
    assert.deepEqual(await keptProject(page), left);
    assert.deepEqual(faults, []);
  },
);

test(
  'fifty files dropped at once; cards move by mouse, keys and touch; undo restores the identical project',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service, { hasTouch: true });
    const { page, faults } = studio;
    const empty = await keptProject(page);
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText('notes.txt is not a picture, a clip or a sound.').waitFor();
    assert.ok(await page.locator('.first').isVisible(), 'nothing has come of it');
    await dropPictures(page, 50);
    await page.locator('.pool .tile').nth(49).waitFor();
    const [pool] = (await rowsOf(page)).slice(-1);
    assert.deepEqual(
      pool,
      Array.from({ length: 50 }, (_, i) => `Picture ${i}`),
    );

    // Mouse: into row A; then two chosen ones before it.
    await dragTo(page, 'picture_7', '[data-row=a]');
    assert.deepEqual((await rowsOf(page))[1], ['Picture 7']);
    await page.locator('#tile-picture_3').click();
    await page.locator('#tile-picture_5').click({ modifiers: ['Control'] });
    await dragTo(page, 'picture_5', '[data-row=a]');
    assert.deepEqual((await rowsOf(page))[1], ['Picture 3', 'Picture 5', 'Picture 7']);
    // A drag that is broken off leaves everything as it was.
    await dragTo(page, 'picture_7', '[data-row=s]', 'Escape');
    assert.deepEqual((await rowsOf(page))[0], []);

    // Keys: lift, up, drop; straight into a row; by one place; off the board.
    await page.locator('#tile-picture_7').click();
    for (const key of ['Enter', 'ArrowUp', 'Enter']) await pressOn(page, 'picture_7', key);
    await page.locator('#tile-picture_9').click();
    await pressOn(page, 'picture_9', '1');
    await pressOn(page, 'picture_9', 'Alt+ArrowLeft');
    await page.locator('#tile-picture_5').click();
    await pressOn(page, 'picture_5', '0');
    assert.deepEqual((await rowsOf(page)).slice(0, 2), [['Picture 9', 'Picture 7'], ['Picture 3']]);

    // Touch: held, then moved; a finger that moves at once scrolls and lifts nothing.
    await touchDrag(page, 'picture_20', '[data-row=c]', 350);
    // Also on a page that is too busy to hear of it in time.
    await page.evaluate(`addEventListener('pointerdown', () => setTimeout(() => {
      for (const end = Date.now() + 400; Date.now() < end; );
    }), { once: true, capture: true })`);
    await touchDrag(page, 'picture_21', '[data-row=c]', 0);
    assert.deepEqual((await rowsOf(page))[3], ['Picture 20']);

    // Rows are edited in place.
    await page.getByLabel('Label of row B').fill('Meh');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await page.getByRole('button', { name: 'Row S: colour, order, remove' }).click();
    await page.getByRole('button', { name: 'Colour #7fc4ff' }).click();
    await page.locator('[data-row=s]').and(page.locator('[style*="#7fc4ff"]')).waitFor();
    await page.keyboard.press('Escape');
    const after = await keptProject(page);
    assert.deepEqual(
      after.tier_list.rows.map(({ label }) => label),
      ['S', 'A', 'Meh', 'C', 'D', 'F', 'G'],
    );
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    while (await undo.isEnabled()) await page.keyboard.press('Control+z');
    assert.deepEqual(await keptProject(page), empty);
    const redo = page.getByRole('button', { name: 'Redo' });
    await redo.click();
    while (await redo.isEnabled()) await page.keyboard.press('Control+Shift+z');
    assert.deepEqual(await keptProject(page), after);
    assert.deepEqual(faults, []);
  },
);

test(
  'two tabs: the second may read, and take over; one does not change the unsaved work of the other',
  SLOW,
  async () => {
    const studio = await emptyStudio();
    const { page: first } = studio;
    const media = `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('media', { create: true }))`;
    await first.evaluate(`${media}
    .then((folder) => folder.getFileHandle('of no project yet', { create: true }))
    .then((file) => file.createWritable())
    .then((writer) => writer.close())`);
    await dropPictures(first, 2);
    await first.locator('.pool .tile').nth(1).waitFor();
    await keptProject(first);
    const second = await first.context().newPage();
    watchFaults(second, studio.faults);
    await second.goto(`${service.base}/studio`);
    await second.getByText('open in another tab').waitFor();
    await second.keyboard.press('b');
    await second.locator('#tile-picture_0').click();
    await pressOn(second, 'picture_0', '1');
    assert.deepEqual((await rowsOf(second))[0], []);
    await second.getByRole('button', { name: 'Edit here' }).click();
    await first.getByText('took over this project').waitFor();
    await second.getByText('open in another tab').waitFor({ state: 'detached' });
    await second.locator('#tile-picture_0').click();
    await pressOn(second, 'picture_0', '1');
    assert.deepEqual((await rowsOf(second))[0], ['Picture 0']);
    const isKept = `${media}.then((folder) => Array.fromAsync(folder.keys())).then((names) => names.includes('of no project yet'))`;
    assert.equal(await second.evaluate(isKept), true);
    // A day later the file is removed, because no project uses it.
    const third = await first.context().newPage();
    await third.addInitScript('{ const now = Date.now; Date.now = () => now() + 86_400_000; }');
    await third.goto(`${service.base}/studio`);
    await becomesTrue(third, `${isKept}.then((kept) => !kept)`);
    assert.deepEqual(studio.faults, []);
    await Promise.all([second.close(), third.close()]);
  },
);

test(
  'a browser without file storage, and one that is full, are reported; nothing is taken that cannot be kept',
  SLOW,
  async () => {
    {
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript('delete StorageManager.prototype.getDirectory');
      await page.goto(`${service.base}/studio`);
      await page.locator('.top').waitFor();
      await dropPictures(page, 1);
      await page.locator('.pool .tile img').waitFor();
      await page.getByText('does not store files for pages').waitFor();
    }
    const { page, faults } = await emptyStudio();
    await dropPictures(page, 1);
    await page.locator('.pool .tile img').waitFor();
    // Files are kept by workers, which are there now.
    const full = `FileSystemFileHandle.prototype.createWritable = async () => {
      throw new DOMException('There is no room left.', 'QuotaExceededError');
    }`;
    await Promise.all(page.workers().map((worker) => worker.evaluate(full)));
    await dropPictures(page, 1, 'late_', 10);
    await page.getByText(/was not added, because the storage of this browser is full/).waitFor();
    assert.equal(await page.locator('#tile-late_0').count(), 0);
    assert.deepEqual(faults, []);
  },
);

test(
  '[R26, C53, C54, C65] a project saved by an earlier version reports once what looks different; a new one reports nothing',
  SLOW,
  async () => {
    const studio = await emptyStudio();
    const { page } = studio;
    await dropPictures(page, 2);
    await page.locator('.pool .tile').nth(1).waitFor();
    await pressOn(page, 'picture_0', '1');
    const saved = await keptProject(page);
    const notice = page.locator('.looks-note');
    assert.equal(await notice.count(), 0);
    await page.reload();
    await page.locator('.top').waitFor();
    assert.equal(await notice.count(), 0);
    // As it was kept before: without an edition of looks.
    await page.goto('about:blank');
    await page.goto(`${service.base}/healthz`);
    await page.evaluate(SAVED_EARLIER);
    await page.goto(`${service.base}/studio`);
    await notice.waitFor();
    const opened = await keptProject(page);
    assert.equal(opened.studio.looks, undefined);
    assert.deepEqual({ ...opened.timeline_data, tier_tiles: [] }, { ...saved.timeline_data, tier_tiles: [] });
    await notice.getByText('What changed').click();
    await notice.getByText('The rows of the board are in one column').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    const lastStep = () => page.getByRole('button', { name: 'Undo' }).getAttribute('title');
    const before = await lastStep();
    await notice.getByRole('button', { name: 'Got it' }).click();
    await notice.waitFor({ state: 'detached' });
    assert.equal(await lastStep(), before, 'it is no step');
    await page.locator('.pname:focus').waitFor();
    assert.deepEqual(await keptProject(page), { ...opened, studio: { ...opened.studio, looks: 2 } });
    await page.reload();
    await page.locator('.top').waitFor();
    await page.keyboard.press('b');
    await page.locator('.tile').nth(1).waitFor();
    assert.equal(await notice.count(), 0);
    assert.deepEqual(studio.faults, []);
  },
);

/** Takes from the kept project what earlier versions did not write. */
const SAVED_EARLIER = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('tiercut-studio');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction('projects', 'readwrite');
    change.objectStore('projects').getAll().onsuccess = ({ target: { result: [kept] } }) => {
      delete kept.project.studio.looks;
      change.objectStore('projects').put(kept);
    };
    change.oncomplete = () => {
      opening.result.close();
      resolve();
    };
  };
})`;

test('hostile project files open as far as they are valid, and run nothing', SLOW, async () => {
  // Colours in transition are not part of axe's check.
  const { page, faults } = await emptyStudio({ reducedMotion: 'reduce' });
  const name = '<img src=x onerror=document.title="owned">';
  const hostile = {
    tier_list: { title: name, rows: [{ id: 'r', label: name, color: 'url(x)' }, 7], items: [{ id: name, name }] },
    timeline_data: { videos: [{ file_field: '../../etc/passwd', speed: -4 }], subtitles: 'no' },
    settings: { quality: 'best', theme: { base: 'nothing' } },
    media: { x: '../../../../etc/passwd' },
  };
  await chooseProject(page, 'hostile.json', JSON.stringify(hostile));
  await page.getByText('were left out').waitFor();
  await page.keyboard.press('b');
  assert.deepEqual((await rowsOf(page)).at(-1), [name]);
  assert.deepEqual(await axeFaults(page), [], 'a card that is called like a tag');
  assert.equal(await page.title(), 'Tiercut Studio');
  await chooseProject(page, 'broken.json', '{"tier_list":');
  await page.locator('.word.bad').last().waitFor();
  await chooseProject(page, 'broken.zip', 'PK no');
  await page.getByText('not a .zip file').waitFor();

  // A file that only claims to be a picture: the preview shows its name instead, and does not say that the export does
  // too.
  await page.locator('.pname').click();
  await page.getByRole('button', { name: 'New project' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Rank pictures/ }).click();
  const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000020000000200802000000fc18eda3', 'hex');
  await (await choosing).setFiles({ name: 'empty.png', mimeType: 'image/png', buffer: header });
  await page.locator('.pool .tile').click();
  await page.keyboard.press('1');
  await page.keyboard.press('p');
  await page.locator('.pv-exact[data-close=true][title*="cannot show"]').waitFor();
  assert.deepEqual(faults, []);
});

test('files dropped onto a project that lacks them are matched; others are new', SLOW, async () => {
  const { page, faults } = await emptyStudio();
  const bare = {
    tier_list: {
      title: 'Bare',
      rows: [{ id: 'r', label: 'R', item_ids: ['i'] }],
      items: [{ id: 'i', file_field: 'f' }],
    },
    timeline_data: { videos: [{ id: 'v', file_field: 'g', start: 0, duration: 2 }] },
    media: { f: '../media/Picture_0.PNG', g: 'clips/picture_1.png' },
  };
  const free = await holdDatabase(page);
  await chooseProject(page, 'project.json', JSON.stringify(bare));
  await page.locator('.pname', { hasText: 'Bare' }).waitFor();
  assert.match((await page.locator('.saved').first().textContent())!, /^Saving/, 'it is open, and not kept yet');
  await free();
  await page.getByText('2 files of the project are not in this browser').waitFor();
  await page.getByRole('button', { name: '2 errors' }).click();
  await page.locator('.issue-list').getByText('Picture_0.PNG is not in this browser').waitFor();
  assert.deepEqual(await axeFaults(page), [], 'menu of errors');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await dropPictures(page, 3);
  await page.locator('.brow .tile[data-item=i] img').waitFor();
  await page.locator('.pool .tile img').waitFor();
  const kept = await keptProject(page);
  assert.deepEqual(kept.media, { ...bare.media, picture_2: 'media/picture_2.png' });
  assert.deepEqual(
    Object.entries(kept.studio.media).map(([field, { name }]) => [field, name]),
    [
      ['f', 'picture_0.png'],
      ['g', 'picture_1.png'],
      ['picture_2', 'picture_2.png'],
    ],
  );
  assert.deepEqual(
    kept.tier_list.items.map(({ id }) => id),
    ['i', 'picture_2'],
  );
  assert.deepEqual(faults, []);
});

test(
  'one button: a key once, uploads over a connection that breaks, three MP4s, found again after a reload; the saved project renders to the same bytes',
  SLOW,
  async () => {
    const { page, faults } = await emptyStudio();
    // One of two parts; the connection breaks after the first.
    await dropPictures(page, 3, 'picture_', 5 << 20);
    await page.locator('.pool .tile').nth(2).waitFor();
    for (const [i, key] of ['1', '2', '1'].entries()) {
      await page.locator(`#tile-picture_${i}`).click();
      await pressOn(page, `picture_${i}`, key);
    }
    // The service is unreachable when the uploads start.
    await page.route('**/media/*', (route) => route.abort());
    await page.locator('.top').getByRole('button', { name: 'Export' }).click();
    await page.getByText('The service does not respond').waitFor();
    await page.unroute('**/media/*');
    await page.getByLabel('This service needs an API key').fill('not-a-key-of-theirs');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not accept this key').waitFor();
    const ranges: string[] = [];
    page.on('requestfinished', (request) => ranges.push(request.headers()['content-range'] ?? ''));
    await page.route('**/media/*', (route) => {
      const isLater = /^bytes [1-9]/.test(route.request().headers()['content-range'] ?? '');
      return isLater ? route.abort() : route.continue();
    });
    await page.getByLabel('This service needs an API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('The service does not respond').waitFor();
    await page.unroute('**/media/*');
    // A reload, under way and at its end, finds the export again and makes no other.
    await page.locator('.or').nth(2).waitFor();
    // It resumed: no part was sent twice.
    assert.deepEqual(
      ranges.filter((range) => Number(range.split('/')[1]) > 5 << 20).map((range) => range.match(/\d+/)![0]),
      ['0', String(4 << 20)],
    );
    let others = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/video/exports')) others += 1;
    });
    for (let reloads = 0; reloads < 2; reloads += 1) {
      await page.reload();
      await page.locator('.top').getByRole('button', { name: 'Export' }).click();
      await completed(page);
    }
    assert.equal(others, 0);
    assert.equal(await page.getByRole('button', { name: /^Export all three/ }).count(), 0);
    assert.equal(await page.locator('.or.done').count(), 3);
    await page.locator('.chs').getByText('Picture 0').waitFor();
    await page.locator('.xv video').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    const hashes: string[] = [];
    for (const { name } of SMALL_PRESETS) {
      const got = page.waitForEvent('download');
      await page.locator(`.or[data-preset=${name}] a`).click();
      const bytes = await readFile(await (await got).path());
      assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
      hashes.push(createHash('sha256').update(bytes).digest('hex'));
    }
    assert.equal(new Set(hashes).size, 3);

    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.locator('.pname').click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save with its media (.zip)' }).click();
    using folder = new ScratchFolder();
    const moved = join(folder.path, 'moved.zip');
    await (await saving).saveAs(moved);
    const archive = await readZip(new Blob([await readFile(moved)]), zipTexts);
    for (const [path, open] of archive) {
      const file = join(folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(await (await open(2 ** 30)).arrayBuffer()));
    }
    const args = [MAIN, 'render', join(folder.path, 'project.json'), '-o', join(folder.path, 'out.mp4')];
    const env = { ...process.env, TIERCUT_PRESETS: JSON.stringify(SMALL_PRESETS) };
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.equal(status, 0, stderr);
    assert.equal(
      createHash('sha256')
        .update(await readFile(join(folder.path, 'out.mp4')))
        .digest('hex'),
      hashes[0],
    );

    // The archive opens in a browser that has never seen it.
    await using other = await openStudio(browser, service);
    await chooseProject(other.page, moved);
    await other.page.locator('.brow .tile img').nth(2).waitFor({ state: 'attached' });
    assert.deepEqual((await keptProject(other.page)).tier_list, (await keptProject(page)).tier_list);

    // An export that is deleted elsewhere while the line is away is not waited for. (C26)
    await other.page.route('**/events', (route) => route.abort());
    await other.page.locator('.top').getByRole('button', { name: 'Export' }).click();
    await other.page.getByLabel('This service needs an API key').fill(KEY);
    const made = other.page.waitForResponse(
      (reply) => reply.url().endsWith('/video/exports') && reply.status() === 202,
    );
    await other.page.keyboard.press('Enter');
    const { links } = (await (await made).json()) as { links: { self: string } };
    await other.page.getByText('The service does not respond').waitFor();
    await fetch(service.base + links.self, { method: 'DELETE', headers: { 'x-api-key': KEY } });
    await other.page.unroute('**/events');
    await other.page.getByText('Export stopped').waitFor();
    assert.deepEqual([...faults, ...other.faults], []);
  },
);

test(
  'axe finds no violations: wide and narrow, dark and light, on a phone; a phone reorders the board and exports',
  SLOW,
  async () => {
    const looks = [
      { reducedMotion: 'reduce', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
      { reducedMotion: 'reduce', colorScheme: 'light', viewport: { width: 1024, height: 768 } },
      { reducedMotion: 'reduce', colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
    ] as const;
    for (const look of looks) {
      // Only a browser context can have touch.
      await using own = 'hasTouch' in look ? await openStudio(browser, service, look) : null;
      const { page, faults } = own ?? (await emptyStudio(look));
      await page.locator('.first').waitFor();
      assert.deepEqual(await axeFaults(page), [], 'first visit');
      const isWide = look.viewport.width === 1440;
      const exportButton = page.getByRole('button', { name: 'Export' }).filter({ visible: true });
      if (isWide) {
        await page.keyboard.press('e');
        await page.getByText('There is nothing to show yet').waitFor();
        assert.deepEqual(await axeFaults(page), [], 'export of nothing');
        await page.keyboard.press('Escape');
      }
      await dropPictures(page, 5);
      await page.locator('.pool .tile').nth(4).waitFor();
      if (isWide) {
        // Nothing is ranked: it says what would be made, and leads there, or makes it.
        await exportButton.click();
        await page.getByText('and 5 items below them').waitFor();
        await page.getByRole('button', { name: 'Export anyway' }).waitFor();
        assert.deepEqual(await axeFaults(page), [], 'before an export');
        await page.getByRole('button', { name: 'Rank the items' }).click();
        await page.locator('#tile-picture_0:focus').waitFor();
        await page.locator('.pname').click();
        assert.deepEqual(await axeFaults(page), [], 'menu of the project');
        await page.keyboard.press('Escape');
        await pressOn(page, 'picture_0', '1');
        await page.getByRole('button', { name: 'Tap to reveal' }).click();
        await page.getByRole('button', { name: 'Next: Picture 0' }).waitFor();
        assert.deepEqual(await axeFaults(page), [], 'recorder');
        await page.getByRole('button', { name: 'Done' }).click();
        // It has shown the preview.
        await page.keyboard.press('b');
      } else if (look.viewport.width === 1024) {
        await page.getByRole('button', { name: 'Row S: colour, order, remove' }).click();
        assert.deepEqual(await axeFaults(page), [], 'menu of a row');
        await page.keyboard.press('Escape');
      }
      await page.locator('#tile-picture_1').click();
      assert.deepEqual(await axeFaults(page), [], 'board');
      if (look.viewport.width < 640) {
        await touchDrag(page, 'picture_1', '[data-row=f]', 350);
        assert.deepEqual((await rowsOf(page))[5], ['Picture 1']);
        // Media and details are drawers here.
        const details = page.getByRole('complementary', { name: 'Details' });
        const opens = page.locator('.pbar').getByRole('button', { name: 'Details' });
        assert.equal(await details.isVisible(), false);
        await opens.click();
        await details.getByLabel('Name').fill('First');
        assert.deepEqual(await axeFaults(page), [], 'drawer');
        await page.keyboard.press('Escape');
        await details.waitFor({ state: 'hidden' });
        await page.getByRole('option', { name: 'First' }).waitFor();
        assert.deepEqual((await rowsOf(page))[5], ['First']);
        await page.locator('.pbar').getByRole('button', { name: 'Media' }).click();
        await page.getByRole('complementary', { name: 'Media' }).getByText('Picture 4').waitFor();
        await page.getByRole('button', { name: 'Close media' }).click({ position: { x: 380, y: 400 } });
        await page.locator('.scrim').waitFor({ state: 'detached' });
        await page.locator('.pbar').getByRole('button', { name: 'Export' }).click();
        await page.getByRole('dialog').waitFor();
      } else {
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      }
      assert.deepEqual(await axeFaults(page), [], 'dialog');
      assert.deepEqual(faults, []);
    }
  },
);

test(
  'without a pointer, from the first visit to three MP4s, with a title, a clip, music and captions: the focus is never lost or invisible, and every step has its key',
  SLOW,
  async () => {
    const clip = await makeClip({ frames: 60, width: 160, height: 90 });
    const { page, faults } = await emptyStudio();
    const keys = new ByKeys(page);
    await page.locator('.first').waitFor();
    await page.keyboard.press('Tab');
    // Awaited before the key press, because the browser may report it late.
    const choosing = page.waitForEvent('filechooser');
    await keys.to(/^Rank pictures/);
    await page.keyboard.press('Enter');
    const pictures = await page.evaluate<readonly string[]>(`Promise.all(['#e44', '#4a4', '#44e'].map(async (color) => {
      const canvas = new OffscreenCanvas(32, 32);
      const context = canvas.getContext('2d');
      context.fillStyle = color;
      context.fillRect(0, 0, 32, 32);
      return btoa(String.fromCharCode(...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())));
    }))`);
    await (await choosing).setFiles([
      ...pictures.map((base64, i) => ({
        name: `card_${i}.png`,
        mimeType: 'image/png',
        buffer: Buffer.from(base64, 'base64'),
      })),
      { name: 'film.mp4', mimeType: 'video/mp4', buffer: await readFile(clip.file) },
      { name: 'music.wav', mimeType: 'audio/wav', buffer: await music() },
    ]);

    // The first card that waits has the focus; a figure each ranks them.
    await page.locator('#tile-card_0:focus').waitFor();
    await keys.press('2', '1', '1');
    assert.deepEqual((await rowsOf(page)).slice(0, 2), [['Card 1', 'Card 2'], ['Card 0']]);
    await keys.press('Enter', 'ArrowDown', 'Enter');
    assert.deepEqual((await rowsOf(page)).slice(0, 2), [['Card 1'], ['Card 0', 'Card 2']]);
    await keys.press('F2');
    await keys.type('Third');
    await keys.press('Escape');
    assert.match((await keys.focus()).words, /^Third$/);
    await keys.to(/^Label of row A$/, 'Shift+Tab');
    await keys.type('Good');
    await keys.press('Enter');
    await keys.to(/^Title$/, 'Shift+Tab');
    await keys.type('By key');
    await keys.press('Enter');

    // The film goes once more to the playhead, is cut, and its second part shortened and moved.
    await keys.press('p', 'F6');
    await keys.to(/^film.mp4/, 'Shift+Tab');
    await keys.press('Enter', 'End', 'i', 'Home', 'Shift+ArrowRight', 'F6', 'F6', 'F6');
    await keys.to(/^Clip film, 0:00/, 'ArrowDown');
    await keys.press('s');
    await keys.to(/^Clip film, 0:01/, 'ArrowDown');
    await keys.press('ArrowRight', 'ArrowRight', 'ArrowRight', '[', 'Alt+ArrowRight');
    await keys.press('Shift+ArrowLeft', 'Shift+ArrowLeft', 'r', 't');
    await page.locator('[data-field=text] textarea:focus').waitFor();
    await keys.type('Said by key');
    await keys.press('Escape');
    assert.match((await keys.focus()).words, /^Subtitle Said by key, 0:00.00 to 0:03/);
    await keys.press('Escape', 'F2');
    const theme = page.locator('details').filter({ has: page.locator('summary', { hasText: /^Theme/ }) });
    const basis = theme.getByLabel('Based on');
    const basedOn = () =>
      basis.evaluate(
        (select) => (select as unknown as { selectedOptions: { text: string }[] }).selectedOptions[0]!.text,
      );
    assert.equal(await basedOn(), 'Midnight', 'a theme that nobody chose is called as among those to choose from');
    await keys.press('ArrowRight');
    assert.equal(await basedOn(), 'Pop');
    await keys.press('l', 'k', 'Shift+F6', 'Shift+F6');
    const { timeline_data, settings, tier_list } = await keptProject(page);
    assert.equal(settings.theme, 'pop');
    assert.equal(tier_list.title, 'By key');
    assert.deepEqual(
      timeline_data.soundtracks.map(({ role }) => role),
      ['music'],
    );
    assert.equal(tier_list.rows[1]!.label, 'Good');
    assert.deepEqual(timeline_data.videos.map(({ start, duration }) => [start, duration]).slice(0, 2), [
      [0, 1],
      [1.133333, 0.9],
    ]);
    assert.equal(timeline_data.videos.length, 3);
    assert.equal(timeline_data.tier_tiles[0]!.position, 0);

    await page.keyboard.press('e');
    await page.getByLabel('This service needs an API key').and(page.locator(':focus')).waitFor();
    await keys.type(KEY);
    await page.keyboard.press('Enter');
    await completed(page);
    for (let i = 0; i < SMALL_PRESETS.length; i += 1) {
      // The first has the focus as soon as it is there.
      if (i > 0) await page.keyboard.press('Tab');
      await keys.to(/^Download/);
      const got = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      assert.equal((await readFile(await (await got).path())).toString('latin1', 4, 8), 'ftyp');
    }
    // Behind a dialog no key has an effect.
    const before = await page.locator('.tl-list').textContent();
    await page.keyboard.press('Delete');
    await page.keyboard.press('s');
    await keys.press('Escape');
    assert.equal(await page.locator('.tl-list').textContent(), before);
    assert.deepEqual(faults, []);
  },
);

/** Six seconds that the studio takes for music. */
async function music(): Promise<Buffer> {
  const tone = (seconds: number, hertz: number) => 0.2 * Math.sin(2 * Math.PI * hertz * seconds);
  const left = Float32Array.from({ length: 6 * SAMPLE_RATE }, (_, n) =>
    [220, 330].reduce((sum, hertz) => sum + tone(n / SAMPLE_RATE, hertz), 0),
  );
  return Buffer.from(await wavFile({ left, right: left }).arrayBuffer());
}

/** Puts a file of a folder into the chooser of "Open a project file", or one with this content. */
async function chooseProject(page: Page, name: string, content: string | null = null): Promise<void> {
  const chooser = await askForProject(page);
  const file = content === null ? name : { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
  await chooser.setFiles(file);
}

/** Presses a key on a card, wherever it is by now. */
async function pressOn(page: Page, id: string, key: string): Promise<void> {
  await page.locator(`#tile-${id}`).focus();
  await page.locator(`#tile-${id}`).press(key);
  // The focus goes with the card, in the next picture of the screen.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

async function centreOf(page: Page, selector: string, share = 0.5): Promise<{ x: number; y: number }> {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = (await page.locator(selector).boundingBox())!;
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}

/** To the first place of a row; `Escape` breaks it off. */
async function dragTo(page: Page, id: string, row: string, end: 'drop' | 'Escape' = 'drop'): Promise<void> {
  const { x, y } = await centreOf(page, `${row} .cells`, 0.01);
  // Waits until the card is at rest and nothing covers it.
  await page.locator(`#tile-${id}`).hover();
  const from = await centreOf(page, `#tile-${id}`);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y, { steps: 2 });
  await page.locator('.ghost').waitFor();
  await page.mouse.move(x, y, { steps: 4 });
  // On a slow page the rows may have scrolled on the way: a person looks where the row is before the button is released.
  const there = await centreOf(page, `${row} .cells`, 0.01);
  await page.mouse.move(there.x, there.y);
  await page.locator(`${row} #tile-${id}`).waitFor();
  if (end === 'Escape') await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.locator('.ghost').waitFor({ state: 'detached' });
}

/** What an element of a page can do. */
interface Scrolling {
  scrollIntoView(options: { block: 'center' }): void;
}

/** A finger that rests for a while, then moves to a row. */
async function touchDrag(page: Page, id: string, row: string, holdMs: number): Promise<void> {
  // In the middle, where nothing scrolls by itself and nothing covers it.
  await page
    .locator(`#tile-${id}`)
    .evaluate((tile) => (tile as unknown as Scrolling).scrollIntoView({ block: 'center' }));
  const from = await centreOf(page, `#tile-${id}`);
  const { x, y } = await centreOf(page, `${row} .cells`, 0.01);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: { x: number; y: number } | null) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at === null ? [] : [at] });
  const down = touch('touchStart', from);
  if (holdMs > 0) await page.locator('.ghost').waitFor();
  // In one call, so that a finger moves immediately, however slow the protocol is.
  const moves = [1, 2, 3, 4, 5].map((step) =>
    touch('touchMove', { x: from.x + ((x - from.x) * step) / 5, y: from.y + ((y - from.y) * step) / 5 }),
  );
  await Promise.all([down, ...moves]);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await touch('touchEnd', null);
  await session.detach();
}
