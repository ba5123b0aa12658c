import { watchStills } from './exact-still.ts';
import { startPlanning } from './plan/planning.ts';
import { SoundPlayer } from './sound/sound-player.ts';
import { startStage } from './stage-client.ts';
import { setSound } from './transport.ts';

let isStarted = false;

/** Planning and drawing begin with the first preview that is shown, and go on from there. */
export function startPreview(): void {
  if (isStarted) return;
  isStarted = true;
  startPlanning();
  startStage();
  watchStills();
  setSound(new SoundPlayer());
}
