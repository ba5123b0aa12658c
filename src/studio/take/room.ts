import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { studioConfig } from '../kit/assets.ts';
import { clock } from '../kit/figures.ts';
import * as texts from '../texts/en/take.ts';
import { elapsed, stream } from './control/take-state.ts';
import { roomLeft } from './devices.ts';
import { hasOwnRecorder } from './record/open-recorder.ts';

const EVERY_MS = 10_000;

type Room = NonNullable<Awaited<ReturnType<typeof roomLeft>>>;

/** The free space for a recording, and how long it lasts. `MediaRecorder` also stops at the largest file. Null if unknown. */
export function useRoom(): Room | null {
  const room = useSignal<Room | null>(null);
  const source = stream.value;
  useEffect(() => {
    if (source === null) return;
    const look = () =>
      void roomLeft(source).then((found) => {
        const max = hasOwnRecorder() ? Number.POSITIVE_INFINITY : studioConfig.fileLimits.maxFileBytes;
        const ofFile = found === null ? 0 : Math.max(0, (max / found.perMinute) * 60 - elapsed.peek());
        room.value = found && { ...found, seconds: Math.min(found.seconds, ofFile) };
      });
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [source]);
  return source === null ? null : room.value;
}

export function lengthWords(seconds: number): string {
  return seconds < 120 ? clock(seconds) : texts.length(Math.floor(seconds / 60));
}
