import { later } from '../kit/later.tsx';
import { type Sound, setSound } from '../session/transport.ts';
import { watchStills } from './exact-still.ts';
import { startPlanning } from './plan/planning.ts';
import { watchPoster } from './poster.tsx';
import { startStage } from './stage-client.ts';

let isStarted = false;

/** Starts planning and drawing with the first preview that is shown. */
export function startPreview(): void {
  if (isStarted) return;
  isStarted = true;
  startPlanning();
  startStage();
  watchStills();
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
