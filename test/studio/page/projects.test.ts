import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, dropPictures, openStudio, rowsOf } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
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

async function saysTop(page: Page, word: string): Promise<void> {
  await page.locator('.top .saved', { hasText: word }).waitFor();
}

async function openProjects(page: Page): Promise<void> {
  await page.locator('.first, .pname').first().waitFor();
  if (!(await page.locator('.first').isVisible())) await page.locator('.pname').click();
  await page.getByRole('button', { name: 'All projects' }).click();
  await page.getByRole('dialog', { name: 'Projects' }).waitFor();
}

async function answer<T>(path: string): Promise<T> {
  return (await fetch(service.base + path)).json() as Promise<T>;
}

async function rank(page: Page, id: string, key: string): Promise<void> {
  await page.locator(`#tile-${id}`).focus();
  await page.locator(`#tile-${id}`).press(key);
}

test(
  '[C76] a project is stored on the service, opened on another device, shown as a conflict if both changed it, and shared',
  SLOW,
  async () => {
    await using one = await openStudio(browser, service);
    const { page } = one;
    await dropPictures(page, 3);
    await page.locator('.pool .tile').nth(2).waitFor();
    await rank(page, 'picture_0', '1');

    // Nothing leaves the browser before the user has agreed.
    await page.locator('.pname').click();
    assert.equal(await page.getByRole('radio', { name: 'Stays in this browser' }).getAttribute('aria-checked'), 'true');
    await page.getByRole('radio', { name: /^Kept on/ }).click();
    const asking = page.getByRole('dialog', { name: /^Keep this project on/ });
    await asking.getByText('3 files').waitFor();
    assert.deepEqual(
      ((await (await fetch(`${service.base}/projects`)).json()) as { projects: unknown[] }).projects,
      [],
    );
    await asking.getByRole('button', { name: /^Keep it on/ }).click();
    await saysTop(page, 'Kept on');

    // Undo survives a reload.
    await page.reload();
    await saysTop(page, 'Kept on');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator('.pool #tile-picture_0').waitFor();
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await page.locator('[data-row=s] #tile-picture_0').waitFor();
    await saysTop(page, 'Kept on');

    await using two = await openStudio(browser, service);
    const other = two.page;
    await openProjects(other);
    await other.locator('.pj img[src*=thumbnail]').waitFor();
    assert.deepEqual(await axeFaults(other), [], 'list of projects');
    await other.getByRole('button', { name: 'Open My tier list' }).last().click();
    await saysTop(other, 'Kept on');
    await other.keyboard.press('b');
    assert.deepEqual((await rowsOf(other))[0], ['Picture 0']);
    // Its pictures have come.
    await other.locator('#tile-picture_2 img[src^=blob]').waitFor();

    // A change there is applied here as soon as the page is visible.
    await rank(other, 'picture_1', '2');
    await saysTop(other, 'Saving');
    await saysTop(other, 'Kept on');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.locator('[data-row=a] #tile-picture_1').waitFor();
    await saysTop(page, 'Kept on');

    // If both places changed it, both versions are shown, and both can be kept.
    await rank(other, 'picture_2', '1');
    await saysTop(other, 'Saving');
    await saysTop(other, 'Kept on');
    await rank(page, 'picture_2', '3');
    await page.getByRole('button', { name: 'Choose a version' }).click();
    const choice = page.getByRole('dialog', { name: 'Two versions of this project' });
    await choice.getByText(/Different: 2 rows/).waitFor();
    await choice.locator('img').nth(1).waitFor();
    assert.deepEqual(await axeFaults(page), [], 'two versions');
    await choice.getByRole('button', { name: 'Keep both' }).click();
    await page.locator('[data-row=s] #tile-picture_2').waitFor();
    await openProjects(page);
    await page.getByRole('button', { name: 'Open My tier list (copy)' }).waitFor();

    // Deleted by mistake, a project comes back.
    await page.getByRole('button', { name: 'Delete My tier list (copy)' }).click();
    await page.getByRole('button', { name: 'Open My tier list (copy)' }).waitFor({ state: 'detached' });
    await page.locator('.pj-deleted').getByRole('button', { name: 'Undo' }).click();
    const copy = page.getByRole('button', { name: 'Rename My tier list (copy)' });
    await copy.click();
    await page.getByLabel('Project name').fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open Mine' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.locator('.pname').click();
    await page.getByRole('button', { name: 'Share …' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const address = await page.getByLabel(/^Link created/).inputValue();
    await using three = await openStudio(browser, service, { path: new URL(address).pathname + new URL(address).hash });
    const guest = three.page;
    await guest.getByText('This is a shared project').waitFor();
    await guest.keyboard.press('b');
    assert.deepEqual((await rowsOf(guest))[0], ['Picture 0', 'Picture 2']);
    await guest.locator('#tile-picture_2 img[src^=blob]').waitFor();
    await rank(guest, 'picture_2', '4');
    assert.deepEqual((await rowsOf(guest))[0], ['Picture 0', 'Picture 2']);
    await guest.getByRole('button', { name: 'Make a copy' }).click();
    await guest.locator('.top .saved', { hasText: /^Saved$/ }).waitFor();
    await rank(guest, 'picture_2', '4');
    await guest.locator('[data-row=c] #tile-picture_2').waitFor();

    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel(/^Link created/).waitFor({ state: 'detached' });
    await using four = await openStudio(browser, service, { path: new URL(address).pathname + new URL(address).hash });
    await four.page.getByText('This link no longer works').waitFor();

    // Deleted by mistake, a project that is kept on the service comes back with its revisions and links. When the list closes, it is gone.
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel(/^Link created/).waitFor();
    const stored = async () => {
      const { projects } = await answer<{ projects: readonly { project_id: string; name: string }[] }>('/projects');
      const found = projects.find(({ name }) => name === 'My tier list');
      const about =
        found === undefined ? [] : ['revisions', 'links'].map((what) => `/projects/${found.project_id}/${what}`);
      return Promise.all(about.map((path) => answer<object>(path)));
    };
    const kept = await stored();
    assert.equal(kept.length, 2);
    await page.keyboard.press('Escape');
    await openProjects(page);
    await page.getByRole('button', { name: 'Open Mine' }).click();
    await page.locator('.pname', { hasText: 'Mine' }).waitFor();
    await openProjects(page);
    const remove = page.getByRole('button', { name: 'Delete My tier list', exact: true });
    await remove.click();
    await page.locator('.pj-deleted').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Open My tier list', exact: true }).waitFor();
    assert.deepEqual(await stored(), kept);
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.keyboard.press('Escape');
    assert.equal((await gone).status(), 204);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(
      [one, two, three, four].flatMap(({ faults }) => faults),
      [],
    );
  },
);
