import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { seededRandom } from '../making/noise.ts';
import { createSurface } from '../making/surface.ts';
import { type Light, renderGlobe } from './draw-planet.ts';
import { PLANET_LOOKS, type PlanetKey, type PlanetLook } from './planet-looks.ts';

/** Length of the clip. */
export const ORBIT_VIEW_SECONDS = 10.8;

/** The picture this is composed for; other sizes are scaled. */
const DESIGN = { width: 1280, height: 720 };
/** How flat the orbits look from where we are. */
const FLATNESS = 0.44;
/** How much of its orbit a planet's trail covers. */
const TRAIL_RADIANS = 0.9;
/** A globe is rendered lit from the left, then turned to face the Sun. */
const FROM_LEFT: Light = { x: -0.86, y: 0, z: 0.5 };

/** Nowhere near to scale, or there would be nothing to see. */
const ORBITS: readonly Orbit[] = [
  { planet: 'mercury', away: 118, radius: 8, turnSeconds: 8, start: 0.6 },
  { planet: 'venus', away: 168, radius: 14, turnSeconds: 13, start: 3.5 },
  { planet: 'earth', away: 222, radius: 16, turnSeconds: 18, start: 5.4 },
  { planet: 'mars', away: 274, radius: 12, turnSeconds: 26, start: 1.9 },
  { planet: 'jupiter', away: 372, radius: 34, turnSeconds: 46, start: 2.6 },
  { planet: 'saturn', away: 466, radius: 26, turnSeconds: 60, start: 5.75 },
  { planet: 'uranus', away: 548, radius: 20, turnSeconds: 76, start: 0.35 },
  { planet: 'neptune', away: 622, radius: 19, turnSeconds: 95, start: 3.6 },
  { planet: 'pluto', away: 690, radius: 7, turnSeconds: 120, start: 1.25 },
];

interface Orbit {
  readonly planet: PlanetKey;
  readonly away: number;
  readonly radius: number;
  readonly turnSeconds: number;
  /** In radians. */
  readonly start: number;
}

/** Planets on their way around the Sun; returns what draws the moment `seconds`. */
export function createOrbitView(width: number, height: number): (context: SKRSContext2D, seconds: number) => void {
  const scale = width / DESIGN.width;
  const globes = new Map(
    ORBITS.map(({ planet, radius }) => [planet, renderGlobe(PLANET_LOOKS[planet], radius * scale * 1.6, FROM_LEFT)]),
  );
  const sky = drawSky(width, height, scale);
  const glow = drawSunGlow(320);
  return (context, seconds) => {
    context.drawImage(sky, 0, 0);
    context.save();
    lookAtSun(context, width, height);
    drawBelt(context, seconds);
    const placed = ORBITS.map((orbit) => ({ orbit, angle: orbit.start + (seconds * 2 * Math.PI) / orbit.turnSeconds }));
    const byDepth = placed.toSorted((a, b) => Math.sin(a.angle) - Math.sin(b.angle));
    for (const { orbit, angle } of placed) drawTrail(context, orbit, angle);
    for (const { orbit, angle } of byDepth) {
      if (Math.sin(angle) < 0) drawOrbiting(context, orbit, angle, globes.get(orbit.planet)!);
    }
    drawSun(context, glow, seconds);
    for (const { orbit, angle } of byDepth) {
      if (Math.sin(angle) >= 0) drawOrbiting(context, orbit, angle, globes.get(orbit.planet)!);
    }
    context.restore();
  };
}

function drawOrbiting(context: SKRSContext2D, { planet, away, radius }: Orbit, angle: number, globe: Canvas): void {
  const [x, y] = [Math.cos(angle) * away, Math.sin(angle) * away * FLATNESS];
  // What is nearer is larger.
  const size = radius * (1 + 0.2 * Math.sin(angle));
  const look: PlanetLook = PLANET_LOOKS[planet];
  const ring = (half: 'behind' | 'before') => {
    if (look.ring === null) return;
    for (const { inner, outer, rgba } of look.ring.bands) {
      context.save();
      context.translate(x, y);
      context.rotate(look.ring.turn);
      context.beginPath();
      const [from, to] = half === 'behind' ? [Math.PI, 2 * Math.PI] : [0, Math.PI];
      const middle = (size * (inner + outer)) / 2;
      context.ellipse(0, 0, middle, middle * look.ring.openness, 0, from, to);
      context.strokeStyle = rgba;
      context.lineWidth = size * (outer - inner) * 0.9;
      context.stroke();
      context.restore();
    }
  };
  ring('behind');
  context.save();
  context.translate(x, y);
  context.rotate(Math.atan2(y, x));
  context.drawImage(globe, -size, -size, 2 * size, 2 * size);
  context.restore();
  ring('before');
}

/** Where the planet has just been, fading. */
function drawTrail(context: SKRSContext2D, { planet, away }: Orbit, angle: number): void {
  const [red, green, blue] = PLANET_LOOKS[planet].air.map((value) => Math.round(value * 255));
  const fade = context.createConicGradient(angle - TRAIL_RADIANS, 0, 0);
  fade.addColorStop(0, `rgba(${red}, ${green}, ${blue}, 0)`);
  fade.addColorStop(TRAIL_RADIANS / (2 * Math.PI), `rgba(${red}, ${green}, ${blue}, 0.6)`);
  context.save();
  context.scale(1, FLATNESS);
  context.beginPath();
  context.arc(0, 0, away, angle - TRAIL_RADIANS, angle);
  context.strokeStyle = fade;
  context.lineWidth = 3;
  context.stroke();
  context.restore();
}

/** The origin becomes the Sun, a unit a pixel of the design. */
function lookAtSun(context: SKRSContext2D, width: number, height: number): void {
  context.translate(width / 2, height / 2);
  context.scale(width / DESIGN.width, width / DESIGN.width);
  context.rotate(-0.16);
}

function drawPaths(context: SKRSContext2D): void {
  context.strokeStyle = 'rgba(150, 175, 230, 0.16)';
  context.lineWidth = 1.1;
  for (const { away } of ORBITS) {
    context.beginPath();
    context.ellipse(0, 0, away, away * FLATNESS, 0, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** Rubble between Mars and Jupiter. */
function drawBelt(context: SKRSContext2D, seconds: number): void {
  const random = seededRandom(5);
  for (let n = 0; n < 150; n++) {
    const away = 308 + random() * 30;
    const angle = random() * 2 * Math.PI + (seconds * 2 * Math.PI) / (30 + random() * 6);
    const size = 0.5 + random() * 1.1;
    context.fillStyle = `rgba(205, 190, 170, ${0.18 + random() * 0.42})`;
    context.fillRect(Math.cos(angle) * away, Math.sin(angle) * away * FLATNESS, size, size);
  }
}

function drawSun(context: SKRSContext2D, glow: Canvas, seconds: number): void {
  context.save();
  context.globalCompositeOperation = 'lighter';
  const breath = 1 + 0.03 * Math.sin(seconds * 2.1) + 0.015 * Math.sin(seconds * 5.3);
  const reach = 225 * breath;
  context.drawImage(glow, -reach, -reach, 2 * reach, 2 * reach);
  context.restore();
  const disc = context.createRadialGradient(-12, -12, 6, 0, 0, 64);
  disc.addColorStop(0, '#fffdf0');
  disc.addColorStop(0.55, '#ffe28a');
  disc.addColorStop(0.9, '#ffb340');
  disc.addColorStop(1, '#ff8a1f');
  context.fillStyle = disc;
  context.beginPath();
  context.arc(0, 0, 62, 0, 2 * Math.PI);
  context.fill();
}

function drawSunGlow(sidePx: number): Canvas {
  const { canvas, context } = createSurface(sidePx, sidePx);
  const middle = sidePx / 2;
  const glow = context.createRadialGradient(middle, middle, sidePx * 0.1, middle, middle, middle);
  glow.addColorStop(0, 'rgba(255, 196, 92, 0.9)');
  glow.addColorStop(0.25, 'rgba(255, 150, 50, 0.42)');
  glow.addColorStop(0.55, 'rgba(255, 110, 40, 0.13)');
  glow.addColorStop(1, 'rgba(255, 90, 30, 0)');
  context.fillStyle = glow;
  context.fillRect(0, 0, sidePx, sidePx);
  return canvas;
}

function drawSky(width: number, height: number, scale: number): Canvas {
  const { canvas, context } = createSurface(width, height);
  const night = context.createRadialGradient(width / 2, height / 2, 0, width / 2, height / 2, width * 0.62);
  night.addColorStop(0, '#2a1d33');
  night.addColorStop(0.4, '#121731');
  night.addColorStop(1, '#060812');
  context.fillStyle = night;
  context.fillRect(0, 0, width, height);
  const random = seededRandom(31);
  for (let n = 0; n < 420; n++) {
    context.fillStyle = `rgba(225, 233, 255, ${0.15 + random() * 0.7})`;
    context.beginPath();
    context.arc(random() * width, random() * height, (0.35 + random() ** 5 * 1.5) * scale, 0, 2 * Math.PI);
    context.fill();
  }
  lookAtSun(context, width, height);
  drawPaths(context);
  return canvas;
}
