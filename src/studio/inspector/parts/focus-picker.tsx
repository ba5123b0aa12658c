import { useRef } from 'preact/hooks';
import type { RawItem } from '../../../timeline/document-schemas.ts';
import { changeView } from '../../document/board-commands.ts';
import { type Point, startDrag } from '../../kit/drag-session.ts';
import { Thumb } from '../../media/thumb.tsx';
import { beginGesture, edit, project } from '../../session/session.ts';
import { fields } from '../../texts/en/fields.ts';
import * as texts from '../../texts/en/inspector.ts';

/** The step of an arrow key, in percent; the second with Shift. */
const STEPS = [1, 10] as const;

/** Sets the focus point of an item's picture by dragging, and its zoom. (R35) */
export function FocusPicker({ item }: { readonly item: RawItem }) {
  const frame = useRef<HTMLDivElement>(null);
  const media = project.value.studio.media[item.file_field ?? ''];
  if (media === undefined || media.width === 0) return null;
  const { x = 50, y = 50 } = item.image_focus ?? {};
  const zoom = item.image_zoom ?? 1;
  const drag = (event: PointerEvent) => {
    const { left, top, width, height } = frame.current!.getBoundingClientRect();
    const gesture = beginGesture();
    const put = (at: Point) => {
      const focus = { x: percent((at.x - left) / width), y: percent((at.y - top) / height) };
      gesture.change(texts.moveFocus, (draft) => changeView(draft, item.id, { focus }));
    };
    startDrag(event, { from: 'down', start: () => true, move: put, end: gesture.end, cancel: gesture.cancel });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [across = 0, down = 0] = ARROWS[event.key] ?? [];
    if (across === 0 && down === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const step = STEPS[event.shiftKey ? 1 : 0];
    const focus = { x: percent((x + across * step) / 100), y: percent((y + down * step) / 100) };
    edit(texts.moveFocus, (draft) => changeView(draft, item.id, { focus }));
  };
  return (
    <div class="fld focus-picker">
      <span class="l">{texts.focusAndZoom}</span>
      <div
        ref={frame}
        class="focus-frame"
        style={{ 'aspect-ratio': `${media.width} / ${media.height}` }}
        onPointerDown={drag}
      >
        <Thumb entry={media} />
        <button
          type="button"
          class="focus-point"
          style={{ left: `${x}%`, top: `${y}%` }}
          aria-label={texts.focusPoint(x, y)}
          title={fields.item.image_focus[2]}
          onKeyDown={onKeyDown}
        />
      </div>
      <label class="zoom-field">
        <span>{texts.zoom}</span>
        <input
          type="range"
          min={1}
          max={10}
          step={0.1}
          value={zoom}
          aria-valuetext={texts.zoomTimes(zoom)}
          onChange={({ currentTarget: { value } }) =>
            edit(texts.changeZoom, (draft) => changeView(draft, item.id, { zoom: Number(value) }))
          }
        />
        <output>{zoom}×</output>
      </label>
    </div>
  );
}

const ARROWS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A fraction as a percentage, to a tenth. */
function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
