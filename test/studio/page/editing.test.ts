import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
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
    readonly items: readonly {
      readonly id: string;
      readonly name: string;
      readonly image_focus?: object;
      readonly image_zoom?: number;
    }[];
    readonly rows: readonly { readonly id: string; readonly label: string; readonly item_ids: readonly string[] }[];
  };
  readonly timeline_data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** What of a browser is used here; the tests run without its types. */
interface PageWindow extends EventTarget {
  readonly DataTransfer: new () => {
    readonly items: { add(file: File): void };
    setData(type: string, text: string): void;
  };
  readonly File: typeof File;
  readonly DragEvent: new (type: string, options: object) => Event;
  readonly ClipboardEvent: new (type: string, options: object) => Event;
}

/** As in the first seconds of a page: later parts are fetched only when they are needed. */
async function fetchNothingAtLeisure(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(`const plain = setTimeout;
    globalThis.setTimeout = (run, ms, ...given) => (ms === 3000 ? 0 : plain(run, ms, ...given))`);
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#36c"/></svg>';

describe('editing', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;
  let clip: string;
  /** Another site, with one picture. */
  const web = createServer((request, response) => {
    const isThere = request.url === '/Blue_cheese.svg';
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/svg+xml' });
    response.end(isThere ? PICTURE : '');
  });

  before(async () => {
    [service, browser] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRIVATE_ADDRESSES: 'on' }),
      launchBrowser(),
    ]);
    web.listen(0, '127.0.0.1');
    clip = (await makeClip({ frames: 90, width: 160, height: 90 })).file;
  });
  after(async () => {
    await browser?.close();
    web.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('several entries and items are selected, copied, pasted, duplicated and removed: by mouse, finger, menus and keys', async () => {
    const studio = await StudioPage.open(browser, service.base, fetchNothingAtLeisure);
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
    const list = page.getByRole('listbox', { name: 'Entries of the timeline' });
    const options = list.getByRole('option', { selected: true });
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

    // Copied, also before the page has fetched its code for that, and pasted at the playhead in their lane and distance.
    await page.keyboard.press('Control+c');
    await page.getByText('Copied 2 entries.').waitFor({ state: 'attached' });
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
    await list.focus();
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
    await menu.getByRole('menuitem', { name: 'Select all in the lane' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    assert.equal(await details.getByRole('heading').first().textContent(), '3 entries');
    await details.locator('summary', { hasText: 'Style' }).click();
    await details.getByLabel('Based on', { exact: true }).selectOption('pill');
    const styles = ({ timeline_data }: Documents) => timeline_data.subtitles!.map(({ style }) => style ?? null);
    await where(styles, ['pill', 'pill', 'pill']);
    await page.keyboard.press('Control+z');
    await where(styles, [null, null, null]);

    // Items of the board: copied by key, pasted behind the selected one, duplicated by menu.
    const card = (name: string) => page.locator(`.tile[aria-label="${name}"]`);
    const rows = ({ tier_list: { rows } }: Documents) => rows.map(({ item_ids }) => item_ids);
    await page.keyboard.press('b');
    await card('Popcorn').click();
    await page.keyboard.press('Control+c');
    await card('Pretzel').click();
    await page.keyboard.press('Control+v');
    await where(rows, [['popcorn'], ['pretzel', 'popcorn-2'], ['celery']]);
    await card('Celery').click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Duplicate' }).click();
    await where(rows, [['popcorn'], ['pretzel', 'popcorn-2'], ['celery', 'celery-2']]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await where(rows, [['popcorn'], ['pretzel'], ['celery']]);

    // Renamed in place: Enter and Tab go on to the next card, Escape gives up.
    const names = ({ tier_list: { items } }: Documents) => items.map(({ name }) => name);
    await card('Popcorn').dblclick();
    await page.locator('.tile-name:focus').waitFor();
    await page.keyboard.type('Popped corn');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Brezel');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nothing');
    await page.keyboard.press('Escape');
    await where(names, ['Popped corn', 'Brezel', 'Celery']);
    assert.equal(await page.locator('.tile:focus').getAttribute('data-item'), 'celery');
    await page.keyboard.press('Control+z');
    await where(names, ['Popped corn', 'Pretzel', 'Celery']);
    await page.locator('.brow .lab').first().dblclick();
    await page.keyboard.type('Best');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Good');
    await page.keyboard.press('Escape');
    await where(({ tier_list: { rows } }) => rows.map(({ label }) => label), ['Best', 'A', 'F']);

    // The URL of a picture: the service fetches it, and it becomes an item; a file that is not a picture gives an error
    // text.
    const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const give = (kind: 'paste' | 'drop', type: string, text: string) =>
      page.evaluate(
        ([event, mime, value]) => {
          const view = globalThis as unknown as PageWindow;
          const data = new view.DataTransfer();
          data.setData(mime, value);
          const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
          const made = event === 'paste' ? new view.ClipboardEvent(event, options) : new view.DragEvent(event, options);
          view.dispatchEvent(made);
        },
        [kind, type, text] as const,
      );
    await give('paste', 'text/plain', `${address}/Blue_cheese.svg`);
    await where(names, ['Popped corn', 'Pretzel', 'Celery', 'Blue cheese']);
    await give('drop', 'text/uri-list', `${address}/gone.png`);
    await page.getByText(/could not be fetched.*404/).waitFor();

    // A table that is dropped: names, rows, scores and pictures, as one step.
    await page.evaluate(() => {
      const view = globalThis as unknown as PageWindow;
      const data = new view.DataTransfer();
      data.items.add(new view.File(['name,row,score,picture\nNachos,A,8,celery.svg\nRice,New,,'], 'snacks.csv'));
      view.dispatchEvent(new view.DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await where(names, ['Popped corn', 'Pretzel', 'Celery', 'Blue cheese', 'Nachos', 'Rice']);
    await where(rows, [['popcorn'], ['pretzel', 'nachos'], ['celery'], ['rice']]);
    await page.keyboard.press('Control+z');
    await where(names, ['Popped corn', 'Pretzel', 'Celery', 'Blue cheese']);

    // The focus point of a picture, by its picture and by keys; the zoom by its slider.
    const seen = ({ tier_list: { items } }: Documents) => [items[0]!.image_focus ?? null, items[0]!.image_zoom ?? null];
    await card('Popped corn').click();
    await details.locator('.focus-frame').scrollIntoViewIfNeeded();
    const frame = (await details.locator('.focus-frame').boundingBox())!;
    await page.mouse.click(frame.x + frame.width * 0.25, frame.y + frame.height * 0.5);
    await details.getByRole('button', { name: /Focus point: 25 %/ }).press('ArrowRight');
    await details.getByRole('slider', { name: 'Zoom' }).fill('2');
    await where(seen, [{ x: 26, y: 50 }, 2]);

    assert.deepEqual(await axeFaults(page), []);
    const others = studio.complaints.filter((text) => !/status of 422/.test(text));
    assert.deepEqual(others, []);
    await page.close();
  });
});
