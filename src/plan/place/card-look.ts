import type { BoardItem, CardLook } from '../board-scene.ts';
import type { MediaFacts } from '../media-facts.ts';
import type { PlanContext } from './plan-context.ts';

type Shape = CardLook['shape'];
type Size = Pick<MediaFacts, 'width' | 'height'>;

/**
 * Width by height of a card's picture. Between the usual formats, so that each of them loses less than a tenth: 2:3 and 3:4;
 * 3:2, 16:10 and 16:9.
 */
export const CARD_ASPECT: Readonly<Record<Shape, number>> = { square: 1, portrait: 0.7, landscape: 1.6 };

/** The most of a picture that may be cut off to fill its card. (C46) */
const MAX_LOST = 0.1;
/** For sizes in whole pixels: 1920 × 1080 in 16:10 loses a tenth. */
const ABOUT = 1e-3;

/** The common look of all cards; `auto` takes the shape that most of the pictures have. (C46) */
export function cardLook({ request, media }: PlanContext): CardLook {
  const { shape, names } = request.settings.card;
  const pictures = request.tierList.items.flatMap(({ media: image }) => {
    const facts = image === null ? null : media.facts(image);
    return facts !== null && isPicture(facts) ? [facts] : [];
  });
  if (pictures.length === 0) {
    // Cards without pictures need no names below them, and lines of text are wide.
    return { shape: shape === 'auto' ? 'landscape' : shape, names: 'never' };
  }
  return { shape: shape === 'auto' ? commonShape(pictures) : shape, names };
}

/** Whether a file can be seen on a card. */
export function isPicture({ kind }: Pick<MediaFacts, 'kind'>): boolean {
  return kind === 'still' || kind === 'animation' || kind === 'drawing';
}

/** The picture fills its card, unless too much of it would be lost. */
export function cardFit(picture: Size, shape: Shape): BoardItem['fit'] {
  const ratio = aspectOf(picture) / CARD_ASPECT[shape];
  return 1 - Math.min(ratio, 1 / ratio) > MAX_LOST + ABOUT ? 'contain' : 'cover';
}

/** The shape nearest to most of them; in a tie, the one nearer to a square. */
function commonShape(pictures: readonly Size[]): Shape {
  const counts: Record<Shape, number> = { square: 0, landscape: 0, portrait: 0 };
  for (const picture of pictures) counts[nearestShape(aspectOf(picture))] += 1;
  return SHAPES.reduce((best, shape) => (counts[shape] > counts[best] ? shape : best));
}

const SHAPES: readonly Shape[] = ['square', 'landscape', 'portrait'];

function nearestShape(aspect: number): Shape {
  const distance = (shape: Shape) => Math.abs(Math.log(aspect / CARD_ASPECT[shape]));
  return SHAPES.reduce((best, shape) => (distance(shape) < distance(best) ? shape : best));
}

function aspectOf({ width, height }: Size): number {
  return width > 0 && height > 0 ? width / height : 1;
}
