import { heldFrames, verdictOf, withVerdict } from '../../document/timeline/reveal-course.ts';
import { startDrag } from '../../kit/drag-session.ts';
import { type HeldReveal, heldReveal } from '../../session/held-reveal.ts';
import { beginGesture, timelineData } from '../../session/session.ts';
import { editTimeline, putTimeline, timeRules } from '../../session/timeline.ts';
import * as texts from '../../texts/en/timeline-tools.ts';
import { held } from './entry-drag.ts';
import { heldAt, isDragging, scale } from './timeline-model.ts';

/** By keys: each press is one undo step. */
export function moveVerdict({ ref, course }: HeldReveal, byFrames: number): void {
  const to = verdictOf(course) + byFrames;
  editTimeline(texts.moveVerdict, (data, by) => withVerdict(data, ref, to, { course, rules: by }));
}

/** Sets the verdict to the end of the entrance. */
export function shortestHold(reveal: HeldReveal): void {
  moveVerdict(reveal, -heldFrames(reveal.course, timeRules.value.rate));
}

/** By pointer: the whole drag is one step. */
export function dragVerdict(event: PointerEvent): void {
  const { ref, course, verdict, at } = heldReveal.value!;
  const before = timelineData.value;
  const { rate } = timeRules.value;
  const gesture = beginGesture();
  startDrag(event, {
    from: 'moved',
    start() {
      isDragging.value = true;
      return true;
    },
    move({ x }, moved) {
      const wanted = ((x - event.clientX) * rate.num) / rate.den / scale.value.pxPerSecond;
      const by = held([verdict], wanted, { data: before, except: [ref] }, moved);
      const after = withVerdict(before, ref, verdict + by - at, { course, rules: timeRules.value });
      gesture.change(texts.moveVerdict, (draft) => putTimeline(draft, before, after));
    },
    over() {
      isDragging.value = false;
      heldAt.value = null;
    },
    click: () => gesture.cancel(),
    end: () => gesture.end(),
    cancel: () => gesture.cancel(),
  });
}
