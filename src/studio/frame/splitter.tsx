import { startDrag } from '../kit/drag-session.ts';
import * as texts from '../texts/en/late.ts';
import { DEFAULT_SIZES, type PaneName, paneSizes } from './page-look.ts';

interface Pane {
  /** Selector of the measured element. */
  readonly selector: string;
  /** The size is a percentage of this element; null if it is in pixels. */
  readonly shareOf: string | null;
  readonly axis: 'x' | 'y';
  /** 1 if it grows to the right, -1 if it grows to the left or up. */
  readonly grows: 1 | -1;
  readonly usual: number;
  readonly min: number;
  readonly max: () => number;
}

const PANES = {
  media: {
    ...{ selector: '.bin', shareOf: null, axis: 'x', grows: 1 },
    ...{ usual: 252, min: 150, max: () => Math.min(520, innerWidth * 0.28) },
  },
  details: {
    ...{ selector: '.insp', shareOf: null, axis: 'x', grows: -1 },
    ...{ usual: 288, min: 220, max: () => Math.min(620, innerWidth * 0.36) },
  },
  board: {
    ...{ selector: '.board', shareOf: '.centre', axis: 'x', grows: 1 },
    ...{ usual: 40, min: 22, max: () => 75 },
  },
  timeline: {
    ...{ selector: '.tl-grid', shareOf: null, axis: 'y', grows: -1 },
    ...{ usual: 222, min: 110, max: () => innerHeight * 0.65 },
  },
} as const satisfies Readonly<Record<PaneName, Pane>>;

const STEP = { x: 16, y: 16 } as const;
const SHARE_STEP = 2;

/** The edge between two panes: dragged or moved by arrow keys, and reset by a double click or Enter. */
export function Splitter({ pane: name }: { readonly pane: PaneName }) {
  const pane: Pane = PANES[name];
  const put = (size: number) => {
    const bounded = Math.round(Math.max(pane.min, Math.min(size, pane.max())) * 10) / 10;
    paneSizes.value = { ...paneSizes.value, [name]: bounded };
  };
  const reset = () => {
    const { [name]: _, ...others } = paneSizes.value;
    paneSizes.value = Object.keys(others).length === 0 ? DEFAULT_SIZES : others;
  };
  const byKeys = (event: KeyboardEvent) => {
    const [back, on] = pane.axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const step = (pane.shareOf === null ? STEP[pane.axis] : SHARE_STEP) * pane.grows * (event.shiftKey ? 4 : 1);
    if (event.key === back) put(sizeOf(pane) - step);
    else if (event.key === on) put(sizeOf(pane) + step);
    else if (event.key === 'Home') put(pane.min);
    else if (event.key === 'End') put(pane.max());
    else if (event.key === 'Enter') reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`splitter along-${pane.axis}`}
      data-pane={name}
      role="separator"
      tabIndex={0}
      aria-label={texts.paneEdges[name]}
      aria-orientation={pane.axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(paneSizes.value[name] ?? pane.usual)}
      aria-valuemin={pane.min}
      aria-valuemax={Math.round(pane.max())}
      title={texts.paneEdgeHint(texts.paneEdges[name])}
      onPointerDown={(event) => drag(event, pane, put)}
      onDblClick={reset}
      onKeyDown={byKeys}
    />
  );
}

function sizeOf({ selector, shareOf, axis }: Pane): number {
  const measure = (wanted: string) => {
    const box = document.querySelector(wanted)?.getBoundingClientRect();
    return (axis === 'x' ? box?.width : box?.height) ?? 0;
  };
  return shareOf === null ? measure(selector) : (measure(selector) / Math.max(1, measure(shareOf))) * 100;
}

function drag(event: PointerEvent, pane: Pane, put: (size: number) => void): void {
  const { axis, grows, shareOf } = pane;
  const from = axis === 'x' ? event.clientX : event.clientY;
  const before = sizeOf(pane);
  const whole = shareOf === null ? 100 : (document.querySelector(shareOf)?.getBoundingClientRect().width ?? 100);
  startDrag(event, {
    from: 'moved',
    start: () => true,
    move: (at) => put(before + ((at[axis] - from) * grows * 100) / whole),
    end() {},
    cancel: () => put(before),
  });
}
