import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { studioConfig } from '../kit/assets.ts';
import { clock } from '../kit/figures.ts';
import { roomLeft } from './devices.ts';
import { elapsed, stream } from './take-session.ts';

const EVERY_MS = 10_000;

type Room = NonNullable<Awaited<ReturnType<typeof roomLeft>>>;

/** What is free for a recording, and for how long: by the browser's storage, and by the largest file. Null where nobody knows. */
export function useRoom(): Room | null {
  const room = useSignal<Room | null>(null);
  const source = stream.value;
  useEffect(() => {
    if (source === null) return;
    const look = () =>
      void roomLeft(source).then((found) => {
        const { maxFileBytes: most } = studioConfig.fileLimits;
        const ofFile = found === null ? 0 : Math.max(0, (most / found.perMinute) * 60 - elapsed.peek());
        room.value = found && { ...found, seconds: Math.min(found.seconds, ofFile) };
      });
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [source]);
  return source === null ? null : room.value;
}

export function lengthWords(seconds: number): string {
  if (seconds < 120) return clock(seconds);
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
