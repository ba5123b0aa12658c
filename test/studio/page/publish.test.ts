import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readImageHeader } from '../../../src/image-header/read-image-header.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture, SMALL_PRESETS } from '../../service/service-fixture.ts';
import { axeFaults, dropPictures, openStudio } from './shell-page.ts';

const LOOKS = [
  { reducedMotion: 'reduce', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { reducedMotion: 'reduce', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

test('[R39, R40] an export shows every style of thumbnail, downloads one, and copies the texts to publish', {
  skip: noBrowser,
  timeout: 280_000,
}, async () => {
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'silent',
    TIERCUT_PRESETS: JSON.stringify(SMALL_PRESETS),
  });
  const browser = await launchBrowser();
  try {
    for (const look of LOOKS) {
      await using studio = await openStudio(browser, service, {
        ...look,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const { page, faults } = studio;
      await dropPictures(page, 4);
      await page.locator('.pool .tile').nth(3).waitFor();
      for (const [at, key] of ['1', '1', '3', '6'].entries()) {
        await page.locator(`#tile-picture_${at}`).click();
        await page.keyboard.press(key);
      }
      await page.getByRole('button', { name: 'Export' }).filter({ visible: true }).click();
      const anyway = page.getByRole('button', { name: 'Export anyway' });
      const publish = page.getByRole('region', { name: 'Publish' });
      await anyway.or(publish).first().waitFor();
      if (await anyway.isVisible()) await anyway.click();
      for (let style = 0; style < 4; style += 1) await publish.locator('.thumbs img').nth(style).waitFor();

      const download = publish.getByRole('link', { name: /Download the thumbnail/ });
      const saved = page.waitForEvent('download');
      await publish.getByRole('radio', { name: 'Podium' }).click();
      await download.click();
      const file = await saved;
      assert.match(file.suggestedFilename(), /-podium\.jpg$/);
      const { format, width, height } = readImageHeader(await readFile(await file.path()));
      assert.deepEqual([format, width, height], ['jpeg', 1280, 720]);

      await publish.getByLabel('Items').fill('Picture 3, picture 1, Nobody');
      await publish.getByLabel('Text', { exact: true }).fill('Who wins?');
      await page.keyboard.press('Tab');
      await publish.getByText('There is no item called “Nobody”.').waitFor();
      await publish.locator('.thumbs img').nth(3).waitFor();

      await publish.getByLabel('Title').fill('My title');
      assert.equal(await publish.locator('.result b').textContent(), 'My title');
      await publish.getByRole('button', { name: 'Copy the title' }).click();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'My title');
      await publish.getByRole('button', { name: 'Copy the description' }).click();
      assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^4 items from S to F\./);
      await publish.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      assert.deepEqual(faults, []);
      if (process.env.SHOTS !== undefined) {
        await publish.scrollIntoViewIfNeeded();
        await page.screenshot({ path: `${process.env.SHOTS}-${look.viewport.width}.png` });
        await publish.screenshot({ path: `${process.env.SHOTS}-pub-${look.viewport.width}.png` });
      }
    }
  } finally {
    await browser.close();
  }
});
