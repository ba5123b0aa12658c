import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Response } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, becomesTrue, dropPictures, openStudio } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  const settings = { TIERCUT_LOG_LEVEL: 'silent', TIERCUT_MAX_DRAFTS: '3' };
  [browser, service] = await Promise.all([launchBrowser(), ServiceFixture.start(settings)]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** Whether the ruler has the line that says what is rendered. */
const HAS_LINE = `(async () => {
    const canvas = document.querySelector('#timeline canvas');
    const across = 20 * devicePixelRatio;
    const column = canvas.getContext('2d').getImageData(across, 0, 1, 60).data;
    const probe = document.createElement('i');
    probe.style.color = 'var(--fine)';
    document.body.append(probe);
    const fine = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).join();
    probe.remove();
    return Array.from({ length: 60 }, (_, y) => column.slice(y * 4, y * 4 + 3).join()).includes(fine);
})()`;

test(
  '[C79] the service renders while a project is edited, the ruler shows the progress, and the switch ends it',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service);
    const { page } = studio;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
    });
    const isReady = async (response: Response) => {
      const isDraft = response.request().method() === 'GET' && response.url().includes('/video/drafts/');
      return isDraft && (await response.text()).includes('"state":"ready"');
    };
    await dropPictures(page, 2);
    await page.locator('.pool .tile').first().click();
    await page.keyboard.press('1');
    // Nothing is sent before the user agrees, once.
    const sends = page.getByRole('button', { name: 'Send while I edit' });
    await sends.waitFor();
    assert.deepEqual(sent, []);
    assert.deepEqual(await axeFaults(page), []);
    const ready = page.waitForResponse(isReady, { timeout: 60_000 });
    await sends.click();
    await sends.waitFor({ state: 'detached' });
    const { ranges } = (await (await ready).json()) as { ranges: { start: number }[] };
    assert.deepEqual(
      ranges.map(({ start }) => start),
      [0],
    );
    await becomesTrue(page, HAS_LINE);
    await page.keyboard.press('e');
    const box = page.getByLabel(/Render while I edit/);
    assert.equal(await box.isChecked(), true, 'as it was answered');
    await box.uncheck();
    await becomesTrue(page, `${HAS_LINE}.then((isThere) => !isThere)`);
    assert.deepEqual(studio.faults, []);
  },
);
