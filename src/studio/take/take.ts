import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Frames, frameAt, frames, secondsOf } from '../../time.ts';
import type { Presets } from '../../timeline/presets.ts';
import { addMedia } from '../document/add-files.ts';
import { applyLayout, type LayoutName, layoutOf } from '../document/layout-commands.ts';
import {
  drop,
  type Performance,
  pickUp,
  putBack,
  retimed,
  seenRows,
  undoLast,
  waitingItems,
} from '../document/performance.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import { boardBefore, putRunningTake, putTake, putVoice, rankedBoard, TAIL_SECONDS } from '../document/put-take.ts';
import { announce, say } from '../kit/messages.ts';
import { lastFrame, timeRules } from '../session/edit-timeline.ts';
import { finishedTake, takeOpen, unfinishedTakes } from '../session/open-take.ts';
import { beginGesture, decided, edit, face, playhead, playing, project, rate, selection } from '../session/session.ts';
import * as texts from '../texts/en/take.ts';
import type { Recorder, TakePart } from './record/recorder.ts';
import { cutSeconds, TakeSpans, type TakeTimes, takeSeconds } from './record/take-times.ts';

/** What is recorded; `play`: nothing, the user ranks over the existing timeline. */
export type TakeSource = 'camera' | 'screen' | 'voice' | 'play';

/** The stored settings of takes. */
export interface TakeChoices {
  readonly source: TakeSource;
  readonly camera: string;
  readonly microphone: string;
  readonly countDown: boolean;
  readonly mirror: boolean;
  /** Whether the next card comes up by itself after a verdict. */
  readonly nextCard: boolean;
  /** The latency of each device in milliseconds, as set by the user. */
  readonly delays: Readonly<Record<string, number>>;
}

/** Why there is no picture or sound, before a recording. */
export type DeviceFault = keyof typeof texts.deviceFaults;

/** A recorder and the name of its first file. */
interface Recording {
  readonly name: string;
  readonly recorder: Recorder;
}

/** A file of a recording in the media of the project. */
export interface KeptFile {
  readonly entry: MediaEntry;
  /** Its start, in seconds of the recording. */
  readonly from: number;
}

/** The actions of a running take. If the page closes, they can be restored with the recording. Times are seconds of the take. */
export interface TakeLog {
  /** The first file of the recording. */
  readonly name: string;
  readonly files: readonly TakePart[];
  readonly at: number;
  readonly layout: LayoutName | null;
  readonly performance: Performance;
}

/** What a take needs of the page. `Stream` is the picture and the sound of the devices. */
export interface TakePorts<Stream> {
  readonly presets: Presets;
  readonly choices: ReadonlySignal<TakeChoices>;
  /** The page's clock, in milliseconds, as of events. */
  now(): number;
  wait(ms: number): Promise<void>;
  every(ms: number, run: () => void, until: AbortSignal): void;
  /** @param lost a device was unplugged, or the user has stopped sharing. */
  openDevices(choices: TakeChoices, lost: (kind: 'picture' | 'sound') => void): Promise<Stream | DeviceFault>;
  closeDevices(stream: Stream | null): void;
  /** Opens a recorder, which waits for `go`. Other tabs see that the recording is in progress. */
  record(stream: Stream, until: AbortSignal): Recording;
  keepAwake(until: AbortSignal): void;
  readonly playback: {
    play(): void;
    pause(): void;
    /** The page time at which the running playback began; null until it is seen and heard. */
    readonly begunAt: ReadonlySignal<number | null>;
    lengthInFrames(): number;
  };
  readonly files: {
    /** Stores the files of a recording in the media, up to the first unreadable one. */
    keep(parts: readonly TakePart[], shelf: Project['studio']['media']): Promise<readonly KeptFile[]>;
    discard(names: readonly string[]): Promise<void>;
    findUnfinished(): Promise<void>;
    /** Null forgets the last log. */
    log(log: TakeLog | null): void;
  };
}

/** The steps of a take: set-up, countdown, running, paused, saving. */
type Step = 'setup' | 'count' | 'run' | 'paused' | 'end';

/** The steps that follow each step. `enter` starts again with the set-up. */
const NEXT: Readonly<Record<Step, readonly Step[]>> = {
  setup: ['count'],
  count: ['run', 'setup'],
  run: ['paused', 'end'],
  paused: ['run', 'end'],
  end: [],
};

/** Where on the timeline the take starts. */
type Where = 'start' | 'playhead' | 'end';

const COUNTS = 3;
const COUNT_MS = 1000;
/** Interval of the live preview, which leaves the rest of the time to the encoder. */
const FOLLOW_MS = 66;

/**
 * A take, from the choice of the devices until it is on the timeline. What it shows meanwhile is one gesture on the project, which ends
 * with the take.
 */
export class Take<Stream extends object> {
  readonly #ports: TakePorts<Stream>;
  readonly #step = signal<Step>('setup');
  readonly #stream = signal<Stream | null>(null);
  /** From the countdown on. */
  readonly #recording = signal<Recording | null>(null);
  readonly deviceFault = signal<DeviceFault | null>(null);
  /** The remaining count; 0 when it is over. */
  readonly counted = signal(0);
  /** Seconds of the take so far. */
  readonly elapsed = signal(0);
  readonly performed = signal<Performance>({ start: [], acts: [], up: null });
  readonly layout = signal<LayoutName>('right');
  readonly where = signal<Where>('start');
  /** Whether a take from the start keeps the cards that are ranked. */
  readonly keepsRanking = signal(false);
  /** Whether the page is in the background. */
  readonly isHidden = signal(false);
  /** The playhead and the last frame before the take, which changes both. */
  readonly #before = signal({ playhead: 0, end: 0 });
  /** The spans of the take on the page's clock, for the live preview. */
  #spans = new TakeSpans();
  #left = new AbortController();
  #openings = 0;
  #starts = 0;
  /** The files in the last log. */
  #logged = 0;
  #pace = new PreviewPace();
  /** When the next card comes up by itself, on the page's clock; null if it does not. */
  #nextUpAt: number | null = null;

  constructor(ports: TakePorts<Stream>) {
    this.#ports = ports;
  }

  get step(): ReadonlySignal<Step> {
    return this.#step;
  }

  get stream(): ReadonlySignal<Stream | null> {
    return this.#stream;
  }

  /** The first frame of the take. */
  readonly startFrame = computed<Frames>(() =>
    frames(this.where.value === 'start' ? 0 : this.#before.value[this.where.value]),
  );

  readonly rowsNow = computed(() => seenRows(this.performed.value));

  /** Whether cards are ranked in this take; a voice-over does not rank. */
  readonly isPerformed = computed(() => this.#source !== 'voice');

  /** The cards in no row. */
  readonly cardsLeft = computed(() => waitingItems(decided.value.tier_list, this.performed.value));

  /** Whether the take starts where it would clear a ranking. */
  readonly asksForRanking = computed(
    () =>
      this.isPerformed.value && this.startFrame.value === 0 && this.#ranked.value.some(({ items }) => items.length > 0),
  );

  readonly #ranked = computed(() => rankedBoard(decided.value));

  /** For how many seconds the card that is up is held up; null if none is up. */
  readonly heldSeconds = computed(() => {
    const { up } = this.#inSeconds(this.performed.value, this.#pageTimes());
    return up && Math.max(0, this.elapsed.value - up.at);
  });

  /** What to report during the take: the most important of what applies now. */
  readonly notice = computed<string | null>(() => {
    const recording = this.#recording.value;
    const state = recording?.recorder.state.value;
    if (this.#step.value === 'end') return recording && texts.saving;
    if (this.#step.value !== 'run') return null;
    if (this.isHidden.value && recording !== null) return texts.hidden;
    if (state?.isReduced) return texts.reduced;
    return state?.isBehind ? texts.behind : null;
  });

  get #source(): TakeSource {
    return this.#ports.choices.value.source;
  }

  get isRecorded(): boolean {
    return this.#source !== 'play';
  }

  get hasPicture(): boolean {
    return this.#source === 'camera' || this.#source === 'screen';
  }

  // Set-up

  /** Opens the set-up. @returns a signal that is aborted when the take is left. */
  enter(): AbortSignal {
    this.#ports.playback.pause();
    this.#left = new AbortController();
    this.#before.value = { playhead: playhead.value, end: lastFrame.value };
    this.preselectStart();
    this.layout.value = layoutOf(decided.value, this.#ports.presets) ?? 'right';
    this.#step.value = 'setup';
    this.elapsed.value = 0;
    void this.openStream();
    this.#follow();
    return this.#left.signal;
  }

  /** Preselects where the take starts: a voice-over at the playhead, as a take that continues another one. */
  preselectStart(): void {
    const continues = hasTake() && this.#before.value.playhead > 0;
    this.where.value = this.#source === 'voice' || continues ? 'playhead' : 'start';
    // A ranking that is not complete goes on; another take of a complete one ranks again.
    const { items } = decided.value.tier_list;
    this.keepsRanking.value = !hasTake() && this.#ranked.value.flatMap((row) => row.items).length < items.length;
  }

  /** Opens the chosen devices; the latest call wins. */
  async openStream(): Promise<void> {
    this.#openings += 1;
    const opening = this.#openings;
    this.#ports.closeDevices(this.#stream.value);
    this.#stream.value = null;
    this.deviceFault.value = null;
    if (!this.isRecorded) return;
    const opened = await this.#ports.openDevices(this.#ports.choices.value, (kind) => this.#lost(opening, kind));
    const isFault = typeof opened === 'string';
    if (opening !== this.#openings || !takeOpen.value) {
      if (!isFault) this.#ports.closeDevices(opened);
      return;
    }
    if (isFault) this.deviceFault.value = opened;
    else this.#stream.value = opened;
  }

  /** A device of an opening is gone. Once the take runs, the recorder reports it. */
  #lost(opening: number, kind: 'picture' | 'sound'): void {
    if (opening !== this.#openings || this.#stream.value === null) return;
    if (this.#step.value === 'count') this.cancelCount();
    if (this.#step.value !== 'setup') return;
    this.#ports.closeDevices(this.#stream.value);
    this.#stream.value = null;
    this.deviceFault.value = kind === 'picture' && this.#source === 'screen' ? 'not_shared' : 'unplugged';
  }

  /** Leaves the take and discards what is shown. */
  leave(): void {
    this.#left.abort();
    this.#closeRecorder();
    this.#ports.closeDevices(this.#stream.value);
    batch(() => {
      this.#stream.value = null;
      takeOpen.value = false;
      playhead.value = this.#before.value.playhead;
    });
  }

  #closeRecorder(): void {
    this.#recording.value?.recorder.close();
    this.#recording.value = null;
  }

  // Recording

  /** Counts down, then records. */
  async start(): Promise<void> {
    const source = this.#stream.value;
    if ((this.isRecorded && source === null) || !this.#to('count')) return;
    this.#starts += 1;
    const start = this.#starts;
    // A countdown that was cancelled does not continue with the next one.
    const isCounting = () => start === this.#starts && this.#step.peek() === 'count';
    batch(() => {
      this.elapsed.value = 0;
      this.counted.value = this.#ports.choices.value.countDown ? COUNTS : 0;
      selection.value = { kind: 'none' };
    });
    if (source !== null) this.#recording.value = this.#ports.record(source, this.#left.signal);
    this.#ports.keepAwake(this.#left.signal);
    while (this.counted.value > 0) {
      announce(String(this.counted.value));
      await this.#ports.wait(COUNT_MS);
      if (!isCounting()) return;
      this.counted.value -= 1;
    }
    await this.#recording.value?.recorder.ready;
    if (!isCounting()) return;
    this.#spans = new TakeSpans();
    if (await this.#run(isCounting, this.#ports.now())) this.#log();
  }

  /** Cancels the countdown. */
  cancelCount(): void {
    if (!this.#to('setup')) return;
    this.#ports.playback.pause();
    this.#closeRecorder();
  }

  /** Records from an event on, or plays. A voice-over begins when the playback is heard. @returns false if it is not wanted any more. */
  async #run(isWanted: () => boolean, eventMs: number): Promise<boolean> {
    const isOver = playhead.value >= this.#ports.playback.lengthInFrames() - 1;
    const heardMs = this.#source === 'voice' && !isOver ? await this.#playHeard() : null;
    if (!isWanted()) return false;
    const at = heardMs ?? eventMs;
    this.#recording.value?.recorder.go(at);
    this.#spans.go(at);
    this.#to('run');
    announce(this.isRecorded ? texts.said.recording : texts.said.playing);
    if (!this.isRecorded) this.#ports.playback.play();
    return true;
  }

  /** Plays, and resolves with the page time at which the first frame is seen and heard; null if playback stops before. */
  #playHeard(): Promise<number | null> {
    const { play, begunAt } = this.#ports.playback;
    play();
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const stop = effect(() => {
      if (begunAt.value !== null || !playing.value) resolve(begunAt.value);
    });
    return promise.finally(stop);
  }

  togglePause(eventMs: number): void {
    if (this.#to('paused')) {
      this.#recording.value?.recorder.pause(eventMs);
      this.#spans.pause(eventMs);
      this.#ports.playback.pause();
      announce(texts.said.paused);
    } else if (this.#step.value === 'paused' && !playing.value) {
      if (this.isRecorded) {
        playhead.value = this.startFrame.value + frameAt(takeSeconds(this.#pageTimes(), eventMs), rate.value);
      }
      void this.#run(() => this.#step.peek() === 'paused', eventMs);
    }
  }

  /** Ends the take and puts it on the timeline. */
  async stop(eventMs: number): Promise<void> {
    if (!this.#to('end')) return;
    this.#ports.playback.pause();
    announce(texts.said.stopped);
    if (this.#recording.value === null) this.#putPerformed();
    else await this.#putRecorded(this.#recording.value, eventMs);
  }

  /** Goes to a step. @returns false if it does not follow the step of now. */
  #to(step: Step): boolean {
    if (!NEXT[this.#step.value].includes(step)) return false;
    this.#step.value = step;
    return true;
  }

  /** Puts the actions over the existing timeline. */
  #putPerformed(): void {
    const performance = this.#inSeconds(putBack(this.performed.value), this.#pageTimes());
    const at = this.startFrame.value;
    const seconds = secondsOf(Math.max(0, this.#before.value.end - at) as Frames, rate.value);
    this.leave();
    if (performance.acts.length === 0) return;
    edit(texts.perform, (draft) => putTake(draft, { at, seconds, performance, clip: null }, timeRules.value));
  }

  /** Saves the recording and puts it on the timeline with the actions. */
  async #putRecorded({ name, recorder }: Recording, eventMs: number): Promise<void> {
    const { keep, discard, findUnfinished, log } = this.#ports.files;
    const state = await recorder.stop(eventMs);
    const fault = recorder.fault.value;
    const files = await keep(state?.files ?? [], project.value.studio.media);
    const acted = putBack(this.performed.value);
    const at = this.startFrame.value;
    const layout = this.hasPicture ? this.layout.value : null;
    this.leave();
    const isUnshared = fault === 'picture_ended' && this.#source === 'screen';
    const why = fault && (isUnshared ? texts.sharingEnded : texts.recorderFaults[fault]);
    if (state === null || files.length === 0) {
      if (state === null) await discard([name]);
      else await findUnfinished();
      const isFound = unfinishedTakes.value.some((take) => take.name === name);
      say(texts.takeEnded(why, isFound ? texts.unreadable : texts.nothing), 'bad');
      return;
    }
    const isWhole = files.length === state.files.length;
    if (why !== null || !isWhole) say(texts.takeEnded(why, isWhole ? texts.kept : texts.keptInPart), 'bad');
    const { seconds, times } = state;
    const performance = this.#inSeconds(acted, times);
    putRecording({ files, at, seconds, cuts: cutSeconds(times), performance, layout }, this.#ports.presets);
    log(null);
  }

  // Cards

  lift(item: string, eventMs: number): void {
    this.#act((before) => pickUp(before, item, this.#momentOf(eventMs)), texts.said.pickedUp(cardName(item)));
  }

  land(row: string, eventMs: number, index?: number): void {
    const { up } = this.performed.value;
    if (up === null) return;
    const words = texts.said.dropped(cardName(up.item), labelOf(row));
    this.#act((before) => drop(before, row, this.#momentOf(eventMs), index), words);
    if (this.cardsLeft.value.length === 0) announce(`${words} ${texts.said.allRanked}`);
    // The viewers see the card land first.
    else if (this.#ports.choices.value.nextCard) this.#nextUpAt = eventMs + TAIL_SECONDS * 1000;
  }

  letGo(): void {
    const { up } = this.performed.value;
    if (up !== null) this.#act(putBack, texts.said.putBack(cardName(up.item)));
  }

  undo(): void {
    this.#act(undoLast, texts.said.undone);
  }

  #act(change: (before: Performance) => Performance, words: string): void {
    if (this.#step.value !== 'run') return;
    this.#nextUpAt = null;
    this.performed.value = change(this.performed.value);
    announce(words);
    this.#log();
  }

  /** Logs the actions, in case the page closes. */
  #log(): void {
    if (this.#recording.value === null) return;
    const { name, recorder } = this.#recording.value;
    const { times = this.#pageTimes(), files = [] } = recorder.state.value ?? {};
    const layout = this.hasPicture ? this.layout.value : null;
    const performance = this.#inSeconds(this.performed.value, times);
    this.#ports.files.log({ name, files, at: this.startFrame.value, layout, performance });
  }

  // Times

  /** The times of the take on the page's clock. */
  #pageTimes(): TakeTimes {
    return { line: { rate: 1, offset: 0 }, ticksPerSecond: 1000, delayMs: 0, spans: this.#spans.spans };
  }

  /** Converts the times of actions to seconds: from page time, or from timeline time if nothing is recorded. */
  #inSeconds(acted: Performance, times: TakeTimes): Performance {
    return retimed(acted, (at) => (this.isRecorded ? takeSeconds(times, at) : at / 1000));
  }

  /** The time of an event for the performance. */
  #momentOf(eventMs: number): number {
    if (this.isRecorded) return eventMs;
    return secondsOf(Math.max(0, playhead.value - this.startFrame.value) as Frames, rate.value) * 1000;
  }

  // Live preview

  /** The board is planned minutes ahead: a new plan at every tick would take time from the encoder. */
  readonly #wholeMinutes = computed(() => Math.floor(this.elapsed.value / 60));

  /** Updates the live preview and watches the recorder until the take is left. */
  #follow(): void {
    const gesture = beginGesture({ admits: true });
    this.#logged = 0;
    this.#nextUpAt = null;
    this.#pace = new PreviewPace();
    const left = this.#left.signal;
    const until = (stop: () => void) => left.addEventListener('abort', stop);
    until(
      effect(() => {
        if (this.#step.value !== 'setup') return;
        const at = this.startFrame.value;
        playhead.value = at;
        const keeps = at === 0 && this.keepsRanking.value;
        const start = keeps ? this.#ranked.value : boardBefore(decided.value, at, timeRules.peek());
        this.performed.value = { start, acts: [], up: null };
      }),
    );
    until(
      effect(() => {
        const at = this.startFrame.value;
        const layout = this.layout.value;
        const performance = this.#inSeconds(this.performed.value, this.#pageTimes());
        const seconds = this.#wholeMinutes.value * 60;
        if (!this.isPerformed.value) {
          gesture.change(texts.record, () => {});
          return;
        }
        gesture.change(texts.recordTake, (draft) => {
          putRunningTake(draft, { at, seconds, performance }, this.isRecorded, timeRules.peek());
          if (this.hasPicture) applyLayout(draft, layout, this.#ports.presets);
        });
      }),
    );
    this.#ports.every(FOLLOW_MS, () => this.#watch(), left);
    until(() => gesture.cancel());
  }

  /** Moves the playhead, and stops the take if the recorder has ended. */
  #watch(): void {
    const now = this.#ports.now();
    const recorder = this.#recording.value?.recorder;
    // A device can be lost in a pause too.
    if (recorder?.fault.value != null) void this.stop(now);
    if (this.#step.value !== 'run') return;
    this.#bringUpNext(now);
    const start = this.startFrame.value;
    if (!this.isRecorded) {
      this.elapsed.value = secondsOf((playhead.value - start) as Frames, rate.value);
      // The board is planned beyond the end of the timeline.
      const { end } = this.#before.value;
      const hasEnded = start < end && playhead.value >= end;
      if (!playing.value || hasEnded) void this.stop(now);
      return;
    }
    this.elapsed.value = takeSeconds(this.#pageTimes(), now);
    const state = recorder?.state.value;
    const isDue = this.#pace.isDue(now, state?.dropped ?? 0);
    if (this.hasPicture && isDue) playhead.value = start + frameAt(this.elapsed.value, rate.value);
    if (state != null && state.files.length !== this.#logged) {
      this.#logged = state.files.length;
      this.#log();
    }
  }

  #bringUpNext(now: number): void {
    const [next] = this.cardsLeft.value;
    if (this.#nextUpAt === null || now < this.#nextUpAt || next === undefined) return;
    this.lift(next, now);
  }
}

/** After the encoder has dropped a picture, the preview is updated at this interval for this time. */
const SLOW_MS = 500;
const SLOW_FOR_MS = 5000;

/** Decides when the live preview is updated. Recording has priority: the preview slows down while the encoder drops pictures. */
export class PreviewPace {
  #dropped = 0;
  #slowUntil = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param dropped the number of pictures that the encoder has dropped so far. */
  isDue(now: number, dropped: number): boolean {
    if (dropped > this.#dropped) this.#slowUntil = now + SLOW_FOR_MS;
    this.#dropped = dropped;
    if (now < this.#slowUntil && now - this.#last < SLOW_MS) return false;
    this.#last = now;
    return true;
  }
}

interface FinishedRecording {
  /** At least one. */
  readonly files: readonly KeptFile[];
  readonly at: Frames;
  readonly seconds: number;
  readonly cuts: readonly number[];
  readonly performance: Performance;
  readonly layout: LayoutName | null;
}

/** Puts a recording and its actions on the timeline, as one undo step. */
export function putRecording(
  { files, at, seconds, cuts, performance, layout }: FinishedRecording,
  presets: Presets,
): void {
  const last = files.at(-1)!;
  const length = Math.min(seconds, last.from + last.entry.duration);
  const isVoice = last.entry.kind === 'audio';
  let fields: readonly string[] = [];
  edit(isVoice ? texts.recordVoice : texts.recordTake, (draft) => {
    const clips = files.map(({ entry, from }) => ({ field: addMedia(draft, entry), from }));
    fields = clips.map(({ field }) => field);
    const take = { at, seconds: length, performance, clip: { files: clips, cuts } };
    if (isVoice) putVoice(draft, take, timeRules.value);
    else putTake(draft, take, timeRules.value);
    if (layout !== null) applyLayout(draft, layout, presets);
  });
  playhead.value = at;
  face.value = 'preview';
  finishedTake.value = { fields, cards: new Set(performance.acts.map(({ item }) => item)).size };
}

/** Whether the timeline has a recorded clip. */
export function hasTake(): boolean {
  const { timeline_data, studio } = decided.value;
  return timeline_data.videos.some(({ file_field: field }) => studio.media[field]?.recorded === true);
}

export function cardName(item: string): string {
  return decided.value.tier_list.items.find(({ id }) => id === item)?.name ?? item;
}

export function labelOf(row: string): string {
  return decided.value.tier_list.rows.find(({ id }) => id === row)?.label ?? row;
}
