import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { lerp, Noise, seededRandom, smoothStep } from '../making/noise.ts';
import { createSurface } from '../making/surface.ts';

/** Length of the clip. */
export const STAR_FLIGHT_SECONDS = 6;

const STARS = 440;
/** How much of the depth of the field is crossed in a second. */
const SPEED = 0.11;
/** How long a star's trail is, in seconds of flight. */
const TRAIL_SECONDS = 0.055;

interface Star {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly size: number;
  readonly rgb: string;
}

/** Flying through stars towards a slowly turning nebula; returns what draws the moment `seconds`. */
export function createStarFlight(width: number, height: number): (context: SKRSContext2D, seconds: number) => void {
  const nebula = drawNebula(Math.round(width * 0.4));
  const random = seededRandom(2024);
  const stars: Star[] = Array.from({ length: STARS }, () => ({
    x: (random() * 2 - 1) * 1.3,
    y: (random() * 2 - 1) * 1.3,
    depth: random(),
    size: 1.1 + random() ** 3 * 2.4,
    rgb: STAR_COLOURS[Math.floor(random() * STAR_COLOURS.length)]!,
  }));
  const span = Math.max(width, height);
  const vignette = createVignette(width, height);
  return (context, seconds) => {
    context.globalAlpha = 1;
    context.save();
    context.translate(width / 2, height / 2);
    context.rotate(0.35 + seconds * 0.02);
    const zoom = span * (1.3 + seconds * 0.045);
    context.imageSmoothingQuality = 'low';
    context.drawImage(nebula, -zoom / 2, -zoom / 2, zoom, zoom);
    context.restore();
    drawStars(context, stars, seconds, width, height);
    context.globalAlpha = 1;
    context.drawImage(vignette, 0, 0, width, height);
  };
}

function drawStars(
  context: SKRSContext2D,
  stars: readonly Star[],
  seconds: number,
  width: number,
  height: number,
): void {
  const span = Math.max(width, height) / 2;
  context.lineCap = 'round';
  for (const { x, y, depth, size, rgb } of stars) {
    const far = 1 - ((1 - depth + seconds * SPEED) % 1);
    const before = far + SPEED * TRAIL_SECONDS;
    const [nearScale, farScale] = [0.34 / (far + 0.02), 0.34 / (before + 0.02)];
    const [px, py] = [width / 2 + x * nearScale * span, height / 2 + y * nearScale * span];
    if (px < -20 || py < -20 || px > width + 20 || py > height + 20) continue;
    // Stars come up out of the dark and fade before they would hit us.
    context.globalAlpha = smoothStep(1, 0.75, far) * smoothStep(0.005, 0.04, far);
    context.strokeStyle = rgb;
    context.lineWidth = Math.min(3.4, size * (0.35 + nearScale * 0.42)) * (span / 640);
    context.beginPath();
    context.moveTo(width / 2 + x * farScale * span, height / 2 + y * farScale * span);
    context.lineTo(px, py + 0.01);
    context.stroke();
  }
}

/** Clouds of light: two colours of gas around a bright heart, with dust in between. */
function drawNebula(sidePx: number): Canvas {
  const { canvas, context } = createSurface(sidePx, sidePx);
  const image = context.createImageData(sidePx, sidePx);
  const noise = new Noise(7);
  for (let row = 0; row < sidePx; row++) {
    for (let column = 0; column < sidePx; column++) {
      const [x, y] = [(column / sidePx) * 2 - 1, (row / sidePx) * 2 - 1];
      const bend = noise.fractal(x * 2.2, y * 2.2, 3, 3);
      const gas = noise.fractal(x * 2.6 + bend * 2.6, y * 2.6 - bend * 2.1, 1, 6);
      const tint = smoothStep(0.38, 0.62, noise.fractal(x * 2 + 8, y * 2 + bend, 5, 3));
      const dust = smoothStep(0.44, 0.68, noise.fractal(x * 5 + bend * 3, y * 5, 9, 4));
      const away = Math.hypot(x, y);
      const light = smoothStep(0.26, 0.84, gas) * (0.9 - smoothStep(0.2, 1.3, away) * 0.35) * (1 - dust * 0.7);
      const heart = Math.exp(-((away / 0.26) ** 2)) * gas * 0.22;
      const at = (row * sidePx + column) * 4;
      image.data[at] = 9 + 255 * (light * lerp(0.1, 0.78, tint) + heart * 0.85);
      image.data[at + 1] = 11 + 255 * (light * lerp(0.5, 0.24, tint) + heart * 0.72);
      image.data[at + 2] = 34 + 255 * (light * lerp(0.8, 0.62, tint) + heart * 0.8);
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function createVignette(width: number, height: number): Canvas {
  const { canvas, context } = createSurface(width, height);
  const reach = Math.hypot(width, height) / 2;
  const shade = context.createRadialGradient(width / 2, height / 2, reach * 0.45, width / 2, height / 2, reach);
  shade.addColorStop(0, 'rgba(3, 4, 12, 0)');
  shade.addColorStop(1, 'rgba(3, 4, 12, 0.5)');
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  return canvas;
}

const STAR_COLOURS = ['#ffffff', '#ffffff', '#dfe9ff', '#bcd2ff', '#ffe9c9', '#ffd3b0'];
