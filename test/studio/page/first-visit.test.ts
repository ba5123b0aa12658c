import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, dropPictures, keptProject, openExample, openStudio, rowsOf, watchFaults } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  [browser, service] = await Promise.all([
    launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'),
    ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'silent' }),
  ]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** The titles of all projects in the browser's storage, sorted. */
function keptTitles(page: Page): Promise<string[]> {
  return page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('tiercut-studio');
    opening.onsuccess = () => {
      opening.result.transaction('projects').objectStore('projects').getAll().onsuccess = ({ target }) => {
        opening.result.close();
        resolve(target.result.map(({ project }) => project.tier_list.title).sort());
      };
    };
  })`);
}

async function newProject(page: Page): Promise<void> {
  await page.locator('.pname').click();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.locator('.first').waitFor();
}

test('a first visit asks what to rank, beside the example; nothing that is empty is kept', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page, faults } = studio;
  await page.locator('.first').waitFor();
  assert.equal(await page.locator('.bin, .timeline, .board, .insp').count(), 0, 'no empty editor');
  assert.deepEqual(
    (await page.locator('.start b, .visit-card b').allTextContents()).map((text) => text.trim()),
    [
      ...['Rank pictures', 'Record a take', 'Paste a list'],
      ...['A weekly ranking', 'Top 5, for Shorts', 'This or that', 'The planets, ranked'],
    ],
  );
  assert.equal(await page.evaluate('document.activeElement === document.body'), true, 'the focus is left alone');

  // Names become items.
  await page.getByRole('button', { name: /^Paste a list/ }).click();
  assert.deepEqual(await axeFaults(page), []);
  await page.keyboard.type('Pizza\n- Tacos\n3. Sushi');
  await page.getByRole('button', { name: 'Add items' }).click();
  await page.locator('.pool .tile').nth(2).waitFor();
  assert.deepEqual((await rowsOf(page)).at(-1), ['Pizza', 'Tacos', 'Sushi']);
  // Undone, the editor stays: there is something to redo.
  await page.keyboard.press('Control+z');
  await page.locator('.pool .tile').first().waitFor({ state: 'detached' });
  assert.equal(await page.locator('.first').count(), 0);
  await page.keyboard.press('Control+Shift+z');
  await keptProject(page);

  // What was made is among one's own, and opens by a click.
  await newProject(page);
  await page.locator('.start:focus').waitFor();
  await page.locator('.visit-card', { hasText: 'My tier list' }).waitFor();
  assert.deepEqual(await keptTitles(page), ['My tier list', 'My tier list']);
  await openExample(page);
  await page.locator('.pname', { hasText: 'The planets' }).waitFor();
  await keptProject(page);
  assert.deepEqual(await keptTitles(page), ['My tier list', 'The planets, ranked'], 'an untouched project is gone');
  await newProject(page);
  assert.deepEqual(await page.locator('[data-of="projects"] small').allTextContents(), ['this minute', 'this minute']);
  await page.locator('.visit-card', { hasText: 'My tier list' }).click();
  await page.locator('.pool .tile').nth(2).waitFor();
  assert.deepEqual(faults, []);
});

test(
  'a take from the first visit gets its pictures in the set-up; a second tab has a visit of its own',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service);
    const { page, faults } = studio;
    await page.locator('.first').waitFor();
    const second = await page.context().newPage();
    watchFaults(second, faults);
    await second.goto(`${service.base}/studio`);
    await second.locator('.first').waitFor();
    assert.equal(await second.getByText('open in another tab').count(), 0);
    await second.close();

    await page.getByRole('button', { name: /^Record a take/ }).click();
    await page.locator('.tk-go:enabled').waitFor();
    await page.getByRole('button', { name: 'Add pictures to rank' }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await dropPictures(page, 3);
    await page.getByText('3 cards to rank').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add pictures to rank' }).count(), 0);
    await page.keyboard.press('Escape');
    await page.locator('.pool .tile').nth(2).waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  'at 200 % zoom the preview keeps the most of a low window; on a phone rows stay where they are',
  SLOW,
  async () => {
    {
      await using studio = await openStudio(browser, service, { viewport: { width: 720, height: 450 } });
      const { page } = studio;
      await page.locator('.first').waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await dropPictures(page, 3);
      await page.locator('.pool .tile').nth(2).waitFor();
      await page.keyboard.press('p');
      const { width } = (await page.locator('.pv-frame').boundingBox())!;
      assert.ok(width >= 340, `${width} px wide`);
      assert.deepEqual(await axeFaults(page), []);
    }
    await using phone = await openStudio(browser, service, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = phone;
    await dropPictures(page, 3);
    await page.locator('.pool .tile').nth(2).waitFor();
    assert.deepEqual(
      await page.locator('.pbar .ib-name').allTextContents(),
      ['Take', 'Media', 'Details'],
      'what an icon opens is written below it',
    );
    await page.locator('.pbar').getByRole('button', { name: 'Record a take' }).tap();
    await page.getByRole('switch', { name: 'Count down' }).tap();
    await page.locator('.tk-go:enabled').tap();
    await page.locator('.take[data-step=run]').waitFor();
    const places = () =>
      page.evaluate(`[...document.querySelectorAll('.tk-row')].map((row) => row.getBoundingClientRect().top)`);
    const before = await places();
    await page.locator('.tk-tray .tk-card').first().tap();
    await page.locator('.tk-up[data-none=false]').waitFor();
    assert.deepEqual(await places(), before);
    assert.deepEqual(await axeFaults(page), []);
    // In a low window, too, every row is in sight.
    await page.setViewportSize({ width: 720, height: 450 });
    const [last, end] = await Promise.all([
      page.locator('.tk-row').last().boundingBox(),
      page.locator('.tk-rows').boundingBox(),
    ]);
    assert.ok(last!.height >= 36 && last!.y + last!.height <= end!.y + end!.height + 1, JSON.stringify([last, end]));
    assert.deepEqual(await axeFaults(page), []);
  },
);

test('[C83] a template gets a field, and an episode keeps its values over a reload', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page, faults } = studio;
  await page.locator('.visit-card', { hasText: 'A weekly ranking' }).click();
  const panel = page.locator('.template-panel');
  await panel.locator('.tf-head').nth(4).waitFor();
  assert.equal(await page.locator('.insp [role=alert]').count(), 0);

  // By the menu of a row, in place.
  await page.getByRole('radio', { name: 'Board' }).click();
  await page.locator('[data-row="s"] .grip').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Make “Row S” a field' }).click();
  await panel.locator('[data-open="true"] code', { hasText: '{{row_s}}' }).waitFor();
  assert.equal(await panel.getByLabel('Default').inputValue(), 'S');
  await panel.getByLabel('Label', { exact: true }).fill('Best');
  await panel.getByLabel('Most characters').fill('0');
  await page.keyboard.press('Tab');
  await panel.getByRole('alert').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await panel.getByLabel('Most characters').fill('12');
  await page.keyboard.press('Tab');
  await panel.getByRole('alert').waitFor({ state: 'detached' });

  // A value that is missing is asked for in its place; the form and its values are there after a reload.
  // In a narrow window it is in a drawer, which is gone with the panels.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.locator('.top [data-drawer="details"]').click();
  await page.getByRole('button', { name: 'New episode' }).click();
  const form = page.locator('.episode-form');
  await form.waitFor();
  assert.equal(await page.locator('.scrim').count(), 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  assert.equal(await page.locator('.bin, .timeline').count(), 0);
  assert.equal(await form.getByLabel('Week').inputValue(), '1');
  await form.getByLabel('Best').fill('Great');
  await form.getByLabel('Title').fill('Every breakfast, ranked');
  await form.getByRole('button', { name: 'Remove all' }).click();
  await form.getByRole('button', { name: 'Make the video' }).click();
  await form.locator('[data-field="items"].wrong').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await form.getByRole('button', { name: 'Paste a list' }).click();
  const list = page.getByRole('dialog').getByRole('textbox');
  assert.equal(await list.getAttribute('placeholder'), 'name,row\nPizza,Great\nTacos,A');
  await list.fill('name,row\nEggs,Great\nToast,C');
  await page.getByRole('button', { name: 'Replace items' }).click();
  await form.getByLabel('Name of item 2').waitFor();
  const { tier_list, template } = await keptProject(page);
  assert.deepEqual(
    tier_list.items.map(({ name }) => name),
    ['Eggs', 'Toast'],
  );
  assert.equal(template!.episode!.name, 'A weekly ranking');
  await page.reload();
  await form.waitFor();
  assert.equal(await form.getByLabel('Title').inputValue(), 'Every breakfast, ranked');
  assert.equal(await form.getByLabel('Best').inputValue(), 'Great');
  assert.equal(await form.getByLabel('Row of Eggs').inputValue(), 's');
  await page.locator('.pname', { hasText: 'Every breakfast' }).waitFor();

  // The next number; then an ordinary project, which can be undone.
  await form.getByRole('button', { name: 'One more episode' }).click();
  await page.locator('.pname', { hasText: 'Snacks, ranked' }).waitFor();
  assert.equal(await form.getByLabel('Week').inputValue(), '2');

  // Pictures that are dropped anywhere replace the items of the template, and the next ones are added. The preview stays.
  const examples = (await keptProject(page)).tier_list;
  const names = form.locator('.ef-items li input');
  await dropPictures(page, 2);
  await form.getByLabel('Row of Picture 1').waitFor();
  assert.equal(await names.count(), 2);
  await dropPictures(page, 1, 'late_', 10);
  await form.getByLabel('Row of Late 0').waitFor();
  assert.equal(await names.count(), 3);
  assert.ok(await page.locator('.pv-play').isVisible());
  for (let steps = 0; steps < 2; steps += 1) await page.locator('.top').getByRole('button', { name: 'Undo' }).click();
  assert.deepEqual((await keptProject(page)).tier_list, examples);
  await form.getByRole('button', { name: 'Open in the editor' }).click();
  await page.locator('.timeline').waitFor();
  assert.equal(await page.locator('.tag-button').count(), 0);
  await page.keyboard.press('Control+z');
  await form.waitFor();
  assert.deepEqual(faults, []);
});
