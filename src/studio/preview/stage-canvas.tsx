import { useEffect, useRef } from 'preact/hooks';
import { attachCanvas, scaleCanvas } from './stage-client.ts';

/** Sizes go in steps, so that dragging a window's edge does not make a new canvas at every pixel. */
const STEPS = 8;

/** A canvas that the stage draws on, as finely as it is seen and no finer. */
export function StageCanvas({
  place,
  width,
  label,
}: {
  readonly place: string;
  readonly width: number;
  readonly label: string;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const plannedWidth = useRef(width);
  plannedWidth.current = width;
  useEffect(() => {
    // One canvas can be handed over once: it is made here, not by the component's markup, which may be reused.
    const canvas = document.createElement('canvas');
    // What has a word beside it needs none of its own.
    if (label === '') canvas.setAttribute('aria-hidden', 'true');
    else {
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', label);
    }
    holder.current!.append(canvas);
    const detach = attachCanvas(place, canvas);
    const fit = () => {
      const seen = canvas.getBoundingClientRect().width * devicePixelRatio;
      scaleCanvas(place, seen === 0 ? null : Math.min(1, Math.ceil((seen / plannedWidth.current) * STEPS) / STEPS));
    };
    const watching = new ResizeObserver(fit);
    watching.observe(canvas);
    return () => {
      watching.disconnect();
      detach();
      canvas.remove();
    };
  }, [place, label]);
  return <div class="stage-canvas" ref={holder} />;
}
