import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { seededRandom, smoothStep } from '../making/noise.ts';
import { createSurface } from '../making/surface.ts';
import { BAR_SECONDS, BEAT_SECONDS } from './rhythm.ts';

/** Three bars: played twice in a row, nobody sees where it begins anew. */
export const ROBOT_HOST_SECONDS = 3 * BAR_SECONDS;

/** The picture this is composed for; all that matters is in its middle 270 pixels, so any crop keeps the face. */
const DESIGN = { width: 960, height: 540 };

/** The host in its cabin, nodding to the music; returns what draws the moment `seconds`. */
export function createRobotHost(width: number): (context: SKRSContext2D, seconds: number) => void {
  const scale = width / DESIGN.width;
  const cabin = drawCabin();
  return (context, seconds) => {
    const turn = (2 * Math.PI * seconds) / ROBOT_HOST_SECONDS;
    const nod = Math.sin((Math.PI * seconds) / BEAT_SECONDS) ** 2;
    context.save();
    context.scale(scale, scale);
    drawWindow(context, seconds);
    context.drawImage(cabin, 0, 0);
    drawLamps(context, seconds);
    context.translate(480, 338 + 6 * Math.sin(turn * 2));
    context.scale(0.86, 0.86);
    drawBody(context, nod);
    context.translate(4 * Math.sin(turn * 3), -100 + 7 * nod);
    context.rotate(0.05 * Math.sin(turn * 3) - 0.02);
    drawHead(context, seconds, nod);
    context.restore();
  };
}

/** Stars drift by the round window; each crosses a whole number of times, so that the clip can be repeated. */
function drawWindow(context: SKRSContext2D, seconds: number): void {
  const sky = context.createLinearGradient(0, 40, 0, 460);
  sky.addColorStop(0, '#16225a');
  sky.addColorStop(0.6, '#3a2b78');
  sky.addColorStop(1, '#8d3f86');
  context.fillStyle = sky;
  context.fillRect(0, 0, DESIGN.width, DESIGN.height);
  const random = seededRandom(77);
  for (let n = 0; n < 110; n++) {
    const laps = 1 + Math.floor(random() * 2);
    const way = (random() + (laps * seconds) / ROBOT_HOST_SECONDS) % 1;
    const size = laps * (0.5 + random());
    context.fillStyle = `rgba(255, 255, 255, ${0.25 + random() * 0.6})`;
    context.beginPath();
    context.arc(960 - way * 960, random() * 500, size, 0, 2 * Math.PI);
    context.fill();
  }
}

/** The wall around the window, which stays as it is. */
function drawCabin(): Canvas {
  const { canvas, context } = createSurface(DESIGN.width, DESIGN.height);
  const wall = context.createLinearGradient(0, 0, 0, DESIGN.height);
  wall.addColorStop(0, '#33405f');
  wall.addColorStop(1, '#151b2e');
  context.fillStyle = wall;
  context.beginPath();
  context.rect(0, 0, DESIGN.width, DESIGN.height);
  context.ellipse(480, 235, 335, 215, 0, 0, 2 * Math.PI);
  context.fill('evenodd');
  for (const [grow, color, line] of [
    [0, '#0d1220', 14],
    [14, '#5d6f9c', 12],
    [26, '#222b45', 4],
  ] as const) {
    context.beginPath();
    context.ellipse(480, 235, 335 + grow, 215 + grow, 0, 0, 2 * Math.PI);
    context.strokeStyle = color;
    context.lineWidth = line;
    context.stroke();
  }
  const foot = context.createLinearGradient(0, 380, 0, DESIGN.height);
  foot.addColorStop(0, 'rgba(8, 10, 20, 0)');
  foot.addColorStop(1, 'rgba(8, 10, 20, 0.75)');
  context.fillStyle = foot;
  context.fillRect(0, 380, DESIGN.width, 160);
  return canvas;
}

/** Somebody must be doing something with these. */
function drawLamps(context: SKRSContext2D, seconds: number): void {
  const colours = ['#5ef2c2', '#ffcf5c', '#ff7a8a', '#6cc7ff'];
  const step = Math.floor(seconds / BEAT_SECONDS);
  for (let n = 0; n < 12; n++) {
    const side = n % 2 === 0 ? 60 : 860;
    const [x, y] = [side + (n % 4 < 2 ? 0 : 34), 330 + Math.floor(n / 4) * 34];
    const on = (step * 5 + n * 7) % 4 !== 0;
    context.globalAlpha = on ? 1 : 0.22;
    context.fillStyle = colours[n % colours.length]!;
    context.beginPath();
    context.roundRect(x, y, 22, 14, 5);
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawBody(context: SKRSContext2D, nod: number): void {
  const metal = context.createLinearGradient(-130, 0, 130, 200);
  metal.addColorStop(0, '#f5f8ff');
  metal.addColorStop(0.55, '#c3cde4');
  metal.addColorStop(1, '#7d8bb0');
  context.fillStyle = '#4b5a80';
  context.fillRect(-34, 0, 68, 60);
  context.fillStyle = metal;
  context.beginPath();
  context.roundRect(-135, 38, 270, 320, 90);
  context.fill();
  context.fillStyle = '#26314f';
  context.beginPath();
  context.roundRect(-58, 104, 116, 62, 24);
  context.fill();
  for (let n = 0; n < 5; n++) {
    const high = 8 + 26 * Math.abs(Math.sin(n * 1.9 + nod * 2.4));
    context.fillStyle = ['#5ef2c2', '#6cc7ff', '#b89bff', '#ff9ad0', '#ffcf5c'][n]!;
    context.beginPath();
    context.roundRect(-41 + n * 18, 135 - high / 2, 10, high, 5);
    context.fill();
  }
}

function drawHead(context: SKRSContext2D, seconds: number, nod: number): void {
  context.strokeStyle = '#93a1c4';
  context.lineWidth = 7;
  context.beginPath();
  context.moveTo(0, -95);
  context.quadraticCurveTo(4, -125, 10 - nod * 14, -142);
  context.stroke();
  const bulb = context.createRadialGradient(10 - nod * 14, -148, 2, 10 - nod * 14, -148, 34);
  bulb.addColorStop(0, '#fff6d8');
  bulb.addColorStop(0.32, `rgba(255, 194, 74, ${0.65 + 0.35 * nod})`);
  bulb.addColorStop(1, 'rgba(255, 170, 60, 0)');
  context.fillStyle = bulb;
  context.beginPath();
  context.arc(10 - nod * 14, -148, 34, 0, 2 * Math.PI);
  context.fill();

  context.fillStyle = '#7d8bb0';
  for (const side of [-1, 1]) {
    context.beginPath();
    context.roundRect(side * 142 - 20, -42, 40, 84, 18);
    context.fill();
  }
  const shell = context.createLinearGradient(-120, -100, 110, 110);
  shell.addColorStop(0, '#ffffff');
  shell.addColorStop(0.6, '#d3dcf0');
  shell.addColorStop(1, '#93a1c4');
  context.fillStyle = shell;
  context.beginPath();
  context.roundRect(-145, -102, 290, 204, 92);
  context.fill();
  const glass = context.createLinearGradient(0, -70, 0, 76);
  glass.addColorStop(0, '#0b1024');
  glass.addColorStop(1, '#1b2550');
  context.fillStyle = glass;
  context.beginPath();
  context.roundRect(-118, -74, 236, 150, 68);
  context.fill();
  drawFace(context, seconds, nod);
  context.fillStyle = 'rgba(255, 255, 255, 0.13)';
  context.beginPath();
  context.ellipse(-58, -50, 46, 13, -0.25, 0, 2 * Math.PI);
  context.fill();
}

/** Looks to the board, blinks now and then, and beams in between. */
function drawFace(context: SKRSContext2D, seconds: number, nod: number): void {
  const phase = seconds % ROBOT_HOST_SECONDS;
  const look = -16 * smoothStep(0.4, 0.8, phase) * (1 - smoothStep(5.2, 5.6, phase)) - 2;
  const blink = Math.min(...[1.9, 4.3, 6.6].map((at) => smoothStep(0.03, 0.12, Math.abs(phase - at))));
  const beams = phase > 2.6 && phase < 3.9;
  context.shadowColor = '#58e6ff';
  context.shadowBlur = 18;
  context.fillStyle = '#8af1ff';
  context.strokeStyle = '#8af1ff';
  context.lineCap = 'round';
  for (const side of [-1, 1]) {
    const x = look + side * 48;
    context.beginPath();
    if (beams) {
      context.lineWidth = 11;
      context.arc(x, -2, 21, Math.PI * 1.12, Math.PI * 1.88);
      context.stroke();
    } else {
      const high = Math.max(6, 52 * blink);
      context.roundRect(x - 16, -14 - high / 2, 32, high, Math.min(16, high / 2));
      context.fill();
    }
  }
  context.lineWidth = 7;
  context.beginPath();
  context.arc(look, 22, 20 + 4 * nod, Math.PI * 0.2, Math.PI * 0.8);
  context.stroke();
  context.shadowBlur = 0;
  context.shadowColor = 'transparent';
}
