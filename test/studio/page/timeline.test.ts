import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { composeMusic } from '../../../examples/planets/music.ts';
import { planRender } from '../../../src/plan/plan-render.ts';
import { wavFile } from '../../../src/studio/example/wav-file.ts';
import { frameRate } from '../../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { parseRequest } from '../../../src/timeline/parse/parse-request.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { ServiceFixture, SMALL_PRESETS } from '../../service/service-fixture.ts';
import { Fingers } from './fingers.ts';
import { axeFaults, becomesTrue } from './shell-page.ts';
import { type LastPlan, type ProjectOnDisk, StudioPage } from './studio-page.ts';

const SNACKS = join(import.meta.dirname, '..', '..', '..', 'examples', 'snacks');
const { tier_list } = JSON.parse(readFileSync(join(SNACKS, 'project.json'), 'utf8'));
const RATE = frameRate(30);
const JFK = join(REAL_MEDIA, 'speech', 'jfk.flac');

describe('the timeline', { skip: noBrowser }, () => {
  let service: ServiceFixture;
  let browser: Browser;
  let clip: string;
  let studio: StudioPage;

  before(async () => {
    [service, browser] = await Promise.all([ServiceFixture.start(), launchBrowser()]);
    clip = (await makeClip({ frames: 90, width: 160, height: 90, sound: { seconds: 3 } })).file;
  });
  beforeEach(async () => {
    if (studio === undefined) studio = await StudioPage.open(browser, service.base);
    else await studio.restart();
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  function project(timeline_data: object): ProjectOnDisk {
    const pictures = ['popcorn', 'pretzel', 'celery'].map((name) => [name, join(SNACKS, `${name}.svg`)]);
    return { tier_list, timeline_data, files: { clip, ...Object.fromEntries(pictures) } };
  }

  /** Where the canvas of the timeline is, and how wide a second is on it. */
  async function canvasOf(studio: StudioPage, seconds: number): Promise<{ x: number; y: number; pxPerSecond: number }> {
    await studio.page.getByRole('button', { name: 'Fit' }).click();
    const { x, y, width } = (await studio.page.locator('.tl-canvas').boundingBox())!;
    return { x, y, pxPerSecond: (width * 0.97) / seconds };
  }

  test("plans equal the server's, made from the facts that the page has", async () => {
    const sent = project({
      videos: [{ file_field: 'clip', start: 0.5, duration: 2, trim_start: 0.4, speed: 1.25 }],
      tier_blocks: [{ start: 0, duration: 6 }],
      tier_tiles: [{ tier_item_id: 'celery', position: 2 }],
      subtitles: [{ text: 'Words', start: 1, duration: 2 }],
      soundtracks: [{ file_field: 'clip', start: 0, duration: 6, loop: true, volume: 0.4, fade_out: 1 }],
    });
    await studio.openProject(sent);
    const { documents, plans } = await studio.lastPlan();
    const facts = new Map(
      (JSON.parse(JSON.stringify(plans.preset_one!.sources)) as { field: string; hash: string }[]).map(
        ({ field, hash }) => [
          field,
          field === 'clip'
            ? ({ hash, kind: 'video', duration: 3, width: 160, height: 90, alpha: false, sound: true } as const)
            : ({ hash, kind: 'drawing', duration: 0, width: 512, height: 512, alpha: true, sound: false } as const),
        ],
      ),
    );
    const uploads = new Set(['clip', 'popcorn', 'pretzel', 'celery']);
    const limits = DEFAULT_TIMELINE_LIMITS;
    const request = parseRequest(documents, { limits, presets: SMALL_PRESETS, uploads });
    for (const preset of SMALL_PRESETS) {
      const here = planRender(request, { facts, preset, limits, engineVersion: '', sha256: () => '' });
      assert.deepEqual(plans[preset.name], JSON.parse(JSON.stringify(here)));
    }
  });

  test('[R2] splits at the playhead and dragged edges are on exact frames; one gesture is one undo', async () => {
    const { page } = studio;
    const before = await studio.openProject(
      project({ videos: [{ id: 'a', file_field: 'clip', start: 0, duration: 3 }] }),
    );
    await page.keyboard.press('Shift+ArrowRight');
    for (let i = 0; i < 7; i += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('s');
    const shows = ({ plans }: LastPlan) => plans.preset_one!.clips.map(({ shows: { start, end } }) => [start, end]);
    const showing = async (...wanted: readonly (readonly [number, number])[]): Promise<LastPlan> => {
      const found = await studio.planWhere((plan) => JSON.stringify(shows(plan)) === JSON.stringify(wanted));
      assert.deepEqual(shows(found), wanted);
      return found;
    };
    const split = await showing([0, 37], [37, 90]);
    assert.equal(split.plans.preset_one!.clips[1]!.trim.start, 1_233_333);

    // The end of the second clip, by forty frames to the left, without snapping.
    await page.keyboard.press('n');
    const { x, y, pxPerSecond } = await canvasOf(studio, 3);
    const line = y + 26 + 36 + 56 + 22;
    const framePx = pxPerSecond / (RATE.num / RATE.den);
    await page.mouse.move(x + 90 * framePx - 2, line);
    await page.mouse.down();
    for (const moved of [10, 25, 40]) await page.mouse.move(x + (90 - moved) * framePx - 2, line);
    await page.mouse.up();
    await showing([0, 37], [37, 50]);
    // During a drag only the visible format is planned, afterwards all of them.
    assert.equal(Object.keys((await studio.planWhere(({ plans }) => Object.keys(plans).length === 3)).plans).length, 3);
    await page.keyboard.press('Control+z');
    await showing([0, 37], [37, 90]);
    await page.keyboard.press('Control+z');
    assert.deepEqual((await showing([0, 90])).documents, before.documents);

    // Snapped to the playhead: dragged to within eight pixels of it, the edge is on it.
    await page.keyboard.press('n');
    await page.mouse.move(x + 90 * framePx - 2, line);
    await page.mouse.down();
    await page.mouse.move(x + 60 * framePx - 2, line);
    await page.mouse.move(x + 37 * framePx + 4, line);
    await page.mouse.up();
    await showing([0, 37]);
    await page.keyboard.press('Control+z');

    // A click chooses, and holds nothing up.
    await page.mouse.click(x + 20 * framePx, line);
    await page.keyboard.press('s');
    await showing([0, 37], [37, 90]);
    await page.keyboard.press('Control+z');

    // Two fingers see more of it; one tap chooses; what is chosen is trimmed at once, with what comes after it pulled along.
    await using fingers = await Fingers.of(page);
    await page.keyboard.press('s');
    await showing([0, 37], [37, 90]);
    const zoom = page.getByRole('slider', { name: 'Zoom' });
    const wide = Number(await zoom.inputValue());
    await fingers.drag([x + 200, line + 30, x + 150, line + 30], [x + 300, line + 30, x + 350, line + 30]);
    assert.ok(Number(await zoom.inputValue()) > wide);
    await canvasOf(studio, 3);
    await page.getByRole('button', { name: 'Ripple' }).click();
    await fingers.drag([x + 20 * framePx, line, x + 20 * framePx, line]);
    await fingers.drag([x + 37 * framePx + 9, line + 12, x + 30 * framePx + 9, line + 12]);
    await showing([0, 30], [30, 83]);
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Ripple' }).click();
    // Snapped, then moved over the one before it: drawn later, it is in front, until it is dragged to the line behind.
    await fingers.drag([x + 60 * framePx, line, x + 30 * framePx, line], 'hold');
    await showing([0, 37], [7, 60]);
    const front = (await page.locator('.tl-canvas').boundingBox())!.y + 26 + 36 + 56 + 22;
    await page.mouse.move(x + 50 * framePx, front);
    await page.mouse.down();
    await page.mouse.move(x + 50 * framePx, front + 20);
    await page.mouse.move(x + 50 * framePx, front + 44);
    await page.mouse.up();
    await showing([7, 60], [0, 37]);
    assert.deepEqual(studio.complaints, []);
  });

  test('[C42] boxes on the canvas move by mouse and keys, snap to edges and centre, and apply to one format if selected', async () => {
    const { page } = studio;
    const place = { x_percent: 62, y_percent: 10, width_percent: 30, height_percent: 30 };
    await studio.openProject(
      project({ videos: [{ id: 'host', file_field: 'clip', start: 0, duration: 3, ...place }] }),
    );
    const host = async (wanted: object): Promise<void> => {
      const read = ({ documents }: LastPlan) => {
        const { id, file_field, start, duration, ...rest } = documents.timeline_data.videos![0]!;
        return rest;
      };
      const found = await studio.planWhere((plan) => JSON.stringify(read(plan)) === JSON.stringify(wanted));
      assert.deepEqual(read(found), wanted);
    };
    const frame = (await page.locator('.pv-frame').boundingBox())!;
    const at = (x: number, y: number) =>
      [frame.x + (frame.width * x) / 100, frame.y + (frame.height * y) / 100] as const;
    await page.mouse.click(...at(77, 25));
    const box = page.getByRole('group', { name: 'Position of' });
    await box.waitFor();
    await page.mouse.move(...at(77, 25));
    await page.mouse.down();
    await page.mouse.move(...at(70, 26));
    await page.mouse.move(...at(65.5, 29));
    await page.locator('.bx-guides .across').waitFor();
    await page.mouse.up();
    await host({ ...place, x_percent: 50, y_percent: 14 });
    assert.equal(await page.getByLabel('Left', { exact: true }).first().inputValue(), '50');
    await page.keyboard.press('Control+z');
    await host(place);

    // Keys: a step each, a larger one with Shift; the corner is for the size.
    await box.getByRole('button', { name: 'Move' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    const moved = { x_percent: 61, y_percent: 15, width_percent: 31, height_percent: 30 };
    await host(moved);
    assert.equal(
      await box.getByRole('status').textContent(),
      '61 % from the left, 15 % from the top, 31 % wide, 30 % high',
    );
    assert.deepEqual(await axeFaults(page), []);

    // In another format it applies only there, and says so; reset, it is as in the others.
    await page.getByRole('button', { name: 'Portrait' }).click();
    const common = page.getByRole('radio', { name: 'All formats' });
    assert.equal(await common.getAttribute('aria-checked'), 'true');
    await page.getByRole('group', { name: 'in portrait' }).getByRole('button', { name: 'Move' }).press('ArrowUp');
    await host({ ...moved, presets: { portrait: { ...moved, y_percent: 14 } } });
    await box.getByText('Portrait only', { exact: true }).waitFor();
    await common.click();
    await host(moved);

    // Fingers: the box, and its corner.
    await page.getByRole('button', { name: 'Landscape' }).click();
    await page.getByRole('group', { name: 'in landscape' }).waitFor();
    await page.keyboard.press('n');
    await using fingers = await Fingers.of(page);
    const touched = async (wanted: Readonly<Record<string, number>>): Promise<void> => {
      const clip = ({ documents }: LastPlan) => documents.timeline_data.videos![0]!;
      const far = (plan: LastPlan) =>
        Object.entries(wanted).filter(([name, value]) => !(Math.abs(Number(clip(plan)[name] ?? 0) - value) <= 0.5));
      assert.deepEqual(far(await studio.planWhere((plan) => far(plan).length === 0)), []);
    };
    await fingers.drag([...at(75, 30), ...at(55, 40)]);
    await touched({ x_percent: 41, y_percent: 25, width_percent: 31, height_percent: 30 });
    await fingers.drag([...at(72, 55), ...at(87.5, 70)]);
    await touched({ x_percent: 41, y_percent: 25, width_percent: 46.5, height_percent: 45 });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await host(moved);
    assert.deepEqual(studio.complaints, []);
  });

  test('fades and volume are dragged by their handles, with a mouse and with a finger', async () => {
    const { page } = studio;
    await studio.openProject(project({ videos: [{ id: 'a', file_field: 'clip', start: 0, duration: 3 }] }));
    const sound = async (...wanted: readonly (number | undefined)[]): Promise<void> => {
      const read = ({ documents }: LastPlan) => {
        const { fade_in, fade_out, volume } = documents.timeline_data.videos![0]!;
        return [fade_in, fade_out, volume];
      };
      const found = await studio.planWhere((plan) => JSON.stringify(read(plan)) === JSON.stringify(wanted));
      assert.deepEqual(read(found), wanted);
    };
    const { x, y, pxPerSecond } = await canvasOf(studio, 3);
    const box = { top: y + 26 + 36 + 56 + 3, height: 38 };
    const level = (gain: number) => box.top + box.height - (2 / 3) * gain * box.height;
    const drag = async (fromX: number, fromY: number, toX: number, toY: number): Promise<void> => {
      await page.mouse.move(fromX, fromY);
      await page.mouse.down();
      await page.mouse.move((fromX + toX) / 2, (fromY + toY) / 2);
      await page.mouse.move(toX, toY);
      await page.mouse.up();
    };
    await page.mouse.click(x + pxPerSecond, box.top + box.height / 2);
    await drag(x + 1, box.top + 3, x + 0.5 * pxPerSecond, box.top + 3);
    await sound(0.5, undefined, undefined);
    await drag(x + 3 * pxPerSecond - 1, box.top + 3, x + 2.25 * pxPerSecond, box.top + 3);
    await sound(0.5, 0.75, undefined);
    await drag(x + pxPerSecond, level(1), x + pxPerSecond, level(0.5));
    await sound(0.5, 0.75, 0.5);
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
    await sound(undefined, undefined, undefined);
    // Sideways on the line of the level: the clip moves.
    await drag(x + pxPerSecond, level(1), x + 2 * pxPerSecond, level(1) - 6);
    const start = ({ documents }: LastPlan) => documents.timeline_data.videos![0]!.start;
    assert.equal(start(await studio.planWhere((plan) => start(plan) === 1)), 1);
    await sound(undefined, undefined, undefined);
    await page.keyboard.press('Control+z');
    await studio.planWhere((plan) => start(plan) === 0);

    await using fingers = await Fingers.of(page);
    await fingers.drag([x + 4, box.top + 6, x + pxPerSecond, box.top + 6]);
    await sound(1, undefined, undefined);
    await fingers.drag([x + 3 * pxPerSecond - 4, box.top + 6, x + 2.5 * pxPerSecond, box.top + 6]);
    await sound(1, 0.5, undefined);
    const middle = x + 1.75 * pxPerSecond;
    await fingers.drag([middle, level(1), middle, level(0.25)], 'hold');
    await sound(1, 0.5, 0.25);
    // A swipe over the heads of the lanes scrolls nothing, and the page stays.
    await fingers.drag([x - 60, box.top + 6, x + pxPerSecond, box.top + 6]);
    await page.keyboard.press('Control+z');
    await sound(1, 0.5, undefined);
    assert.deepEqual(studio.complaints, []);
  });

  test('[C80] volume points are added with Alt or the pen, dragged, moved by keys and removed; one undo each', async () => {
    const { page } = studio;
    await studio.openProject(project({ videos: [{ id: 'a', file_field: 'clip', start: 0, duration: 3 }] }));
    type Points = readonly { readonly at: number; readonly volume: number }[];
    const read = ({ documents }: LastPlan) => (documents.timeline_data.videos![0]!.volume_points ?? []) as Points;
    /** Points as seconds and decibels, both rounded as a person would say them. */
    const said = (points: Points) => points.map(({ at, volume }) => [at, Math.round(20 * Math.log10(volume))]);
    const points = async (...wanted: readonly (readonly [number, number])[]): Promise<LastPlan> => {
      const found = await studio.planWhere((plan) => JSON.stringify(said(read(plan))) === JSON.stringify(wanted));
      assert.deepEqual(said(read(found)), wanted);
      return found;
    };
    const { x, y, pxPerSecond } = await canvasOf(studio, 3);
    const box = { top: y + 26 + 36 + 56 + 3, height: 38 };
    const level = (db: number) => box.top + box.height - (2 / 3) * 10 ** (db / 20) * box.height;
    await page.keyboard.down('Alt');
    await page.mouse.click(x + pxPerSecond, level(0));
    await page.keyboard.up('Alt');
    await points([1, 0]);
    await page.getByRole('button', { name: 'Volume pen' }).click();
    await page.mouse.click(x + 2 * pxPerSecond, level(-6));
    // The plan has the level between both, halfway in decibels.
    const { plans } = await points([1, 0], [2, -6]);
    const [heard] = plans.preset_one!.audio.clips;
    assert.deepEqual(
      heard!.volumePoints.map((point) => point.at),
      [48_000, 96_000],
    );

    // The one that was added has the focus, and says where it is.
    const second = page.getByRole('slider', { name: 'Volume point 2' });
    await page.locator('[data-point="1"]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await points([1, 0], [2, -5]);
    assert.equal(await second.getAttribute('aria-valuetext'), '−5 dB at 2 s');
    await page.keyboard.press('Shift+ArrowDown');
    await points([1, 0], [2, -11]);
    await page.keyboard.press('Shift+ArrowLeft');
    // Never past the point before it: a frame behind that.
    await points([1, 0], [1.033333, -11]);
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
    await points([1, 0], [2, -6]);

    // Dragged: one step, in time and level.
    const handle = (await second.boundingBox())!;
    const middle = { x: handle.x + handle.width / 2, y: handle.y + handle.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x + 20, middle.y + 4);
    await page.mouse.move(middle.x + 0.5 * pxPerSecond, middle.y + level(-12) - level(-6));
    await page.mouse.up();
    await points([1, 0], [2.5, -12]);
    await page.keyboard.press('Control+z');
    await points([1, 0], [2, -6]);

    // Sideways on the bar, the clip moves and its points with it.
    await page.getByRole('button', { name: 'Volume pen' }).click();
    await page.mouse.move(x + 0.5 * pxPerSecond, level(0));
    await page.mouse.down();
    await page.mouse.move(x + 1.5 * pxPerSecond, level(0) - 6);
    await page.mouse.up();
    const moved = await studio.planWhere(({ documents }) => documents.timeline_data.videos![0]!.start === 1);
    assert.equal(moved.documents.timeline_data.videos![0]!.volume, undefined);
    assert.deepEqual(said(read(moved)), [
      [1, 0],
      [2, -6],
    ]);
    await page.keyboard.press('Control+z');

    await page.getByText('Volume over time').click();
    const typed = page.getByLabel('Point 2: volume');
    await typed.fill('0.25');
    await typed.press('Tab');
    await points([1, 0], [2, -12]);
    assert.deepEqual(await axeFaults(page), []);
    await second.focus();
    await page.keyboard.press('Delete');
    await points([1, 0]);
    await page.getByRole('slider', { name: 'Volume point 1' }).dblclick();
    await points();
    assert.deepEqual(studio.complaints, []);
  });

  test('[C55, R26] the verdict of a spotlight is moved by its handle: pointer, finger and keys, one undo each', async () => {
    const { page } = studio;
    const tier_tiles = [
      { id: 'r', tier_item_id: 'celery', position: 2 },
      { id: 'm', tier_item_id: 'pretzel', position: 9, to_row: 's', reveal: 'spotlight', stamp_at: 12 },
      { id: 'p', tier_item_id: 'popcorn', position: 14, reveal: 'pop' },
    ];
    await studio.openProject({
      ...project({ tier_blocks: [{ start: 0, duration: 20 }], tier_tiles }),
      settings: { reveal: 'spotlight', fps: 30 },
    });
    const asked = ({ documents: { timeline_data } }: LastPlan) =>
      timeline_data.tier_tiles!.map(({ hold, stamp_at }) => hold ?? stamp_at);
    const asks = async (...wanted: readonly (number | undefined)[]): Promise<void> => {
      const found = await studio.planWhere((plan) => JSON.stringify(asked(plan)) === JSON.stringify(wanted));
      assert.deepEqual(asked(found), wanted);
    };
    const { x, y, pxPerSecond } = await canvasOf(studio, 20);
    const line = y + 26 + 36 + 28;
    const slider = page.getByRole('slider', { name: /^Verdict of/ });
    await page.mouse.click(x + 2 * pxPerSecond + 30, line - 8);
    assert.equal(await slider.getAttribute('aria-valuetext'), 'Verdict at 3.27 s, card held up for 0.9 s');
    const middleOf = async () => {
      const box = (await slider.boundingBox())!;
      return [box.x + box.width / 2, box.y + box.height / 2] as const;
    };
    const [handleX, handleY] = await middleOf();
    assert.ok(Math.abs(handleX - (x + (98 / 30) * pxPerSecond)) < 1, 'the handle stands at the verdict');
    await page.mouse.move(handleX, handleY);
    await page.mouse.down();
    await page.mouse.move(handleX + pxPerSecond, handleY, { steps: 3 });
    await page.mouse.move(x + 5 * pxPerSecond + 2, handleY, { steps: 3 });
    await page.mouse.up();
    // Snapped to a whole second.
    await asks(2.65, 12, undefined);
    assert.equal(await slider.getAttribute('aria-valuetext'), 'Verdict at 5 s, card held up for 2.63 s');
    await page.keyboard.press('Control+z');
    await asks(undefined, 12, undefined);

    // By keys, from the list of entries on.
    const list = page.getByRole('listbox', { name: 'Entries of the timeline' });
    await list.focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(`document.activeElement.getAttribute('role')`), 'slider');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await asks(1.95, 12, undefined);
    assert.match((await slider.getAttribute('aria-valuetext'))!, /^Verdict at 4.3 s, card held up for 1.93 s$/);
    await page.keyboard.press('Control+z');
    await asks(0.95, 12, undefined);
    await page.keyboard.press('Control+z');
    await asks(undefined, 12, undefined);

    // A move that starts as a spotlight, with its own verdict; its details have fields for both.
    await page.mouse.click(x + 9 * pxPerSecond + 30, line - 8);
    assert.equal(await slider.getAttribute('aria-label'), 'Verdict of Pretzel');
    await using fingers = await Fingers.of(page);
    const [moveX, moveY] = await middleOf();
    await fingers.drag([moveX, moveY, moveX + 1.01 * pxPerSecond, moveY]);
    await asks(undefined, 13, undefined);
    const details = page.locator('.insp');
    await details.getByText('Verdict at 13 s, card held up for 3.63 s.').waitFor();
    await details.getByLabel('Verdict at').fill('11.5');
    await details.getByLabel('Verdict at').press('Enter');
    await asks(undefined, 11.5, undefined);
    // What is in the details follows the playhead, and the steps go from reveal to reveal.
    await page.mouse.click(x + 13 * pxPerSecond, y + 10);
    await details.getByRole('button', { name: 'Move the verdict to the playhead' }).click();
    await asks(undefined, 13, undefined);
    await page.keyboard.press('Control+z');
    await details.getByText('Reveal 2 of 3').waitFor();
    await details.getByRole('button', { name: 'Next reveal' }).click();
    await details.getByText('Reveal 3 of 3').waitFor();
    await details.getByRole('button', { name: 'Previous reveal' }).click();
    await details.getByRole('group', { name: 'Row' }).getByRole('button', { name: 'F', exact: true }).click();
    const moved = await studio.planWhere(
      ({ documents: { timeline_data } }) => timeline_data.tier_tiles![1]!.to_row === 'f',
    );
    assert.equal(moved.documents.timeline_data.tier_tiles![1]!.to_row, 'f');
    await page.keyboard.press('Control+z');
    // Shortening by the plan is reported: here the next spotlight comes too early for the first one's hold.
    await page.mouse.click(x + 2 * pxPerSecond + 30, line - 8);
    await details.getByLabel('Appears at').fill('7.7');
    await details.getByLabel('Appears at').press('Enter');
    await details.getByText('less than set, because the next card is too close.').waitFor();
    assert.match((await slider.getAttribute('aria-valuetext'))!, /less than set/);
    // A pop has no verdict to move, and who was at the handle is led back to the list.
    await slider.focus();
    await page.keyboard.press('Delete');
    await studio.planWhere(({ documents: { timeline_data } }) => timeline_data.tier_tiles!.length === 2);
    await page.locator('.tl-list:focus').waitFor({ state: 'attached' });
    await page.mouse.click(x + 14 * pxPerSecond + 30, line - 8);
    await details.getByText('Reveal', { exact: true }).first().waitFor();
    assert.equal(await slider.count(), 0);
    assert.equal(await details.getByLabel('Verdict at').count(), 0);
    assert.deepEqual(studio.complaints, []);
  });

  test('[C58] a transition is chosen at its cut, and its length dragged, typed and set by keys', async () => {
    const { page } = studio;
    const videos = [0, 3].map((start, index) => ({ id: `${index}`, file_field: 'clip', start, duration: 3 }));
    await studio.openProject(project({ videos }));
    const read = ({ documents }: LastPlan) => documents.timeline_data.videos![1]!.transition;
    const transition = async (wanted: object | undefined): Promise<void> => {
      const found = await studio.planWhere((plan) => JSON.stringify(read(plan)) === JSON.stringify(wanted));
      assert.deepEqual(read(found), wanted);
    };
    const { pxPerSecond } = await canvasOf(studio, 6);
    await page.getByRole('button', { name: 'Transition at 0:03.00: none' }).click();
    await page.getByRole('button', { name: 'Wipe', exact: true }).click();
    await transition({ kind: 'wipe' });
    const mark = page.getByRole('button', { name: /^Transition at 0:03\.00: Wipe/ });
    await mark.focus();
    await page.keyboard.press('ArrowRight');
    await transition({ kind: 'wipe', duration: 0.6 });
    const { x, y, width, height } = (await page.locator('.tl-cut').boundingBox())!;
    await page.mouse.move(x + width - 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width + 10, y + height / 2);
    await page.mouse.move(x + width - 3 + 0.2 * pxPerSecond, y + height / 2);
    await page.mouse.up();
    await transition({ kind: 'wipe', duration: 1 });
    await page.keyboard.press('Control+z');
    await transition({ kind: 'wipe', duration: 0.6 });
    await mark.click();
    await page.locator('.tl-cut-length').getByLabel('Duration').last().fill('0.8');
    await page.keyboard.press('Tab');
    await transition({ kind: 'wipe', duration: 0.8 });
    await page.keyboard.press('Escape');
    assert.deepEqual(await axeFaults(page), []);
    await mark.focus();
    await page.keyboard.press('Delete');
    await transition(undefined);
    assert.deepEqual(studio.complaints, []);
  });

  test('[C78] pauses of recorded speech are shown on its bar, kept one by one, and cut in one step with all that follows', {
    skip: existsSync(JFK) ? false : 'no recorded speech in the folder of real media',
  }, async () => {
    const { page } = studio;
    const before = {
      soundtracks: [{ id: 'v', file_field: 'talk', role: 'voice', start: 0, duration: 11 }],
      tier_blocks: [{ id: 'b', start: 0, duration: 11 }],
      tier_tiles: [{ id: 'r', tier_item_id: 'celery', position: 10, reveal: 'spotlight', stamp_at: 10.5 }],
    };
    const opened = project(before);
    await studio.openProject({ ...opened, files: { ...opened.files, talk: JFK }, settings: { fps: 30 } });
    const { x, y, pxPerSecond } = await canvasOf(studio, 11);
    await page.mouse.click(x + pxPerSecond, y + 26 + 36 + 56 + 44 + 10);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/video\/(?:pauses|media)/.test(request.url())) asked.push(request.url());
    });
    await page.getByRole('button', { name: 'Remove pauses …' }).click();
    const panel = page.getByRole('complementary', { name: 'Remove pauses' });
    const marks = page.getByRole('group', { name: 'Pauses' }).getByRole('button');
    await marks.first().waitFor();
    const all = await marks.count();
    assert.ok(all >= 4, `${all} pauses`);
    // The browser has found them itself, where the service finds them.
    assert.deepEqual(asked, [], 'nothing is sent');
    const form = new FormData();
    form.set('media', new Blob([readFileSync(JFK)]), 'jfk.flac');
    const reply = await fetch(`${service.base}/video/pauses`, { method: 'POST', body: form });
    const { pauses } = (await reply.json()) as { pauses: readonly { start: number; end: number }[] };
    assert.equal(pauses.length, all);
    const lengths = await panel.locator('.pauses-list b').allTextContents();
    for (const [i, { start, end }] of pauses.entries()) {
      assert.ok(Math.abs(Number.parseFloat(lengths[i]!) - (end - start)) < 0.12, `${lengths[i]} of ${end - start} s`);
    }
    // With a longer minimum there are fewer pauses.
    await panel.getByLabel('Shortest pause').fill('0.8');
    await panel.getByText(/^[1-3] found in jfk.flac/).waitFor();
    await panel.getByLabel('Shortest pause').fill('0.4');
    await panel.getByText(`${all} of ${all} are removed`).waitFor();
    // All are kept, and cut again; one is kept by its mark, and shown so in the list.
    await panel.getByRole('button', { name: 'Keep all' }).click();
    await panel.getByText(`0 of ${all} are removed`).waitFor();
    assert.ok(await panel.getByRole('button', { name: 'Nothing to remove' }).isDisabled());
    await panel.getByRole('button', { name: 'Remove all' }).click();
    await marks.first().click();
    assert.equal(await marks.first().getAttribute('aria-pressed'), 'false');
    assert.equal(await panel.getByRole('switch').first().isChecked(), false);
    // By keys: Tab goes from mark to mark, X keeps or removes, also on a switch.
    await page.keyboard.press('Tab');
    await page.keyboard.press('x');
    assert.equal(await marks.nth(1).getAttribute('aria-pressed'), 'false');
    await panel.getByRole('switch').nth(1).focus();
    await page.keyboard.press('x');
    assert.equal(await marks.nth(1).getAttribute('aria-pressed'), 'true');
    // Only the line of the speech and the reveals are there, and the speech is tall.
    assert.equal(await page.locator('.tl-head').count(), 2);
    assert.ok((await marks.first().boundingBox())!.height > 100);
    // What is heard leaps over a cut.
    await panel.getByRole('button', { name: 'Listen to' }).nth(1).click();
    await panel.getByRole('button', { name: 'Stop' }).waitFor();
    const [, second] = pauses;
    const clock = `document.querySelector('.tl-clock time').firstChild.textContent.trim().split(':')[1]`;
    await becomesTrue(page, `Promise.resolve(Number(${clock}) >= ${second!.end})`);
    await panel.getByRole('button', { name: 'Stop' }).click();
    assert.deepEqual(await axeFaults(page), []);
    await panel.getByRole('button', { name: /^Remove, [\d.]+ s shorter$/ }).click();

    const parts = ({ documents }: LastPlan) => documents.timeline_data.soundtracks!;
    const cut = await studio.planWhere((plan) => parts(plan).length > 1);
    const clips = parts(cut) as unknown as readonly { start: number; duration: number; trim_start?: number }[];
    for (const [i, part] of clips.entries()) {
      const end = clips[i - 1] === undefined ? 0 : clips[i - 1]!.start + clips[i - 1]!.duration;
      assert.ok(Math.abs(part.start - end) < 1e-5, 'one behind the other');
    }
    const [block] = cut.documents.timeline_data.tier_blocks! as unknown as readonly { duration: number }[];
    const last = clips.at(-1)!;
    assert.ok(Math.abs(block!.duration - (last.start + last.duration)) < 1e-5 && block!.duration < 10.5);
    // What was said at the reveal is still said there.
    const [tile] = cut.documents.timeline_data.tier_tiles! as unknown as readonly {
      position: number;
      stamp_at: number;
    }[];
    const saidAt = (second: number) => {
      const part = clips.findLast(({ start }) => start <= second + 1e-6)!;
      return (part.trim_start ?? 0) + second - part.start;
    };
    assert.ok(Math.abs(saidAt(tile!.position) - 10) < 0.034, `${saidAt(tile!.position)} s`);
    assert.ok(Math.abs(saidAt(tile!.stamp_at) - 10.5) < 0.034);
    await panel.waitFor({ state: 'detached' });
    // The length on the screen is that of the video now.
    const shown = Math.floor(last.start + last.duration);
    await page.locator('.tl-clock small', { hasText: `/ 0:${String(shown).padStart(2, '0')}` }).waitFor();
    await page.keyboard.press('Control+z');
    const undone = await studio.planWhere((plan) => parts(plan).length === 1);
    assert.deepEqual(undone.documents.timeline_data.tier_tiles, before.tier_tiles);
    // The service is asked whether it has the file, and does not have it.
    const others = studio.complaints.filter((text) => !/status of 404/.test(text));
    assert.deepEqual(others, []);
  });

  test('[C78] a sound that this browser does not hear is sent only if the user says so, and what did not load is named', async () => {
    const { page } = studio;
    const soundtracks = [{ id: 'v', file_field: 'clip', role: 'voice', start: 0, duration: 3 }];
    const tier_tiles = [{ id: 'r', tier_item_id: 'celery', position: 1 }];
    await studio.openProject(project({ soundtracks, tier_tiles, tier_blocks: [{ id: 'b', start: 0, duration: 3 }] }));
    const sent: string[] = [];
    page.on('request', (request) => sent.push(...(/\/(?:media|video\/pauses)\b.*/.exec(request.url()) ?? [])));
    const panel = page.getByRole('complementary', { name: 'Remove pauses' });
    const ask = panel.getByRole('button', { name: /^Send to .+ and look there$/ });
    const { x, y, pxPerSecond } = await canvasOf(studio, 3);
    await page.mouse.click(x + pxPerSecond, y + 26 + 36 + 56 + 44 + 10);
    const review = page.getByRole('button', { name: 'Remove pauses …' });

    const weights = /silero-vad.*\.bin/;
    await page.route(weights, (route) => route.fulfill({ status: 404 }));
    await review.click();
    await panel.getByText('a part of this page did not load').waitFor();
    await ask.waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await page.unroute(weights);

    const program = /speech-worker-.*\.js/;
    await page.route(program, async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: `delete globalThis.AudioDecoder;${await reply.text()}` });
    });
    await review.click();
    await panel.getByText('This browser cannot decode the sound of').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual([...sent], [], 'nothing is sent');
    await ask.click();
    await panel.getByText('has no speech').waitFor();
    assert.equal(await ask.count(), 0);
    assert.equal(sent.filter((path) => path.endsWith('/video/pauses')).length, 1);
    await page.unroute(program);
  });

  test('[C57] recorded speech and music dropped together: a Voice and a Music line, and the video is as long as it was', {
    skip: existsSync(JFK) ? false : 'no recorded speech in the folder of real media',
  }, async () => {
    const { page } = studio;
    await studio.openProject(project({ tier_blocks: [{ id: 'b', start: 0, duration: 12 }] }));
    const song = wavFile(composeMusic(16));
    const transfer = await page.evaluateHandle(
      TRANSFER(['song.wav', Buffer.from(await song.arrayBuffer())], ['talk.flac', readFileSync(JFK)]),
    );
    await page.locator('.app').dispatchEvent('drop', { dataTransfer: transfer });
    const sounds = ({ documents: { timeline_data } }: LastPlan) =>
      timeline_data.soundtracks!.map(({ file_field, role, start, duration }) => [file_field, role, start, duration]);
    const found = await studio.planWhere((plan) => sounds(plan).length === 2);
    assert.deepEqual(sounds(found), [
      ['talk', 'voice', 0, 11],
      ['song', 'music', 0, 12],
    ]);
    assert.equal(found.plans.preset_one!.totalFrames, 360);
    assert.deepEqual(await page.locator('.tl-head span').allTextContents(), [
      ...['Board', 'Reveals', 'Clips', 'Voice', 'Music'],
    ]);
    // How loud it is while it plays.
    await page.keyboard.press('Space');
    const meter = page.getByRole('meter', { name: 'Loudness' });
    await meter.getByText(/^−\d+\.\d LUFS$/).waitFor();
    await page.keyboard.press('Space');
    await meter.waitFor({ state: 'detached' });
    // One click away.
    const { x, y, pxPerSecond } = await canvasOf(studio, 12);
    await page.mouse.click(x + 5 * pxPerSecond, y + 26 + 36 + 56 + 44 + 18);
    await page.getByRole('radio', { name: 'Music' }).click();
    const roles = (plan: LastPlan) => sounds(plan).map(([, role]) => role);
    assert.deepEqual(roles(await studio.planWhere((plan) => roles(plan)[0] === 'music')), ['music', 'music']);
    assert.deepEqual(studio.complaints, []);
  });

  test('[C17] lanes are muted, solo and locked at their heads, in the plan too; each is one undo', async () => {
    const { page } = studio;
    await studio.openProject(
      project({
        videos: [{ id: 'a', file_field: 'clip', start: 0, duration: 2 }],
        soundtracks: [{ id: 'm', file_field: 'clip', start: 0, duration: 3, role: 'music', volume: 0.5 }],
      }),
    );
    const volumes = ({ documents: { timeline_data } }: LastPlan) =>
      [timeline_data.videos![0]!, timeline_data.soundtracks![0]!].map(({ volume }) => volume);
    const heard = async (...wanted: readonly (number | undefined)[]): Promise<LastPlan> => {
      const found = await studio.planWhere((plan) => JSON.stringify(volumes(plan)) === JSON.stringify(wanted));
      assert.deepEqual(volumes(found), wanted);
      return found;
    };
    const head = (name: string) => page.locator('.tl-head').getByRole('button', { name, exact: true });
    await head('Mute clips').click();
    assert.equal((await heard(0, 0.5)).plans.preset_one!.totalFrames, 90);
    await page.keyboard.press('Control+z');
    await heard(undefined, 0.5);
    await head('Solo clips').click();
    await heard(undefined, 0);
    await head('Solo clips').click();
    await heard(undefined, 0.5);
    await head('Lock clips').click();
    const { x, y, pxPerSecond } = await canvasOf(studio, 3);
    const line = y + 26 + 36 + 56 + 12;
    const drag = async (): Promise<void> => {
      await page.mouse.move(x + pxPerSecond, line);
      await page.mouse.down();
      await page.mouse.move(x + 1.5 * pxPerSecond, line, { steps: 3 });
      await page.mouse.move(x + 2 * pxPerSecond, line, { steps: 3 });
      await page.mouse.up();
    };
    const start = ({ documents }: LastPlan) => documents.timeline_data.videos![0]?.start;
    await drag();
    await page.keyboard.press('Delete');
    await page.getByText('Locked entries do not change').waitFor();
    assert.equal(start(await studio.lastPlan()), 0);
    await page.mouse.click(x + pxPerSecond, line);
    await page.locator('.insp').getByText('This lane is locked').waitFor();
    assert.equal(await page.locator('.insp').getByLabel('Starts at').isDisabled(), true);
    assert.deepEqual(await axeFaults(page), []);
    await head('Lock clips').click();
    await drag();
    assert.equal(start(await studio.planWhere((plan) => start(plan) === 1)), 1);
    assert.deepEqual(studio.complaints, []);
  });

  test('files move from the media panel, and from outside, to a time in a lane: by mouse, touch and a key', async () => {
    const { page } = studio;
    await studio.openProject(project({ tier_blocks: [{ id: 'b', start: 0, duration: 10 }] }));
    const starts = async (lane: string, ...wanted: readonly number[]): Promise<void> => {
      const read = ({ documents: { timeline_data } }: LastPlan) =>
        timeline_data[lane]!.map(({ start, position }) => Number(start ?? position));
      const found = await studio.planWhere((plan) => JSON.stringify(read(plan)) === JSON.stringify(wanted));
      assert.deepEqual(read(found), wanted);
    };
    const { x, y, pxPerSecond } = await canvasOf(studio, 10);
    const clips = y + 26 + 36 + 56 + 22;
    const file = (await page.locator('[data-media=clip]').boundingBox())!;
    const [fromX, fromY] = [file.x + 40, file.y + 15];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + 20, fromY);
    await page.mouse.move(x + 2 * pxPerSecond + 3, clips, { steps: 3 });
    await starts('videos', 2);
    // Outside the timeline the drag adds no entry.
    await page.mouse.move(fromX + 400, fromY, { steps: 2 });
    await starts('videos');
    await page.mouse.move(x + 5 * pxPerSecond - 3, clips, { steps: 2 });
    await page.mouse.up();
    await starts('videos', 5);
    await page.keyboard.press('Control+z');
    await starts('videos');

    await using fingers = await Fingers.of(page);
    await fingers.drag([fromX, fromY, x + 3 * pxPerSecond, clips], 'hold');
    await starts('videos', 3);
    await page.locator('[data-media=clip]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('i');
    await starts('videos', 3, 0);

    // From outside: words and a picture, each at its time.
    const drop = async (name: string, bytes: Buffer, seconds: number) => {
      const dataTransfer = await page.evaluateHandle(TRANSFER([name, bytes]));
      const top = (await page.locator('.tl-canvas').boundingBox())!.y;
      const clientY = top + 26 + 36 + 56 + 22;
      await page
        .locator('.tl-canvas')
        .dispatchEvent('drop', { dataTransfer, clientX: x + seconds * pxPerSecond, clientY });
    };
    const srt = '1\n00:00:01,000 --> 00:00:02,500\nHello\n';
    await drop('words.srt', Buffer.from(srt), 4);
    await starts('subtitles', 5);
    await drop('dot.png', Buffer.from(DOT, 'base64'), 8);
    await starts('videos', 3, 0, 8);
    assert.deepEqual(studio.complaints, []);
  });

  test('two hours with four thousand entries: entries out of view are not drawn, and a moving playhead draws nothing', async () => {
    const { page } = studio;
    // No clips: their small pictures come when they are ready, and are drawn then.
    const tier_blocks = Array.from({ length: 2000 }, (_, i) => ({ start: i * 3.6, duration: 3 }));
    const subtitles = Array.from({ length: 2000 }, (_, i) => ({ text: `Line ${i}`, start: i * 3.6, duration: 3 }));
    const items = Array.from({ length: 300 }, (_, i) => ({ id: `more_${i}`, name: `More ${i}` }));
    const { files, ...plain } = project({ tier_blocks, subtitles });
    const large = {
      ...plain,
      tier_list: { ...tier_list, items: [...tier_list.items, ...items] },
      // Enough files for a search field, which identifies the bin.
      files: { ...files, ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`more_${i}`, files.celery!])) },
    };
    await studio.openProject(large);
    await studio.lastPlan();
    await page.evaluate(COUNT_SHAPES);
    const counted = async (act: () => Promise<unknown>): Promise<number> => {
      await page.evaluate('globalThis.shapes = 0');
      await act();
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))');
      return page.evaluate('globalThis.shapes');
    };
    for (let i = 0; i < 12; i += 1) await page.keyboard.press('+');
    const near = await counted(() => page.keyboard.press('+'));
    assert.ok(near > 0 && near < 400, `${near} shapes for what is in sight`);
    assert.equal(await counted(() => page.keyboard.press('ArrowRight')), 0);
    // The list beside the canvas holds what is around the one the keyboard is at, and says how many there are.
    assert.ok((await page.locator('.tl-list').getByRole('option').count()) <= 31);
    assert.equal(await page.locator('.tl-list').getByRole('option').first().getAttribute('aria-setsize'), '4000');
    const far = await counted(() => page.keyboard.press('Shift+Z'));
    assert.ok(far > 0 && far < 400, `${far} shapes for all of it`);
    // Changes that come faster than plans are made are not all planned; nothing is touched that they do not change.
    const orders = studio.orders;
    await page.locator('.bin').getByLabel('Find media').waitFor();
    await page.evaluate(COUNT_CHANGES);
    await page.getByRole('listbox', { name: 'Entries of the timeline' }).focus();
    await page.keyboard.press('Enter');
    // A held key repeats by itself, however slow the protocol is.
    await page.keyboard.down('Alt');
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.down('ArrowRight')));
    await page.keyboard.up('ArrowRight');
    await page.keyboard.up('Alt');
    const { documents } = await studio.planWhere(
      ({ documents: { timeline_data } }) => timeline_data.tier_blocks![0]!.start === 0.666667,
    );
    assert.ok(studio.orders - orders < 20, `${studio.orders - orders} plans for twenty changes`);
    assert.equal(documents.timeline_data.tier_blocks![0]!.start, 0.666667);
    await page
      .locator('.saved', { hasText: /^Saved$/ })
      .first()
      .waitFor();
    assert.deepEqual(await page.evaluate('globalThis.changes'), { board: 0, bin: 0, saves: 0 });
    // As a size container, it would restyle all its cards whenever one moves.
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.board')).containerType`), 'normal');
  });

  test('of frames that are asked for together the last is drawn, and a drag plans what is drawn', async () => {
    const { page } = studio;
    await studio.openProject(project({ tier_blocks: [{ start: 0, duration: 6 }] }));
    await studio.lastPlan();
    await studio.seesFrame(0);
    await page.evaluate(WATCH_DRAWING);
    await page.evaluate(`(() => {
      const key = { key: 'ArrowRight', bubbles: true, cancelable: true };
      for (let i = 0; i < 40; i += 1) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));
    })()`);
    await studio.seesFrame(40);
    const { asked, shown } = (await page.evaluate('drawing')) as { asked: number; shown: number };
    assert.equal(asked, 40);
    assert.ok(shown < 20, `${shown} of 40 frames are drawn`);

    const { x, y, pxPerSecond } = await canvasOf(studio, 6);
    const startOf = ({ documents }: LastPlan) => documents.timeline_data.tier_blocks![0]!.start as number;
    const to = (seconds: number) => page.mouse.move(x + seconds * pxPerSecond, y + 44);
    await page.evaluate('drawing.isHeld = true');
    const before = studio.orders;
    await to(3);
    await page.mouse.down();
    await to(3.5);
    const first = startOf(await studio.planWhere((plan) => startOf(plan) > 0));
    for (const seconds of [3.8, 4.1, 4.4, 4.7, 5]) await to(seconds);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))');
    assert.equal(studio.orders - before, 1);
    await page.evaluate('drawing.release()');
    const last = await studio.planWhere((plan) => startOf(plan) > first);
    assert.ok(startOf(last) > first + 1, `${startOf(last)} s`);
    await page.mouse.up();
    assert.deepEqual(studio.complaints, []);
  });

  test('by keyboard alone: entries are named, selected, moved and removed', async () => {
    const { page } = studio;
    await studio.openProject(
      project({
        tier_blocks: [{ start: 0, duration: 6 }],
        tier_tiles: [{ tier_item_id: 'celery', position: 2 }],
        videos: [{ file_field: 'clip', start: 0, duration: 2 }],
      }),
    );
    await studio.lastPlan();
    const list = page.getByRole('listbox', { name: 'Entries of the timeline' });
    await list.focus();
    assert.deepEqual(await list.getByRole('option').allTextContents(), [
      'Board, 0:00.00 to 0:06.00',
      'Reveal of Celery in F, at 0:02.00',
      'Clip clip, 0:00.00 to 0:02.00',
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    const positions = ({ documents }: LastPlan) => documents.timeline_data.tier_tiles!.map(({ position }) => position);
    assert.deepEqual(positions(await studio.planWhere((plan) => positions(plan)[0] === 3)), [3]);
    await page.keyboard.press('Delete');
    const removed = await studio.planWhere(
      ({ documents: { timeline_data } }) => timeline_data.tier_tiles!.length === 0,
    );
    assert.deepEqual(removed.documents.timeline_data.tier_tiles, []);
    assert.deepEqual(studio.complaints, []);
  });
});

/** What a hand brings from the desktop. */
const TRANSFER = (...files: readonly (readonly [name: string, bytes: Buffer])[]) => `(() => {
  const transfer = new DataTransfer();
  for (const [name, base64] of ${JSON.stringify(files.map(([name, bytes]) => [name, bytes.toString('base64')]))}) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: name.endsWith('png') ? 'image/png' : '' }));
  }
  return transfer;
})()`;

/** A picture of one red pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

/**
 * How often fields of the board and of the media are read, and what the page itself writes into its database. An update
 * reads a field to see whether it has to change: so updates that change nothing are counted too.
 */
const COUNT_CHANGES = `(() => {
  const changes = { board: 0, bin: 0, saves: 0 };
  globalThis.changes = changes;
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    const value = Object.getOwnPropertyDescriptor(prototype, 'value');
    Object.defineProperty(prototype, 'value', {
      ...value,
      get() {
        for (const part of ['board', 'bin']) if (this.closest('.' + part) !== null) changes[part] += 1;
        return value.get.call(this);
      },
    });
  }
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    changes.saves += 1;
    return put.apply(this, given);
  };
})()`;

/** Counts the frames that the page asks the drawing worker for, and those on the large canvas; holds them back until they are released. */
const WATCH_DRAWING = `(() => {
  const drawing = { asked: 0, shown: 0, isHeld: false, release() {
    drawing.isHeld = false;
    for (const send of held.splice(0)) send();
  } };
  globalThis.drawing = drawing;
  const held = [];
  const heard = new Set();
  const { prototype } = Object.getPrototypeOf(Worker);
  const { postMessage } = prototype;
  prototype.postMessage = function (message, ...given) {
    const send = () => postMessage.call(this, message, ...given);
    if (message.kind !== 'show') return send();
    drawing.asked += 1;
    if (!heard.has(this)) {
      heard.add(this);
      this.addEventListener('message', ({ data }) => {
        if (data.kind === 'shown' && data.shown.place === 'large') drawing.shown += 1;
      });
    }
    if (drawing.isHeld) held.push(send);
    else send();
  };
})()`;

/** Counts the rounded rectangles that the page draws: every entry of the timeline is one, or two. */
const COUNT_SHAPES = `(() => {
  const { prototype } = CanvasRenderingContext2D;
  for (const name of ['roundRect', 'fillRect']) {
    const plain = prototype[name];
    prototype[name] = function (...args) {
      globalThis.shapes += 1;
      return plain.apply(this, args);
    };
  }
})()`;
