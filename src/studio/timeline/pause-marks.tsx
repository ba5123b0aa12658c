import { secondsOf } from '../../time.ts';
import { keyName } from '../keys/keys.ts';
import { Icon } from '../kit/icon.tsx';
import { playing, rate } from '../session/session.ts';
import { seek } from '../session/transport.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/pauses.ts';
import { currentPause, playOverCut, type ReviewedPause, reviewed, turn } from './act/pauses-review.ts';
import { keepInSight } from './act/timeline-actions.ts';
import { boxOf, scale, scrollTop } from './act/timeline-model.ts';
import { timeLabel, xOf } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

/** Narrower marks have no icon, or no length. */
const ICON_PX = 24;
const LENGTH_PX = 44;
/** Lower ones have no length either. */
const LENGTH_HEIGHT_PX = 44;

/** The pauses on the bars; each can be kept. (C78) */
export function PauseMarks() {
  return (
    <div class="tl-over" role="group" aria-label={texts.pauses}>
      {reviewed.value.map((pause) => (
        <Mark key={pause.key} pause={pause} />
      ))}
    </div>
  );
}

function Mark({ pause }: { readonly pause: ReviewedPause }) {
  const { ref, key, frames, isCut } = pause;
  const box = boxOf(ref);
  if (box === null) return null;
  const [start, end] = [frames.start, frames.end].map((frame) => xOf(secondsOf(frame, rate.value), scale.value));
  const width = Math.max(4, end! - start!);
  const words = pauseWords(pause);
  return (
    <button
      type="button"
      class="tl-pause"
      data-current={key === currentPause.value}
      aria-pressed={isCut}
      aria-label={texts.cutPause(words)}
      title={isCut ? texts.pauseIsCut(words) : texts.pauseStays(words)}
      style={{
        width: `${width}px`,
        height: `${box.height}px`,
        transform: `translate(${start}px, ${box.y - scrollTop.value + RULER_PX}px)`,
      }}
      onClick={() => turn(pause)}
      onFocus={() => {
        if (currentPause.peek() === key) return;
        currentPause.value = key;
        if (!playing.peek()) seek(frames.start);
        keepInSight(frames.start);
      }}
      onKeyDown={(event) => {
        if (keyName(event) !== 'space') return;
        event.preventDefault();
        event.stopPropagation();
        playOverCut();
      }}
    >
      {width >= ICON_PX && <Icon name={isCut ? 'scissors' : 'check'} />}
      {width >= LENGTH_PX && box.height >= LENGTH_HEIGHT_PX && <span class="num">{pauseLength(pause)}</span>}
    </button>
  );
}

/** `1.2 s` */
export function pauseLength({ frames: { start, end } }: ReviewedPause): string {
  return page.seconds((secondsOf(end, rate.value) - secondsOf(start, rate.value)).toFixed(1));
}

export function pauseWords(pause: ReviewedPause): string {
  return texts.pauseAt(timeLabel(secondsOf(pause.frames.start, rate.value), true), pauseLength(pause));
}
