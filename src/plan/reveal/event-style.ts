/**
 * What a style of event is. Every curve is a function of `progress`, from 0 at the event's frame to 1 at its end: the same at
 * every frame rate, without a jump but for what a landing sets off, and exactly at rest at 1. (R13, R19)
 */
export interface EventStyle<Look extends Readonly<Record<string, number>>> {
  /** How long it is under way, in seconds, what its landing sets off included. */
  readonly seconds: number;
  /** When the card touches the board, in seconds from the event's frame: a flash begins there, and an impact is heard. */
  readonly landsAt: number;
  /** How far the room for the card has opened: 0 at 0, 1 at 1, never less later on, and all before the card is there. */
  room(progress: number): number;
  /** The card in front of the board, until it lands and as far as anything of it stays there. */
  look(progress: number): Look;
  /** The card on the board, and what its landing sets off. */
  landed(progress: number): Landed;
  /** How far the board is from its place, as a share of the farthest it goes; null: it never is. */
  readonly shake: ((progress: number) => Shake) | null;
}

/** A card on the board. */
interface Landed {
  /** Its size against its slot's. */
  readonly scale: number;
  /** How much of it shows. */
  readonly alpha: number;
  /** How brightly its row is lit, from 0 to 1. */
  readonly flash: number;
}

export interface Shake {
  readonly x: number;
  readonly y: number;
}

/** Of a card that is never in front of the board. */
export type NoLook = Readonly<Record<never, number>>;

export const AT_REST: Landed = { scale: 1, alpha: 1, flash: 0 };

/** When an event's card lands. */
type Landing = Pick<EventStyle<NoLook>, 'seconds' | 'landsAt'>;

/** Seconds since the card touched the board; below 0 before. Fractions of a microsecond are a matter of rounding. */
export function sinceLanding({ seconds, landsAt }: Landing, progress: number): number {
  const since = progress * seconds - landsAt;
  return Math.abs(since) < 1e-7 ? 0 : since;
}

/** What a landing sets off has come to rest after this share of the time there is for it. What would still move by then nobody sees. */
const SETTLED = 0.8;

/** The card gives way a little under its own weight, and its row lights up once. */
export function settling(landing: Landing): (progress: number) => Landed {
  const length = (landing.seconds - landing.landsAt) * SETTLED;
  return (progress) => {
    const since = sinceLanding(landing, progress);
    if (since < 0 || since >= length) return AT_REST;
    const left = 1 - since / length;
    const scale = 1 + 0.07 * Math.sin((since / length) * 2.4 * Math.PI) * left ** 2;
    return { scale, alpha: 1, flash: left ** 2 };
  };
}
