import type { Browser, Page } from 'playwright-core';
import type { ServiceFixture } from '../../test/service/service-fixture.ts';
import { askForProject, openStudio } from '../../test/studio/page/shell-page.ts';
import { logFrames } from './frame-log.ts';

const ROWS = 1000;
const SCROLL_SECONDS = 3;

/** A template with seven fields: with the name of the video, eight columns. */
const TEMPLATE = {
  name: 'A table',
  tier_list: { title: '{{title}}', rows: [{ id: 's', label: 'S' }] },
  timeline_data: { auto: {}, titles: [{ text: '{{week}} {{a}} {{b}} {{c}}', start: 0, duration: 1 }] },
  settings: { theme: '{{look}}' },
  fields: {
    title: { type: 'text', max: 60, required: true },
    week: { type: 'number', min: 1, max: 53, required: true },
    ...{ a: { type: 'text' }, b: { type: 'text' }, c: { type: 'text' } },
    look: { type: 'choice', options: ['pop', 'paper'], default: 'pop' },
    items: { type: 'items', required: true },
  },
};

const tsv = (rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `video ${row}\tTitle ${row}\t${(row % 53) + 1}\tone\ttwo\tthree\tpop\tPizza ${row} | S`,
  ).join('\r\n');

/** Pastes rows, and waits until the page has drawn them. @returns milliseconds */
function pasteRows(page: Page, rows: number): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(tsv(rows))});
    const begun = performance.now();
    document.querySelector('.tb-grid').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
  })`);
}

/** Scrolls from end to end of the table, one step a frame. */
const SCROLL = `new Promise((resolve) => {
  const grid = document.querySelector('.tb-grid');
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / ${SCROLL_SECONDS * 1000});
    grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
    if (share < 1) requestAnimationFrame(step);
    else resolve();
  };
  requestAnimationFrame(step);
})`;

/** A table of 1,000 rows: how fast it scrolls, and what a paste of 200 × 8 cells takes. */
export async function episodeTable(browser: Browser, service: ServiceFixture): Promise<void> {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  const chooser = await askForProject(page);
  const buffer = Buffer.from(JSON.stringify(TEMPLATE));
  await chooser.setFiles({ name: 'table.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Open as a table' }).click();
  await page.locator('.tb-grid:focus').waitFor();
  console.log(`paste of ${ROWS} rows: ${(await pasteRows(page, ROWS)).toFixed(0)} ms`);
  await page.keyboard.press('Control+Home');
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    times.push(await pasteRows(page, 200));
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Home');
  }
  console.log(`paste of 200 × 8 cells: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  const log = await logFrames(page, () => page.evaluate(SCROLL));
  const lines = await page.locator('.tb-line').count();
  console.log(
    `scrolling ${ROWS} rows: ${log.framesASecond.toFixed(0)} frames a second, ${log.cpuMs.toFixed(1)} ms of the main thread each, longest ${log.longestMs.toFixed(0)} ms, ${lines} lines in the document`,
  );
}
