import { lerp, Noise, seededRandom, smoothStep } from '../making/noise.ts';

/** What one point of a planet is like; one object serves all points, so that a million of them cost no memory. */
export interface SurfacePoint {
  red: number;
  green: number;
  blue: number;
  /** How far the ground leans away from the sphere, in the planet's own directions. */
  leanX: number;
  leanY: number;
  leanZ: number;
  /** From 0 (dust) to 1 (water). */
  gloss: number;
}

/** Says what a planet is like at a point of the unit sphere; y points to its south pole. */
export type PlanetSurface = (point: SurfacePoint, x: number, y: number, z: number) => void;

type Rgb = readonly [red: number, green: number, blue: number];

/** Grey rock, hit many times. */
export function mercurySurface(): PlanetSurface {
  const noise = new Noise(11);
  const craters = createCraters(12, 90, 0.05, 0.3);
  return (point, x, y, z) => {
    paint(point, GREY_ROCK, smoothStep(0.3, 0.72, noise.fractal(x * 3.2, y * 3.2, z * 3.2, 5)));
    craters(point, x, y, z, 0.85);
  };
}

/** Clouds all over, drawn out by the wind into a sideways V. */
export function venusSurface(): PlanetSurface {
  const noise = new Noise(21);
  return (point, x, y, z) => {
    const drift = noise.fractal(x * 1.6, y * 2.4 + 0.5 * Math.abs(y), z * 1.6, 4);
    const swirl = noise.fractal(x * 2 + drift * 2.2, y * 6 + drift * 2.6, z * 2, 5);
    paint(point, VENUS_CLOUD, smoothStep(0.25, 0.78, swirl));
  };
}

/** Seas, continents, ice at the poles and weather above it all. */
export function earthSurface(): PlanetSurface {
  const noise = new Noise(34);
  const weather = new Noise(35);
  return (point, x, y, z) => {
    const height = noise.fractal(x * 1.7 + 4.1, y * 1.7 + 1.2, z * 1.7 + 7.7, 6);
    const land = smoothStep(0.565, 0.577, height);
    paint(point, SEA, smoothStep(0.36, 0.575, height));
    point.gloss = 1 - land;
    const dryness = noise.fractal(x * 3 + 20, y * 3, z * 3, 4) + 0.25 - Math.abs(Math.abs(y) - 0.35);
    blend(point, ramp(LAND, smoothStep(0.42, 1.05, dryness + (height - 0.55) * 0.8)), land);
    blend(point, WHITE_ICE, smoothStep(0.8, 0.88, Math.abs(y) + (height - 0.5) * 0.5));
    const bend = weather.fractal(x * 2, y * 2, z * 2, 3);
    const cloud = weather.fractal(x * 2.4 + bend * 2.4, y * 4.4 + bend, z * 2.4 + bend * 1.4, 6);
    const cover = smoothStep(0.54, 0.72, cloud);
    blend(point, WHITE_CLOUD, cover * 0.94);
    point.gloss *= 1 - cover;
  };
}

/** Rust, a long canyon, a little ice. */
export function marsSurface(): PlanetSurface {
  const noise = new Noise(47);
  const craters = createCraters(48, 26, 0.04, 0.14);
  return (point, x, y, z) => {
    const ground = noise.fractal(x * 2.3, y * 2.6, z * 2.3, 6);
    paint(point, RUST, smoothStep(0.3, 0.7, ground));
    const wander = noise.fractal(x * 4, y * 4 + 9, z * 4, 4) - 0.5;
    const canyon = Math.abs(y - 0.12 - 0.12 * x - wander * 0.22);
    blend(
      point,
      [0.24, 0.09, 0.06],
      (1 - smoothStep(0.008, 0.04, canyon)) * (1 - smoothStep(0.45, 0.62, Math.abs(x))) * 0.8,
    );
    craters(point, x, y, z, 0.5);
    blend(point, WHITE_ICE, smoothStep(0.87, 0.91, -y + wander * 0.12));
    blend(point, WHITE_ICE, smoothStep(0.94, 0.97, y + wander * 0.12));
  };
}

/** Bands that rub against each other, and a storm older than telescopes. */
export function jupiterSurface(): PlanetSurface {
  const noise = new Noise(53);
  return (point, x, y, z) => {
    const [dx, dy] = [(x + 0.28) / 0.27, (y - 0.36) / 0.13];
    const fromSpot = z > 0 ? Math.hypot(dx, dy) : 9;
    // Bands make way for the storm.
    const aside = Math.exp(-(fromSpot ** 2) / 1.6) * 0.06 * Math.sign(dy);
    const curl = noise.fractal(x * 4.5, y * 16, z * 4.5, 5) - 0.5;
    const latitude = y + aside + curl * 0.085;
    const band = noise.fractal(3.3, latitude * 8.5, 0.5, 3) * 0.8 + curl * 0.35 + 0.1;
    paint(point, JUPITER_BANDS, smoothStep(0.2, 0.78, band));
    blend(point, [0.96, 0.9, 0.8], (1 - smoothStep(1, 1.5, fromSpot)) * 0.75);
    const storm = [0.72, 0.31, 0.2] as const;
    blend(point, storm, (1 - smoothStep(0.78, 1, fromSpot)) * (0.86 + 0.1 * Math.sin(fromSpot * 8 + curl * 14)));
  };
}

/** Pale gold in soft stripes; its rings do the talking. */
export function saturnSurface(): PlanetSurface {
  const noise = new Noise(61);
  return (point, x, y, z) => {
    const curl = noise.fractal(x * 3, y * 12, z * 3, 3) - 0.5;
    paint(point, SATURN_BANDS, smoothStep(0.22, 0.8, noise.fractal(1.7, (y + curl * 0.03) * 7, 0.2, 3)));
  };
}

/** Almost nothing to see, in the nicest colour. */
export function uranusSurface(): PlanetSurface {
  const noise = new Noise(71);
  return (point, x, y, z) => {
    const haze = noise.fractal(x, y * 3.5, z, 3);
    paint(point, URANUS_HAZE, smoothStep(0, 1, (y + 1) * 0.42 + (haze - 0.5) * 0.4));
  };
}

/** Deep blue with a dark storm and high white wisps. */
export function neptuneSurface(): PlanetSurface {
  const noise = new Noise(83);
  return (point, x, y, z) => {
    const curl = noise.fractal(x * 2, y * 7, z * 2, 4);
    paint(point, NEPTUNE_BLUES, smoothStep(0.25, 0.75, curl * 0.7 + noise.at(5, y * 5, 1) * 0.3));
    const fromSpot = z > 0 ? Math.hypot((x - 0.1) / 0.24, (y - 0.22) / 0.12) : 9;
    blend(point, [0.04, 0.08, 0.34], (1 - smoothStep(0.55, 1.05, fromSpot)) * 0.9);
    const wisp = noise.fractal(x * 2.2 + 9, y * 17, z * 2.2, 4) * (1 - smoothStep(0.5, 0.75, Math.abs(y - 0.12)));
    const beneath = Math.exp(-(((y - 0.37 + 0.05 * x) / 0.025) ** 2)) * (1 - smoothStep(0.2, 0.42, Math.abs(x - 0.12)));
    blend(point, [0.93, 0.97, 1], Math.min(0.9, smoothStep(0.6, 0.74, wisp) * 0.7 + beneath * 0.8));
  };
}

/** Small, cold, brown, and with a heart of ice. */
export function plutoSurface(): PlanetSurface {
  const noise = new Noise(97);
  const craters = createCraters(98, 40, 0.04, 0.16);
  return (point, x, y, z) => {
    const ground = noise.fractal(x * 2.4, y * 2.4, z * 2.4, 5);
    paint(point, PLUTO_GROUND, smoothStep(0.34, 0.82, ground + Math.abs(y) * 0.1));
    craters(point, x, y, z, 0.45);
    const fray = (noise.fractal(x * 9, y * 9, z * 9, 3) - 0.5) * 0.14;
    const [hx, hy] = [(x - 0.05) / 0.5 + fray, -(y - 0.06) / 0.5 + fray];
    const heart = hx * hx + (1.25 * hy - 0.78 * Math.sqrt(Math.abs(hx))) ** 2;
    const inside = z > 0 ? 1 - smoothStep(0.93, 1.02, heart) : 0;
    blend(point, [1, 0.95, 0.88], inside * 0.97);
    point.leanX *= 1 - inside;
    point.leanY *= 1 - inside;
    point.leanZ *= 1 - inside;
  };
}

/** Bowls with raised rims, strewn over a sphere. */
function createCraters(seed: number, count: number, smallest: number, largest: number) {
  const random = seededRandom(seed);
  const craters = Array.from({ length: count }, () => {
    const height = random() * 2 - 1;
    const turn = random() * 2 * Math.PI;
    const flat = Math.sqrt(1 - height * height);
    // Small ones are far more frequent than large ones.
    const radius = lerp(smallest, largest, random() ** 3);
    return { x: flat * Math.cos(turn), y: height, z: flat * Math.sin(turn), radius, reach: Math.cos(radius * 1.5) };
  });
  return (point: SurfacePoint, x: number, y: number, z: number, depth: number) => {
    for (const crater of craters) {
      const along = crater.x * x + crater.y * y + crater.z * z;
      if (along < crater.reach) continue;
      const away = Math.acos(Math.min(1, along)) / crater.radius;
      const slope = away < 0.9 ? away : -Math.exp(-((away - 0.9) * 7)) * 0.9;
      const scale = (-slope * depth) / Math.max(1e-6, Math.sqrt(1 - along * along));
      point.leanX += (x - crater.x * along) * scale;
      point.leanY += (y - crater.y * along) * scale;
      point.leanZ += (z - crater.z * along) * scale;
      if (away < 0.9) blend(point, [0.2, 0.17, 0.15], 0.16);
    }
  };
}

function paint(point: SurfacePoint, colours: readonly Rgb[], at: number): void {
  const [red, green, blue] = ramp(colours, at);
  point.red = red;
  point.green = green;
  point.blue = blue;
}

function blend(point: SurfacePoint, [red, green, blue]: Rgb, share: number): void {
  point.red = lerp(point.red, red, share);
  point.green = lerp(point.green, green, share);
  point.blue = lerp(point.blue, blue, share);
}

function ramp(colours: readonly Rgb[], at: number): Rgb {
  const place = Math.min(0.9999, Math.max(0, at)) * (colours.length - 1);
  const [from, to] = [colours[Math.floor(place)]!, colours[Math.floor(place) + 1]!];
  const t = place % 1;
  return [lerp(from[0], to[0], t), lerp(from[1], to[1], t), lerp(from[2], to[2], t)];
}

const WHITE_ICE: Rgb = [0.95, 0.97, 1];
const WHITE_CLOUD: Rgb = [1, 1, 1];
const GREY_ROCK: readonly Rgb[] = [
  [0.3, 0.27, 0.25],
  [0.52, 0.47, 0.43],
  [0.72, 0.66, 0.6],
  [0.86, 0.8, 0.72],
];
const VENUS_CLOUD: readonly Rgb[] = [
  [0.66, 0.4, 0.16],
  [0.86, 0.6, 0.27],
  [0.96, 0.8, 0.48],
  [1, 0.94, 0.76],
];
const SEA: readonly Rgb[] = [
  [0.02, 0.1, 0.34],
  [0.04, 0.25, 0.58],
  [0.13, 0.52, 0.76],
];
const LAND: readonly Rgb[] = [
  [0.1, 0.36, 0.15],
  [0.27, 0.5, 0.2],
  [0.66, 0.6, 0.33],
  [0.8, 0.66, 0.44],
];
const RUST: readonly Rgb[] = [
  [0.33, 0.13, 0.08],
  [0.62, 0.25, 0.12],
  [0.84, 0.42, 0.2],
  [0.96, 0.66, 0.42],
];
const JUPITER_BANDS: readonly Rgb[] = [
  [0.5, 0.28, 0.17],
  [0.74, 0.5, 0.33],
  [0.93, 0.81, 0.66],
  [0.99, 0.95, 0.88],
];
const SATURN_BANDS: readonly Rgb[] = [
  [0.68, 0.52, 0.3],
  [0.85, 0.71, 0.46],
  [0.96, 0.86, 0.64],
  [1, 0.95, 0.8],
];
const URANUS_HAZE: readonly Rgb[] = [
  [0.82, 0.98, 0.96],
  [0.58, 0.9, 0.91],
  [0.38, 0.74, 0.82],
];
const NEPTUNE_BLUES: readonly Rgb[] = [
  [0.08, 0.18, 0.58],
  [0.15, 0.34, 0.82],
  [0.3, 0.56, 0.96],
];
const PLUTO_GROUND: readonly Rgb[] = [
  [0.28, 0.15, 0.11],
  [0.55, 0.36, 0.26],
  [0.76, 0.58, 0.44],
  [0.88, 0.76, 0.62],
];
