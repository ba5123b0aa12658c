import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { startDrag } from '../kit/drag-session.ts';
import { playhead, rate } from '../session/session.ts';
import { lengthInFrames, seek } from '../session/transport.ts';
import * as texts from '../texts/en/pauses.ts';
import { currentPause, reviewed } from './act/pauses-review.ts';
import { setScale, zoomToFit } from './act/timeline-actions.ts';
import { roomPx, scale } from './act/timeline-model.ts';
import { ZoomTools } from './timeline-tools.tsx';

/** Above the pauses: what the marks mean, how much of the time is seen, and the whole video with its pauses. (C78) */
export function PauseTools() {
  useEffect(fitNewRoom, []);
  return (
    <div class="pauses-tools">
      <div class="tl-group">
        <span class="pauses-key" data-cut>
          {texts.removed}
        </span>
        <span class="pauses-key">{texts.kept}</span>
      </div>
      <div class="tl-group">
        <ZoomTools />
      </div>
      <Overview />
    </div>
  );
}

/** The review has another width than the editor: it begins with all of the video, and the editor gets its part back. */
function fitNewRoom(): () => void {
  const before = scale.peek();
  let last = 0;
  // The room has its new width before or after this, and another one after a turn of the device. Hidden, it has none.
  const stop = effect(() => {
    const { width } = roomPx.value;
    if (width === last || width === 0) return;
    last = width;
    queueMicrotask(zoomToFit);
  });
  return () => {
    stop();
    setScale(before);
  };
}

/** The whole video: its pauses, what is seen of it, and the playhead. For the mouse; keys have the list. */
function Overview() {
  const frames = Math.max(1, lengthInFrames());
  const whole = secondsOf(frames as Frames, rate.value);
  const percent = (share: number) => `${Math.max(0, Math.min(100, 100 * share))}%`;
  const { from, pxPerSecond } = scale.value;
  const seen = roomPx.value.width / pxPerSecond;
  const show = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const go = ({ x }: { readonly x: number }) => {
      const share = Math.max(0, Math.min(1, (x - left) / width));
      seek(Math.round(share * frames));
      const start = Math.min(Math.max(0, whole - seen), Math.max(0, share * whole - seen / 2));
      setScale({ from: start, pxPerSecond: scale.peek().pxPerSecond });
    };
    startDrag(event, { from: 'down', start: () => true, move: go, end() {}, cancel() {} });
    go({ x: event.clientX });
  };
  return (
    <div class="pauses-whole" aria-hidden="true" onPointerDown={show}>
      {reviewed.value.map(({ key, frames: { start, end }, isCut }) => (
        <i
          key={key}
          data-cut={isCut}
          data-current={key === currentPause.value}
          style={{ left: percent(start / frames), width: percent((end - start) / frames) }}
        />
      ))}
      <b style={{ left: percent(from / whole), width: percent(Math.min(whole - from, seen) / whole) }} />
      <u style={{ left: percent(playhead.value / frames) }} />
    </div>
  );
}

/** Below the pauses: their keys. */
export function PauseKeys() {
  return (
    <p class="pauses-keys by-mouse">
      <span>
        <kbd>{texts.tabKey}</kbd> {texts.nextPause}
      </span>
      <span>
        <kbd>{texts.spaceKey}</kbd> {texts.playsOver}
      </span>
      <span>
        <kbd>X</kbd> {texts.keepsOrRemoves}
      </span>
      <span>{texts.movesAlong}</span>
    </p>
  );
}
