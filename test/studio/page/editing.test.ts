import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { Fingers } from './fingers.ts';
import { axeFaults } from './shell-page.ts';
import { type LastPlan, StudioPage } from './studio-page.ts';

const SNACKS = join(import.meta.dirname, '..', '..', '..', 'examples', 'snacks');
const { tier_list } = JSON.parse(readFileSync(join(SNACKS, 'project.json'), 'utf8'));

/** What of the documents is looked at here. */
interface Documents {
  readonly tier_list: {
    readonly items: readonly { readonly id: string; readonly name: string }[];
    readonly rows: readonly { readonly id: string; readonly item_ids: readonly string[] }[];
  };
  readonly timeline_data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

describe('editing', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;
  let clip: string;

  before(async () => {
    [service, browser] = await Promise.all([ServiceFixture.start(), launchBrowser()]);
    clip = (await makeClip({ frames: 90, width: 160, height: 90 })).file;
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('several entries and items are selected, copied, pasted, duplicated and removed: by mouse, finger, menus and keys', async () => {
    const studio = await StudioPage.open(browser, service.base);
    const { page } = studio;
    const pictures = ['popcorn', 'pretzel', 'celery'].map((name) => [name, join(SNACKS, `${name}.svg`)]);
    const subtitle = (id: string, start: number) => ({ id, text: id, start, duration: 1 });
    await studio.openProject({
      tier_list,
      timeline_data: {
        tier_blocks: [{ id: 'board', start: 0, duration: 12 }],
        videos: [{ id: 'clip', file_field: 'clip', start: 0, duration: 3 }],
        subtitles: [subtitle('one', 0.5), subtitle('two', 2), subtitle('three', 5)],
      },
      files: { clip, ...Object.fromEntries(pictures) },
    });
    const documentsOf = (plan: LastPlan) => plan.documents as unknown as Documents;
    const where = async (look: (documents: Documents) => unknown, wanted: unknown): Promise<void> => {
      const text = JSON.stringify(wanted);
      const plan = await studio.planWhere((each) => JSON.stringify(look(documentsOf(each))) === text);
      assert.deepEqual(look(documentsOf(plan)), wanted);
    };
    const subtitles = ({ timeline_data }: Documents) =>
      timeline_data.subtitles!.map(({ text, start }) => [text, start]);
    const BEFORE = [
      ['one', 0.5],
      ['two', 2],
      ['three', 5],
    ];
    const options = page.getByRole('option', { selected: true });
    await page.getByRole('button', { name: 'Fit' }).click();
    const { x, y, width } = (await page.locator('.tl-canvas').boundingBox())!;
    const at = (seconds: number) => x + (seconds * width * 0.97) / 12;
    // Board, reveals, clips, subtitles.
    const line = y + 26 + 36 + 56 + 44 + 18;

    // A rectangle from empty timeline takes the two that it touches; with Shift it takes more.
    await page.mouse.move(at(4), line + 10);
    await page.mouse.down();
    await page.mouse.move(at(2.4), line);
    await page.mouse.move(at(1), line - 8);
    await page.mouse.up();
    assert.deepEqual(await options.allTextContents(), [
      'Subtitle one, 0:00.50 to 0:01.50',
      'Subtitle two, 0:02.00 to 0:03.00',
    ]);
    assert.equal(await page.getByText('2 entries selected.').count(), 1);
    await where(subtitles, BEFORE);

    // They move together: one step.
    await page.mouse.move(at(1), line);
    await page.mouse.down();
    await page.mouse.move(at(1.3), line);
    await page.mouse.move(at(2), line);
    await page.mouse.up();
    await where(subtitles, [
      ['one', 1.5],
      ['two', 3],
      ['three', 5],
    ]);
    await page.keyboard.press('Control+z');
    await where(subtitles, BEFORE);

    // Copied, and pasted at the playhead in their lane and distance.
    await page.keyboard.press('Control+c');
    await page.mouse.click(at(8), y + 10);
    await page.keyboard.press('Control+v');
    const plan = await studio.planWhere((each) => documentsOf(each).timeline_data.subtitles!.length === 5);
    const fresh = subtitles(documentsOf(plan)).slice(3) as [string, number][];
    assert.deepEqual(
      fresh.map(([text]) => text),
      ['one', 'two'],
    );
    assert.equal(Math.round((fresh[1]![1] - fresh[0]![1]) * 1e6), 1_500_000);
    await page.keyboard.press('Control+z');
    await where(subtitles, BEFORE);

    // By menu: right click, then Shift+F10 on the list.
    await page.mouse.click(at(5.5), line, { button: 'right' });
    const menu = page.getByRole('menu');
    await menu.waitFor();
    await menu.getByRole('menuitem', { name: 'Duplicate' }).click();
    await where(subtitles, [...BEFORE, ['three', 6]]);
    await page.keyboard.press('Control+z');
    await where(subtitles, BEFORE);
    await page.getByRole('listbox', { name: 'Entries of the timeline' }).focus();
    await page.keyboard.press('Control+a');
    assert.equal(await options.count(), 5);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Remove and close the gap' }).press('Enter');
    await where(subtitles, BEFORE.slice(0, 2));
    await page.keyboard.press('Control+z');
    await where(subtitles, BEFORE);

    // A finger that rests and goes up opens the menu; one that rests and moves drags.
    const fingers = await Fingers.of(page);
    await fingers.drag([at(5.5), line, at(5.5), line], 'hold');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });

    // A style for all subtitles: what differs is shown as mixed, and one choice is one step.
    await page.mouse.click(x - 60, line, { button: 'right' });
    await menu.getByRole('menuitem', { name: 'Select all of the lane' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    assert.equal(await details.getByRole('heading').first().textContent(), '3 entries');
    await details.locator('summary', { hasText: 'Style' }).click();
    await details.getByLabel('Style', { exact: true }).selectOption('pill');
    const styles = ({ timeline_data }: Documents) => timeline_data.subtitles!.map(({ style }) => style ?? null);
    await where(styles, ['pill', 'pill', 'pill']);
    await page.screenshot({ path: '/tmp/edit-3.png' });
    await page.keyboard.press('Control+z');
    await where(styles, [null, null, null]);

    // Items of the board: copied by key, pasted behind the selected one, duplicated by menu.
    const rows = ({ tier_list: { rows } }: Documents) => rows.map(({ item_ids }) => item_ids);
    await page.keyboard.press('b');
    await page.getByRole('option', { name: 'Popcorn' }).click();
    await page.keyboard.press('Control+c');
    await page.getByRole('option', { name: 'Pretzel' }).click();
    await page.keyboard.press('Control+v');
    await where(rows, [['popcorn'], ['pretzel', 'popcorn-2'], ['celery']]);
    await page.getByRole('option', { name: 'Celery' }).click({ button: 'right' });
    await page.screenshot({ path: '/tmp/edit-4.png' });
    await menu.getByRole('menuitem', { name: 'Duplicate' }).click();
    await where(rows, [['popcorn'], ['pretzel', 'popcorn-2'], ['celery', 'celery-2']]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await where(rows, [['popcorn'], ['pretzel'], ['celery']]);

    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual(studio.complaints, []);
    await page.close();
  });
});
