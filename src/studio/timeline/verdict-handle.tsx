import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { MAX_HOLD_SECONDS } from '../../timeline/limits.ts';
import { runKey } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { type HeldReveal, heldReveal, heldSeconds, verdictWords } from '../session/held-reveal.ts';
import { readOnly } from '../session/session.ts';
import { timeRules } from '../session/timeline.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { revealedItem, scale, scrollTop, timelineLayout } from './act/timeline-model.ts';
import { dragVerdict, moveVerdict, shortestHold } from './act/verdict.ts';
import { xOf } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

/** The handle of the selected spotlight's verdict, for pointer and keys. (C55) */
export function VerdictHandle() {
  const reveal = heldReveal.value;
  return reveal === null || readOnly.value ? null : <Handle reveal={reveal} />;
}

function Handle({ reveal }: { readonly reveal: HeldReveal }) {
  const handle = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = handle.current;
    return () => {
      // The selection may disappear while the handle has the focus.
      if (document.activeElement === element) focusSoon('.tl-list');
    };
  }, []);
  const line = timelineLayout.value.boxes.find(({ track }) => track.lane === 'tier_tiles')!;
  const { tile } = reveal;
  const name = revealedItem(tile).item?.name ?? tile.tier_item_id!;
  const x = xOf(secondsOf(reveal.verdict as Frames, timeRules.value.rate), scale.value);
  return (
    <div class="tl-over">
      <div
        ref={handle}
        class="tl-verdict"
        role="slider"
        tabIndex={0}
        aria-label={texts.verdictOf(name)}
        aria-valuemin={0}
        aria-valuemax={MAX_HOLD_SECONDS}
        aria-valuenow={Math.round(heldSeconds(reveal) * 100) / 100}
        aria-valuetext={verdictWords(reveal)}
        title={texts.verdictHint(verdictWords(reveal))}
        style={{
          height: `${line.height}px`,
          transform: `translate(${x}px, ${line.top - scrollTop.value + RULER_PX}px)`,
        }}
        onPointerDown={dragVerdict}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  const reveal = heldReveal.value;
  if (reveal === null) return;
  const second = Math.round(timeRules.value.rate.num / timeRules.value.rate.den);
  runKey(event, {
    arrowright: () => moveVerdict(reveal, 1),
    arrowup: () => moveVerdict(reveal, 1),
    arrowleft: () => moveVerdict(reveal, -1),
    arrowdown: () => moveVerdict(reveal, -1),
    'shift+arrowright': () => moveVerdict(reveal, second),
    'shift+arrowup': () => moveVerdict(reveal, second),
    'shift+arrowleft': () => moveVerdict(reveal, -second),
    'shift+arrowdown': () => moveVerdict(reveal, -second),
    pageup: () => moveVerdict(reveal, second),
    pagedown: () => moveVerdict(reveal, -second),
    home: () => shortestHold(reveal),
    escape: () => focusSoon('.tl-list'),
  });
}
