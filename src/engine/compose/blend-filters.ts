import type { Rect } from '../../plan/render-plan.ts';

/** What blending must know of a layer; `opacity` is null where it never changes from 1. */
export interface BlendedLayer {
  readonly rect: Rect;
  readonly opacity: number | null;
}

/** Every layer over the one before it. Blending happens in place, so each costs its own area and no more. */
export function blendFilters(layers: readonly BlendedLayer[]): string {
  const parts: string[] = [];
  let under = '[0]';
  for (const [index, { rect, opacity }] of layers.entries()) {
    if (index === 0) continue;
    const fade = opacity === null ? '' : `,lutyuv@${index}=a=${fadedAlpha(opacity)}`;
    parts.push(`[${index}]format=yuva420p${fade}[over${index}]`);
    const result = index === layers.length - 1 ? '[out]' : `[under${index}]`;
    parts.push(`${under}[over${index}]overlay=${rect.x}:${rect.y}:format=yuv420:eof_action=repeat${result}`);
    under = result;
  }
  return parts.join(';');
}

/** `lutyuv`'s expression for an alpha plane seen through; four digits are more than 8 bits can show. */
export function fadedAlpha(opacity: number): string {
  return `val*${opacity.toFixed(4)}`;
}
