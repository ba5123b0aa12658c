import type { BoardScene, Reveal, RevealStyle } from '../board-scene.ts';
import { plainTheme } from '../place/plan-theme.ts';
import type { BoardWindow, LayerRef, RenderPlan, SubtitleLayer } from '../render-plan.ts';

/** What 0.1 wrote in the place of what a plan has today. */
interface OldScene extends Omit<BoardScene, 'events' | 'card' | 'counter'> {
  readonly reveal: RevealStyle;
  readonly reveals: readonly Omit<Reveal, 'style' | 'lasts'>[];
}

interface OldLayers {
  readonly windows: readonly BoardWindow[];
  readonly subtitles: readonly SubtitleLayer[];
}

/** What spans of 0.1 referred to; the index is named after the kind. */
type OldRef = Readonly<Record<'clip' | 'window' | 'subtitle' | 'started' | 'settled', number>> & {
  readonly kind: 'clip' | 'board' | 'subtitle';
};

const AS_EVER = { enter: null, exit: null } as const;

/**
 * A stored plan as the engine of today takes it. One of 0.1, which cannot be planned anew since its request was not kept, has
 * nothing of what came later: it gets what was meant when there was no choice.
 */
export function renewedPlan(stored: RenderPlan): RenderPlan {
  if (stored.theme !== undefined) return stored;
  const old = stored as unknown as OldLayers;
  return {
    ...stored,
    theme: plainTheme('midnight'),
    clips: stored.clips.map((clip) => ({ ...clip, look: null, ...AS_EVER })),
    board: stored.board === null ? null : renewedScene(stored.board as unknown as OldScene),
    painted: {
      board: old.windows.map((window) => ({ ...window, ...AS_EVER })),
      subtitle: old.subtitles.map((subtitle) => ({ ...subtitle, words: [], ...AS_EVER })),
      progress: [],
    },
    shorts: [],
    spans: stored.spans.map(({ layers, ...span }) => ({ ...span, layers: layers.map(renewedLayer) })),
  };
}

function renewedScene({ reveal: style, reveals, ...scene }: OldScene): BoardScene {
  return {
    ...scene,
    card: { shape: 'square', names: 'auto' },
    items: scene.items.map((item) => ({ ...item, fit: 'cover', score: '', note: '' })),
    events: reveals.map((reveal) => ({ ...reveal, style, lasts: reveal.end - reveal.at })),
    counter: false,
  };
}

function renewedLayer(layer: LayerRef): LayerRef {
  const { kind, clip, window, subtitle, started, settled } = layer as unknown as OldRef;
  if (kind === 'clip') return { kind, index: clip };
  if (kind === 'subtitle') return { kind, index: subtitle, started: 0, settled: 0, changes: false };
  return { kind, index: window, started, settled, changes: started !== settled };
}
