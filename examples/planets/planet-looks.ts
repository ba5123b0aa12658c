import {
  earthSurface,
  jupiterSurface,
  marsSurface,
  mercurySurface,
  neptuneSurface,
  type PlanetSurface,
  plutoSurface,
  saturnSurface,
  uranusSurface,
  venusSurface,
} from './planet-surfaces.ts';

/** A ring around a planet, in radii of the planet. */
export interface PlanetRing {
  /** How it is turned on the picture, in radians. */
  readonly turn: number;
  /** Its height against its width: 0 is seen from the edge. */
  readonly openness: number;
  /** How dark its shadow is. */
  readonly shadow: number;
  readonly bands: readonly { readonly inner: number; readonly outer: number; readonly rgba: string }[];
}

/** How a planet is drawn. */
export interface PlanetLook {
  readonly name: string;
  readonly createSurface: () => PlanetSurface;
  /** How far its axis leans, in radians. */
  readonly tilt: number;
  /** Red, green, blue from 0 to 1. */
  readonly air: readonly [number, number, number];
  /** How far the glow of its air reaches, in radii. */
  readonly airDepth: number;
  /** On its picture, as a share of the picture's side. */
  readonly radius: number;
  readonly ring: PlanetRing | null;
}

const SATURN_RING: PlanetRing = {
  turn: -0.36,
  openness: 0.32,
  shadow: 0.55,
  bands: [
    { inner: 1.22, outer: 1.36, rgba: 'rgba(150, 126, 92, 0.32)' },
    { inner: 1.36, outer: 1.5, rgba: 'rgba(205, 176, 130, 0.72)' },
    { inner: 1.5, outer: 1.6, rgba: 'rgba(236, 210, 164, 0.92)' },
    { inner: 1.6, outer: 1.66, rgba: 'rgba(214, 186, 140, 0.8)' },
    { inner: 1.66, outer: 1.79, rgba: 'rgba(242, 220, 178, 0.94)' },
    { inner: 1.86, outer: 1.96, rgba: 'rgba(216, 190, 148, 0.76)' },
    { inner: 1.96, outer: 2.06, rgba: 'rgba(190, 164, 124, 0.6)' },
    { inner: 2.11, outer: 2.13, rgba: 'rgba(190, 164, 124, 0.35)' },
  ],
};

const URANUS_RING: PlanetRing = {
  turn: 1.36,
  openness: 0.24,
  shadow: 0.16,
  bands: [
    { inner: 1.46, outer: 1.475, rgba: 'rgba(190, 240, 245, 0.45)' },
    { inner: 1.53, outer: 1.54, rgba: 'rgba(190, 240, 245, 0.35)' },
    { inner: 1.6, outer: 1.63, rgba: 'rgba(215, 250, 250, 0.6)' },
  ],
};

/** From the Sun outward. */
export const PLANET_LOOKS = {
  mercury: rock('Mercury', mercurySurface, 0.03, [0.75, 0.7, 0.66], 0.29),
  venus: world('Venus', venusSurface, 0.2, [1, 0.8, 0.45], 0.2, 0.33),
  earth: world('Earth', earthSurface, 0.41, [0.4, 0.68, 1], 0.26, 0.335),
  mars: world('Mars', marsSurface, 0.3, [1, 0.56, 0.36], 0.1, 0.31),
  jupiter: world('Jupiter', jupiterSurface, 0.06, [1, 0.85, 0.66], 0.12, 0.36),
  saturn: { ...world('Saturn', saturnSurface, -0.36, [1, 0.87, 0.6], 0.12, 0.215), ring: SATURN_RING },
  uranus: { ...world('Uranus', uranusSurface, 1.36, [0.62, 0.95, 0.96], 0.16, 0.27), ring: URANUS_RING },
  neptune: world('Neptune', neptuneSurface, 0.25, [0.36, 0.56, 1], 0.2, 0.32),
  pluto: rock('Pluto', plutoSurface, 0.1, [0.72, 0.78, 0.95], 0.27),
} satisfies Readonly<Record<string, PlanetLook>>;

/** A planet by its key in `PLANET_LOOKS`. */
export type PlanetKey = keyof typeof PLANET_LOOKS;

function rock(
  name: string,
  createSurface: () => PlanetSurface,
  tilt: number,
  air: PlanetLook['air'],
  radius: number,
): PlanetLook {
  return { name, createSurface, tilt, air, airDepth: 0.03, radius, ring: null };
}

function world(
  name: string,
  createSurface: () => PlanetSurface,
  tilt: number,
  air: PlanetLook['air'],
  airDepth: number,
  radius: number,
): PlanetLook {
  return { name, createSurface, tilt, air, airDepth, radius, ring: null };
}
