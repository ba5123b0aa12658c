import { computed, effect, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Key, onKey } from '../keys/keys.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon, IconButton, type IconName } from '../kit/icon.tsx';
import { later, shownLater } from '../kit/later.tsx';
import { isPhone } from '../kit/phone.ts';
import { faults } from '../session/preview-faults.ts';
import { hasService } from '../session/service-state.ts';
import { decided, planned, playhead, playing, posterAt, rate, shownPresetName, undoLabel } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import {
  isMuted,
  lengthInFrames,
  looping,
  pause,
  play,
  type Sound,
  seek,
  setSound,
  shuttle,
  speed,
  stepFrames,
  timecode,
  togglePlay,
} from '../session/transport.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/preview.ts';
import { FrameCanvas, isPlanDrawn, LARGE, shown, startCanvases } from './canvas-client.tsx';
import { closeReasons, isLate } from './closeness.ts';
import { startPlanning } from './plan/plan-client.ts';
import { exactUrl, isFetching } from './shown-still.ts';

const stills = later(() => import('./exact-still.ts'));

const SeekBar = shownLater(async () => (await import('./seek-bar.tsx')).SeekBar);
/** Fetched at once but not awaited: there is nothing to grab before the first picture. */
const BoxHandles = shownLater(async () => (await import('./box-handles.tsx')).BoxHandles);

const Loudness = shownLater(async () => (await import('./loudness.tsx')).Loudness);
const FaultBanner = shownLater(async () => (await import('./fault-banner.tsx')).FaultBanner);

/** The preview in the shown format, beside small previews of the others. */
export function Preview() {
  const frame = useRef<HTMLDivElement>(null);
  startPreview();
  useEffect(() => bindKeys(), []);
  useEffect(() => effect(() => showState(frame.current)), []);
  const preset = shownPreset.value;
  const { width, height } = sizeOf(preset.name);
  return (
    <div class="face preview">
      <div class="pv-canvas">
        <div class="pv-in">
          <div
            class="pv-frame"
            ref={frame}
            style={{ aspectRatio: `${width} / ${height}`, '--ratio': String(width / height) }}
          >
            <div class="pv-picture">
              <FrameCanvas place={LARGE} width={width} label={page.preview} />
              {exactUrl.value === null ? null : <img class="pv-still" src={exactUrl.value} alt={texts.exactFrame} />}
              <PreviewPoster />
              <Nothing />
              {faults.value[0] && <FaultBanner />}
            </div>
            <BoxHandles frame={frame} />
          </div>
          <Formats />
        </div>
      </div>
      {isPhone.value ? <SeekBar /> : null}
      <Transport onFull={() => void frame.current?.requestFullscreen?.()} />
    </div>
  );
}

/** Writes the shown frame into attributes directly: rendering the panel sixty times a second would cost too much. */
function showState(element: HTMLElement | null): void {
  const now = shown.value;
  // A frame may be drawn while the panel goes away.
  if (now === null || element === null) return;
  Object.assign(element.dataset, { frame: String(now.frame), settled: String(now.settled), preset: now.preset });
}

/** The planned size of a format; that of its preset until there is a plan. */
function sizeOf(name: string): { width: number; height: number } {
  return planned.value.plans.get(name)?.canvas ?? studioConfig.presets.find((preset) => preset.name === name)!;
}

/** Why there is no picture. */
function Nothing() {
  const { errors, plans } = planned.value;
  if (plans.size > 0 || errors.length === 0) return null;
  const [first] = errors;
  const isEmpty = first!.code === 'timeline.empty';
  return <p class="pv-nothing">{isEmpty ? texts.empty : first!.message}</p>;
}

function aspectLabel({ width, height }: { width: number; height: number }): string {
  return page.formatNames[width > height ? 'landscape' : width < height ? 'portrait' : 'square']!;
}

/** The longer side of a small preview. */
const SMALL_PX = 96;

function Formats() {
  return (
    <fieldset class="pv-presets" aria-label={texts.format}>
      {studioConfig.presets.map((preset) => {
        const { width, height } = sizeOf(preset.name);
        const scale = SMALL_PX / Math.max(width, height);
        const isOn = shownPresetName.value === preset.name;
        return (
          <button
            type="button"
            key={preset.name}
            aria-pressed={isOn}
            class="pv-preset"
            onClick={() => {
              shownPresetName.value = preset.name;
            }}
          >
            <span style={{ width: `${width * scale}px`, height: `${height * scale}px` }}>
              <FrameCanvas place={preset.name} width={width} label="" />
              <PreviewPoster />
            </span>
            {aspectLabel(preset)}
          </button>
        );
      })}
    </fieldset>
  );
}

const time = computed(() => timecode(playhead.value));

function Transport({ onFull }: { readonly onFull: () => void }) {
  const isPlaying = playing.value;
  const isNone = lengthInFrames() === 0;
  return (
    <div class="pv-transport">
      <time class="pv-time">
        {time}
        <small> / {timecode(lengthInFrames())}</small>
        {isPlaying && speed.value !== 1 ? <small class="pv-speed">{speed.value}×</small> : null}
      </time>
      <div class="pv-buttons">
        <IconButton icon="back" label={texts.toStart} title={texts.toStartHint} onClick={() => seek(0)} />
        <button
          type="button"
          class="ib pv-play"
          disabled={isNone}
          aria-label={isPlaying ? texts.pause : texts.play}
          title={isPlaying ? texts.pauseHint : texts.playHint}
          onClick={togglePlay}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          class="ib pv-to-end"
          aria-label={texts.toEnd}
          title={texts.toEndHint}
          onClick={() => seek(lengthInFrames())}
        >
          <Icon name="ahead" />
        </button>
        <Toggle icon="loop" label={texts.repeat} on={looping} />
      </div>
      <div class="pv-end">
        <Exactness />
        {playing.value && <Loudness />}
        <Toggle icon={isMuted.value ? 'muted' : 'sound'} label={texts.mute} on={isMuted} />
        <IconButton icon="full" label={texts.fullScreen} title={texts.fullScreen} onClick={onFull} />
      </div>
    </div>
  );
}

/** A toggle button. */
function Toggle({
  icon,
  label,
  on,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly on: Signal<boolean>;
}) {
  return (
    <button
      type="button"
      class="ib pv-toggle"
      aria-pressed={on.value}
      aria-label={label}
      title={label}
      onClick={() => {
        on.value = !on.value;
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Computed, so that readers update only when it changes: the playhead moves with every display frame. */
const isBehind = computed(() => playing.value && shown.value !== null && isLate(shown.value.frame, playhead.value));

/** Whether the preview matches the export. A click requests the exact frame from the service. */
function Exactness() {
  const now = shown.value;
  if (now === null || planned.value.plans.size === 0 || posterAt.value !== null) return null;
  if (exactUrl.value !== null) {
    return (
      <span class="pv-exact" title={texts.exactFrameHint}>
        <Icon name="check" />
        {texts.exactFrame}
      </span>
    );
  }
  const reasons = closeReasons(now, isBehind.value);
  const isClose = reasons.length > 0;
  const title = isClose ? texts.approximateHint(reasons) : texts.sameFrameHint;
  if (!hasService) {
    return (
      <span class="pv-exact" title={title} data-close={isClose}>
        <Icon name={isClose ? 'near' : 'check'} />
        {isClose ? texts.approximate : texts.sameFrame}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="pv-exact"
      title={texts.forExactFrame(title)}
      data-close={isClose}
      disabled={isFetching.value || playing.value}
      onClick={() => void stills().then(({ showExact }) => showExact())}
    >
      <Icon name={isFetching.value ? 'loop' : isClose ? 'near' : 'check'} />
      {isFetching.value ? texts.fetching : isClose ? texts.approximate : texts.sameFrame}
    </button>
  );
}

function bindKeys(): () => void {
  const second = () => Math.round(rate.value.num / rate.value.den);
  const own = (key: string, label: string, run: Key['run']) => onKey(key, label, run, 'playing');
  const bound = [
    own('space', texts.playOrPause, togglePlay),
    own('j', texts.playBackwards, () => shuttle(-1)),
    own('k', texts.stop, pause),
    own('l', texts.playFaster, () => shuttle(1)),
    own('arrowleft', texts.frameBack, () => stepFrames(-1)),
    own('arrowright', texts.frameForward, () => stepFrames(1)),
    own('shift+arrowleft', texts.secondBack, () => stepFrames(-second())),
    own('shift+arrowright', texts.secondForward, () => stepFrames(second())),
    own('home', texts.toStart, () => seek(0)),
    own('end', texts.toEnd, () => seek(lengthInFrames())),
    own('shift+space', texts.playFromStart, () => {
      seek(0);
      play(1);
    }),
  ];
  return () => {
    for (const unbind of bound) unbind();
  };
}

let isStarted = false;

/** Starts planning and drawing with the first preview that is shown: here, or in a take. */
export function startPreview(): void {
  if (isStarted) return;
  isStarted = true;
  startPlanning(isPlanDrawn);
  startCanvases();
  watchPoster();
  setSound(soundWhenWanted());
}

/** The sound player is not in the first load. */
function soundWhenWanted(): Sound {
  const fetched = later(async () => new (await import('./sound/sound-player.ts')).SoundPlayer());
  let player: Sound | null = null;
  let calls = 0;
  return {
    async start(frame) {
      calls += 1;
      const call = calls;
      // Without it, playback continues without sound.
      player ??= await fetched().catch(() => null);
      if (call === calls) await player?.start(frame);
    },
    stop() {
      calls += 1;
      player?.stop();
    },
    elapsed: () => player?.elapsed() ?? null,
  };
}

/** A still of the example, shown until its pictures and fonts are loaded and the preview is drawn. */
function PreviewPoster() {
  return posterAt.value === null ? null : <i class="pv-poster" aria-hidden="true" />;
}

/** Time limit after the last picture has arrived. */
const LATEST_MS = 6000;

/** Removes the poster permanently when the preview shows the same, or when the user moves on. */
function watchPoster(): void {
  let before = shown.peek();
  effect(() => {
    // The frame on the canvas comes from an earlier plan.
    if (planned.value.of !== null) before = shown.peek();
  });
  effect(() => {
    if (posterAt.value === null || isWaiting()) return;
    // A browser that lacks a font never reports an exact frame.
    const late = setTimeout(takeAway, LATEST_MS);
    return () => clearTimeout(late);
  });
  effect(() => {
    if (posterAt.value === null) return;
    const now = shown.value;
    const isDrawn = now !== null && now !== before && now.settled && now.close.length === 0;
    const isElsewhere = playhead.value !== posterAt.value || playing.value || undoLabel.value !== null;
    if (isElsewhere || (isDrawn && !isWaiting() && planned.value.of === decided.value)) takeAway();
  });
}

function takeAway(): void {
  posterAt.value = null;
}

/** Whether pictures are still being made. */
function isWaiting(): boolean {
  return Object.values(decided.value.studio.coming ?? {}).some(({ kind }) => kind !== 'audio');
}
