import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/timeline-tools.ts';
import { nextUp, stopRecording, tap, tapsLeft } from './act/record-reveals.ts';

/** During a recording of taps: the next item, and a large button. */
export function TapRecorder() {
  return (
    <div class="tl-recorder" role="status">
      <button type="button" class="bt prim big" onClick={tap}>
        <Icon name="reveal" />
        {nextUp.value === null ? texts.allRevealed : texts.next(nextUp.value)}
        <kbd>R</kbd>
      </button>
      <span class="q">{texts.left(tapsLeft.value)}</span>
      <button type="button" class="bt" onClick={stopRecording}>
        {texts.done}
      </button>
    </div>
  );
}
