import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { signal } from '@preact/signals';
import { EMPTY_PROJECT, type MediaEntry } from '../../../src/studio/document/project.ts';
import { TAIL_SECONDS } from '../../../src/studio/document/put-take.ts';
import { announced, messages } from '../../../src/studio/kit/messages.ts';
import { finishedTake, takeOpen } from '../../../src/studio/session/open-take.ts';
import { decided, edit, openProject, playhead, playing, project, undo } from '../../../src/studio/session/session.ts';
import type { RecorderFault, RecorderState } from '../../../src/studio/take/record/recorder.ts';
import { type DeviceFault, Take, type TakeChoices, type TakeLog } from '../../../src/studio/take/take.ts';
import * as texts from '../../../src/studio/texts/en/take.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { ranked } from '../document/project-builder.ts';

const CAM: MediaEntry = {
  ...{ name: 'Take 1.mp4', bytes: 100, type: 'video/mp4', kind: 'video', hash: 'a'.repeat(64), recorded: true },
  ...{ duration: 60, width: 1280, height: 720, alpha: false, sound: true },
};

/** A picture and a sound that no device makes. */
interface Devices {
  closed: boolean;
}

/** The page of a take: its clock stands still until a test moves it. */
class Page {
  ms = 1000;
  readonly choices = signal<TakeChoices>({
    ...{ source: 'camera', camera: '', microphone: '', countDown: true, mirror: true, nextCard: true, delays: {} },
  });
  readonly begunAt = signal<number | null>(null);
  readonly opened: Devices[] = [];
  refused: DeviceFault | null = null;
  readonly asked: string[] = [];
  readonly logs: (TakeLog | null)[] = [];
  readonly state = signal<RecorderState | null>(null);
  readonly fault = signal<RecorderFault | null>(null);
  readonly ready = Promise.withResolvers<void>();
  kept: readonly MediaEntry[] = [CAM];
  lost: (kind: 'picture' | 'sound') => void = () => {};
  #waiting: (() => void)[] = [];
  #tick: () => void = () => {};

  readonly take = new Take<Devices>({
    presets: DEFAULT_PRESETS,
    choices: this.choices,
    now: () => this.ms,
    wait: () => new Promise((resolve) => this.#waiting.push(resolve)),
    every: (_, run, until) => {
      this.#tick = run;
      until.addEventListener('abort', () => {
        this.#tick = () => {};
      });
    },
    openDevices: async (_, lost) => {
      this.lost = lost;
      if (this.refused !== null) return this.refused;
      this.opened.push({ closed: false });
      return this.opened.at(-1)!;
    },
    closeDevices: (stream) => {
      if (stream !== null) stream.closed = true;
    },
    record: () => ({
      name: 'take-1.mp4',
      recorder: {
        ...{ ready: this.ready.promise, state: this.state, fault: this.fault },
        go: (at) => this.asked.push(`go ${at}`),
        pause: (at) => this.asked.push(`pause ${at}`),
        stop: async (at) => {
          this.asked.push(`stop ${at}`);
          return this.state.value;
        },
        close: () => this.asked.push('close'),
      },
    }),
    keepAwake: () => {},
    playback: {
      play: () => {
        playing.value = true;
      },
      pause: () => {
        playing.value = false;
      },
      begunAt: this.begunAt,
      lengthInFrames: () => 0,
    },
    files: {
      keep: async (parts) => parts.flatMap(({ from }, i) => (this.kept[i] ? [{ entry: this.kept[i], from }] : [])),
      discard: async (names) => void this.asked.push(`discard ${names}`),
      findUnfinished: async () => void this.asked.push('find unfinished'),
      log: (log) => this.logs.push(log),
    },
  });

  /** Moves the clock on, and follows the take. */
  pass(ms: number): void {
    this.ms += ms;
    this.#tick();
  }

  /** Ends the wait of the countdown. */
  async count(): Promise<void> {
    for (const resolve of this.#waiting.splice(0)) resolve();
    await turn();
  }

  async set(): Promise<void> {
    takeOpen.value = true;
    this.take.enter();
    await turn();
  }

  /** From the set-up until the recording runs. */
  async run(): Promise<void> {
    await this.set();
    this.ready.resolve();
    const started = this.take.start();
    for (let i = 0; i < 3; i += 1) await this.count();
    await started;
  }

  /** What the recorder reports: one file, with the times of the page. */
  report(spans: RecorderState['times']['spans'], seconds: number): void {
    this.state.value = {
      times: { line: { rate: 1, offset: 0 }, ticksPerSecond: 1000, delayMs: 0, spans },
      ...{ seconds, files: [{ name: 'take-1.mp4', from: 0 }], isBehind: false, dropped: 0, isReduced: false },
    };
  }
}

let page: Page;

function openPage(): void {
  // Messages disappear after a time.
  mock.timers.enable({ apis: ['setTimeout'] });
  openProject({ ...ranked(3), timeline_data: EMPTY_PROJECT.timeline_data });
  playhead.value = 0;
  playing.value = false;
  finishedTake.value = null;
  messages.value = [];
  page = new Page();
}

function closePage(): void {
  page.take.leave();
  mock.timers.reset();
}

/** In a `describe`: hooks of a file are those of all files of its process. */
function withPage(): void {
  beforeEach(openPage);
  afterEach(closePage);
}

describe('the steps of a take', () => {
  withPage();

  test('a take counts down, runs, pauses, goes on and ends on the timeline, with its cards', async () => {
    const { take } = page;
    const [first, second] = project.value.tier_list.items.map(({ id }) => id);
    const row = project.value.tier_list.rows[0]!.id;
    await page.set();
    assert.equal(take.step.value, 'setup');
    const started = take.start();
    assert.deepEqual([take.step.value, take.counted.value, announced.value], ['count', 3, '3']);
    for (const left of [2, 1, 0]) {
      await page.count();
      assert.equal(take.counted.value, left);
    }
    assert.equal(take.step.value, 'count', 'the devices do not deliver yet');
    page.ready.resolve();
    await started;
    assert.deepEqual([take.step.value, page.asked], ['run', ['go 1000']]);

    page.pass(2000);
    assert.equal(take.elapsed.value, 2);
    take.lift(first!, 3000);
    take.land(row, 3500);
    take.togglePause(4000);
    take.lift(second!, 4100);
    assert.equal(take.performed.value.up, null, 'no card is picked up in a pause');
    page.pass(5000);
    assert.equal(take.step.value, 'paused');
    take.togglePause(9000);
    await turn();
    assert.equal(take.step.value, 'run');
    page.pass(2000);
    assert.equal(take.elapsed.value, 4, 'a pause takes no time');
    take.lift(second!, 10_000);
    take.land(row, 10_000, 0);
    assert.deepEqual(take.rowsNow.value.find(({ id }) => id === row)?.items, [second, first]);

    const spans = [
      { from: 1000, to: 4000 },
      { from: 9000, to: 11_000 },
    ];
    page.report(spans, 5);
    await take.stop(11_000);
    assert.deepEqual(page.asked, ['go 1000', 'pause 4000', 'go 9000', 'stop 11000', 'close']);
    const { timeline_data, tier_list, studio } = project.value;
    assert.deepEqual(Object.values(studio.media).filter(({ recorded }) => recorded).length, 1);
    assert.deepEqual(
      timeline_data.videos.map(({ start, duration }) => [start, duration]),
      [
        [0, 3],
        [3, 2],
      ],
      'the pause cuts the clip',
    );
    assert.deepEqual(tier_list.rows[0]!.item_ids, [second, first]);
    assert.deepEqual(
      timeline_data.tier_tiles.map(({ tier_item_id: item }) => item),
      [first, second],
    );
    assert.deepEqual([finishedTake.value?.cards, takeOpen.value], [2, false]);
    assert.equal(page.logs.at(-1), null, 'the log is forgotten');
    assert.ok(page.opened.every(({ closed }) => closed));
  });

  test('a step that does not follow is refused', async () => {
    const { take } = page;
    await page.set();
    take.togglePause(0);
    await take.stop(0);
    take.cancelCount();
    take.undo();
    assert.deepEqual([take.step.value, page.asked], ['setup', []]);
    await page.run();
    await take.start();
    take.cancelCount();
    assert.deepEqual([take.step.value, page.asked], ['run', ['go 1000']]);
  });

  test('a countdown that was cancelled does not start the next take', async () => {
    const { take } = page;
    await page.set();
    page.ready.resolve();
    const first = take.start();
    take.cancelCount();
    assert.deepEqual([take.step.value, page.asked], ['setup', ['close']]);
    const second = take.start();
    await page.count();
    await first;
    assert.deepEqual([take.step.value, take.counted.value], ['count', 2]);
    await page.count();
    await page.count();
    await second;
    assert.deepEqual([take.step.value, page.asked], ['run', ['close', 'go 1000']]);
  });

  test('after a verdict the next card comes up when the last one has landed, unless that is turned off', async () => {
    const { take } = page;
    const [first, second, third] = project.value.tier_list.items.map(({ id }) => id);
    const row = project.value.tier_list.rows[0]!.id;
    await page.run();
    take.lift(first!, 2000);
    page.pass(5000);
    assert.equal(take.heldSeconds.value, 4);
    take.land(row, 6000);
    assert.deepEqual([take.performed.value.up, take.heldSeconds.value], [null, null]);
    page.pass(TAIL_SECONDS * 1000 - 1);
    assert.equal(take.performed.value.up, null, 'it has not landed');
    page.pass(1);
    assert.deepEqual(take.performed.value.up, { item: second, at: page.ms });

    take.letGo();
    page.pass(60_000);
    assert.equal(take.performed.value.up, null, 'a card that was put back stays there');

    page.choices.value = { ...page.choices.value, nextCard: false };
    take.lift(second!, page.ms);
    take.land(row, page.ms);
    page.pass(60_000);
    assert.equal(take.performed.value.up, null);
    take.lift(third!, page.ms);
    take.land(row, page.ms);
    assert.deepEqual([take.cardsLeft.value, announced.value.endsWith(texts.said.allRanked)], [[], true]);
  });

  test('a ranking that is not complete goes on; the user may rank again from the start', async () => {
    const { take } = page;
    const [first, second] = project.value.tier_list.items.map(({ id }) => id);
    const [row] = project.value.tier_list.rows;
    edit('Rank', (draft) => {
      for (const each of draft.tier_list.rows) each.item_ids = each.id === row!.id ? [first!] : [];
    });
    await page.set();
    assert.deepEqual([take.asksForRanking.value, take.keepsRanking.value], [true, true]);
    assert.deepEqual(take.rowsNow.value.find(({ id }) => id === row!.id)?.items, [first]);
    take.keepsRanking.value = false;
    assert.deepEqual(take.rowsNow.value.find(({ id }) => id === row!.id)?.items, []);
    take.keepsRanking.value = true;
    page.ready.resolve();
    const started = take.start();
    for (let i = 0; i < 3; i += 1) await page.count();
    await started;
    take.lift(second!, 2000);
    take.land(row!.id, 3000);
    page.report([{ from: 1000, to: 5000 }], 4);
    await take.stop(5000);
    assert.deepEqual(project.value.tier_list.rows[0]!.item_ids, [first, second]);
    const { tier_tiles: tiles } = project.value.timeline_data;
    assert.deepEqual(
      tiles.map(({ tier_item_id: item }) => item),
      [second],
      'the first card is on the board from the start',
    );
    await page.set();
    take.where.value = 'start';
    assert.equal(take.keepsRanking.value, false, 'another take ranks again');
  });

  test('pictures that are imported during the set-up can be ranked', async () => {
    const { take } = page;
    await page.set();
    const before = take.cardsLeft.value.length;
    edit('Import', (draft) => {
      draft.tier_list.items.push({ id: 'late', name: 'Late', file_field: 'late' });
    });
    assert.equal(take.cardsLeft.value.length, before + 1);
    assert.ok(
      project.value.tier_list.items.some(({ id }) => id === 'late'),
      'the live preview has it',
    );
    take.leave();
    assert.ok(
      decided.value.tier_list.items.some(({ id }) => id === 'late'),
      'leaving keeps it',
    );
    undo();
    assert.equal(decided.value.tier_list.items.length, before);
  });

  test('without a recording, cards are placed at the times of the timeline', async () => {
    const { take } = page;
    page.choices.value = { ...page.choices.value, source: 'play', countDown: false };
    const [item] = project.value.tier_list.items.map(({ id }) => id);
    await page.set();
    await take.start();
    assert.deepEqual([take.step.value, playing.value, page.opened.length], ['run', true, 0]);
    playhead.value = 60;
    page.pass(66);
    assert.equal(take.elapsed.value, 2);
    take.lift(item!, 0);
    take.land(project.value.tier_list.rows[0]!.id, 0);
    await take.stop(0);
    assert.deepEqual(
      decided.value.timeline_data.tier_tiles.map(({ tier_item_id: id }) => id),
      [item],
    );
    assert.deepEqual([decided.value.timeline_data.videos.length, playhead.value, page.logs], [0, 0, []]);
  });
});

describe('the devices of a take', () => {
  withPage();

  test('of several openings the last one counts, and the others are closed', async () => {
    const { take } = page;
    takeOpen.value = true;
    take.enter();
    void take.openStream();
    await turn();
    assert.deepEqual(page.opened, [{ closed: true }, { closed: false }]);
    assert.equal(take.stream.value, page.opened[1]);
    page.refused = 'in_use';
    await take.openStream();
    assert.deepEqual([take.stream.value, take.deviceFault.value], [null, 'in_use']);
    await take.start();
    assert.equal(take.step.value, 'setup', 'there is nothing to record');
  });

  test('a device that is lost during the countdown cancels it', async () => {
    const { take } = page;
    await page.set();
    void take.start();
    page.lost('sound');
    assert.deepEqual([take.step.value, take.deviceFault.value, take.stream.value], ['setup', 'unplugged', null]);
    assert.deepEqual([page.opened, page.asked], [[{ closed: true }], ['close']]);
  });

  test('a recorder that ends by itself ends the take; what it recorded is kept, and the reason is told', async () => {
    await page.run();
    page.report([{ from: 1000, to: 4000 }], 3);
    page.fault.value = 'disk_full';
    page.pass(66);
    await turn();
    assert.equal(project.value.timeline_data.videos.length, 1);
    assert.deepEqual(
      messages.value.map(({ text }) => text),
      [texts.takeEnded(texts.recorderFaults.disk_full, texts.kept)],
    );
  });

  test('a recording that cannot be read is looked for among the unfinished ones', async () => {
    await page.run();
    page.kept = [];
    page.report([{ from: 1000, to: 4000 }], 3);
    await page.take.stop(4000);
    assert.deepEqual([page.asked.at(-1), messages.value.length], ['find unfinished', 1]);
    assert.equal(project.value.timeline_data.videos.length, 0);
  });

  test('leaving a take discards what it has shown', async () => {
    const before = project.value;
    playhead.value = 0;
    await page.run();
    page.take.lift(before.tier_list.items[0]!.id, 1000);
    page.take.land(before.tier_list.rows[0]!.id, 2000);
    assert.notEqual(project.value, before);
    page.take.leave();
    assert.deepEqual([project.value.timeline_data, takeOpen.value], [before.timeline_data, false]);
  });
});
