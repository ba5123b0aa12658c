import { Icon } from '../kit/icon.tsx';
import { nextUp, stopRecording, tap, tapsLeft } from './act/record-reveals.ts';

/** While taps are recorded: who is next, and something large to hit. */
export function Recorder() {
  return (
    <div class="tl-recorder" role="status">
      <button type="button" class="bt prim big" onClick={tap}>
        <Icon name="reveal" />
        {nextUp.value === null ? 'All are in' : `Next: ${nextUp.value}`}
        <kbd>R</kbd>
      </button>
      <span class="q">{tapsLeft.value} to come</span>
      <button type="button" class="bt" onClick={stopRecording}>
        Done
      </button>
    </div>
  );
}
