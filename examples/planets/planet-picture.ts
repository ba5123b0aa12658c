import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { seededRandom } from '../making/noise.ts';
import { createSurface } from '../making/surface.ts';
import { drawPlanet, type Light, renderGlobe } from './draw-planet.ts';
import type { PlanetLook } from './planet-looks.ts';

const LIGHT: Light = { x: -0.58, y: -0.52, z: 0.62 };

/** A planet's portrait: square, with stars behind it and room for a caption at its foot. */
export function drawPlanetPicture(look: PlanetLook, sidePx: number): Canvas {
  const { canvas, context } = createSurface(sidePx, sidePx);
  drawSky(context, look, sidePx);
  const radiusPx = sidePx * look.radius;
  const place = { x: sidePx / 2, y: sidePx * 0.475, radiusPx };
  drawPlanet(context, look, renderGlobe(look, radiusPx, LIGHT), place, LIGHT);
  return canvas;
}

/** Night, in the complement of the planet's mood: a hint of its own colour, and stars. */
function drawSky(context: SKRSContext2D, { name, air }: PlanetLook, sidePx: number): void {
  const night = context.createLinearGradient(0, 0, sidePx, sidePx);
  night.addColorStop(0, '#141a33');
  night.addColorStop(1, '#07080f');
  context.fillStyle = night;
  context.fillRect(0, 0, sidePx, sidePx);
  const [red, green, blue] = air.map((value) => Math.round(value * 255));
  const haze = context.createRadialGradient(sidePx * 0.3, sidePx * 0.26, 0, sidePx * 0.42, sidePx * 0.4, sidePx * 0.75);
  haze.addColorStop(0, `rgba(${red}, ${green}, ${blue}, 0.3)`);
  haze.addColorStop(1, `rgba(${red}, ${green}, ${blue}, 0)`);
  context.fillStyle = haze;
  context.fillRect(0, 0, sidePx, sidePx);
  const random = seededRandom(name.length * 7919 + name.charCodeAt(0));
  for (let n = 0; n < 90; n++) {
    const sizePx = (0.4 + random() ** 4 * 1.8) * (sidePx / 512);
    context.fillStyle = `rgba(255, 255, 255, ${0.25 + random() * 0.65})`;
    context.beginPath();
    context.arc(random() * sidePx, random() * sidePx, sizePx, 0, 2 * Math.PI);
    context.fill();
  }
}
