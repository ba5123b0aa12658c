import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { layoutPlaces } from '../document/layout-commands.ts';
import { studioConfig } from '../kit/assets.ts';
import { clock } from '../kit/shown-values.ts';
import { FrameCanvas, isFullPageDrawn, LARGE, largePlace } from '../preview/canvas-client.tsx';
import { planned } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import * as texts from '../texts/en/take.ts';
import { choices, roomLeft } from './devices.ts';
import { take } from './page-take.ts';
import { hasOwnRecorder } from './record/open-recorder.ts';

const PLACE = 'take';

interface LivePictureProps {
  /** The class of its box. */
  readonly class: string;
  readonly mirrored?: boolean;
}

/** A live preview of the video: the board drawn by the code of the export, the camera in its place. */
export function LivePicture({ class: box, mirrored = false }: LivePictureProps) {
  const preset = shownPreset.value;
  const { width, height } = planned.value.plans.get(preset.name)?.canvas ?? preset;
  const { x, y, width: wide, height: high } = layoutPlaces(take.layout.value, preset).cam;
  useEffect(() => {
    largePlace.value = PLACE;
    return () => {
      largePlace.value = LARGE;
      isFullPageDrawn.value = false;
    };
  }, []);
  return (
    <div class={box} style={{ '--ratio': String(width / height) }}>
      <div class="tk-picture" style={{ aspectRatio: `${width} / ${height}` }}>
        <FrameCanvas place={PLACE} width={width} label={texts.video} />
        {take.hasPicture && (
          <div class="tk-cam" style={{ left: `${x}%`, top: `${y}%`, width: `${wide}%`, height: `${high}%` }}>
            <Camera mirrored={mirrored && choices.value.source === 'camera'} />
          </div>
        )}
      </div>
    </div>
  );
}

function Camera({ mirrored }: { readonly mirrored: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const source = take.stream.value;
  useEffect(() => {
    video.current!.srcObject = source;
    if (source !== null) void video.current!.play().catch(() => {});
  }, [source]);
  return <video ref={video} muted playsInline aria-label={texts.camera} data-mirrored={mirrored} />;
}

const QUIET_DB = -60;
/** The good range for speech. */
const [LOW_DB, HIGH_DB] = [-30, -3];

/** The level of the microphone, with a hint. */
export function LevelMeter({ words = false }: { readonly words?: boolean }) {
  const peak = useSignal(QUIET_DB);
  const source = take.stream.value;
  useEffect(() => {
    if (source === null || source.getAudioTracks().length === 0) return;
    const level = levelOf(source);
    const stop = level.peak.subscribe((value) => {
      peak.value = value;
    });
    return () => {
      stop();
      level[Symbol.dispose]();
    };
  }, [source]);
  const kind = kindOf(peak.value);
  return (
    <div class="tk-level" data-kind={kind}>
      {words && (
        <p>
          <span class="q">{texts.saySomething}</span>
          <b>{texts.levels[kind]}</b>
        </p>
      )}
      <span
        class="tk-meter"
        role="meter"
        aria-label={texts.level}
        aria-valuemin={QUIET_DB}
        aria-valuemax={0}
        aria-valuenow={Math.round(peak.value)}
        aria-valuetext={texts.levelValue(Math.round(peak.value))}
      >
        <i style={{ width: `${(1 - peak.value / QUIET_DB) * 100}%` }} />
      </span>
    </div>
  );
}

function kindOf(db: number): keyof typeof texts.levels {
  if (db > HIGH_DB) return 'loud';
  return db > LOW_DB ? 'good' : 'quiet';
}

/** Interval between readings. */
const READ_EVERY_MS = 60;
/** How fast the peak falls, in decibels per reading. */
const FALL_DB = 1.5;
const FLOOR_DB = -60;

/** The level of a stream in dBFS, until it is disposed. */
interface Level extends Disposable {
  readonly peak: Signal<number>;
}

function levelOf(stream: MediaStream): Level {
  const peak = signal(FLOOR_DB);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 4096;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let max = 0;
    for (const sample of samples) max = Math.max(max, Math.abs(sample));
    const now = max === 0 ? FLOOR_DB : Math.max(FLOOR_DB, 20 * Math.log10(max));
    peak.value = Math.max(now, peak.peek() - FALL_DB);
  }, READ_EVERY_MS);
  return {
    peak,
    [Symbol.dispose]() {
      clearInterval(timer);
      void context.close();
    },
  };
}

const LOOK_EVERY_MS = 10_000;

type Room = NonNullable<Awaited<ReturnType<typeof roomLeft>>>;

/** The free space for a recording, and how long it lasts. `MediaRecorder` also stops at the largest file. Null if unknown. */
export function useRoom(): Room | null {
  const room = useSignal<Room | null>(null);
  const source = take.stream.value;
  useEffect(() => {
    if (source === null) return;
    const look = () =>
      void roomLeft(source).then((found) => {
        const max = hasOwnRecorder() ? Number.POSITIVE_INFINITY : studioConfig.fileLimits.maxFileBytes;
        const ofFile = found === null ? 0 : Math.max(0, (max / found.perMinute) * 60 - take.elapsed.peek());
        room.value = found && { ...found, seconds: Math.min(found.seconds, ofFile) };
      });
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [source]);
  return source === null ? null : room.value;
}

export function lengthWords(seconds: number): string {
  return seconds < 120 ? clock(seconds) : texts.length(Math.floor(seconds / 60));
}
