import { useEffect, useRef } from 'preact/hooks';
import { attachCanvas, scaleCanvas } from './stage-client.ts';

/** Sizes change in steps, so that resizing the window does not reallocate the canvas at every pixel. */
const STEPS = 8;

/** A canvas for the stage, no finer than it is displayed. */
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
    // A canvas can be transferred only once. It is created here, because Preact may reuse an element of the markup.
    const canvas = document.createElement('canvas');
    // A canvas with a visible label beside it needs no accessible name.
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
