import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { smoothStep } from '../making/noise.ts';
import { createSurface } from '../making/surface.ts';
import type { PlanetLook, PlanetRing } from './planet-looks.ts';
import type { SurfacePoint } from './planet-surfaces.ts';

/** The direction of the light; y points down, z to the viewer. */
export interface Light {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A planet's globe alone, on a square canvas that it fills, lit from one side. */
export function renderGlobe(look: PlanetLook, radiusPx: number, light: Light): Canvas {
  const side = Math.ceil(radiusPx * 2 + 2);
  const { canvas, context } = createSurface(side, side);
  const image = context.createImageData(side, side);
  const point: SurfacePoint = { red: 0, green: 0, blue: 0, leanX: 0, leanY: 0, leanZ: 0, gloss: 0 };
  const length = Math.hypot(light.x, light.y, light.z);
  const [lightX, lightY, lightZ] = [light.x / length, light.y / length, light.z / length];
  const surface = look.createSurface();
  const [cosTilt, sinTilt] = [Math.cos(look.tilt), Math.sin(look.tilt)];
  const [glowRed, glowGreen, glowBlue] = look.air;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = (column + 0.5 - side / 2) / radiusPx;
      const y = (row + 0.5 - side / 2) / radiusPx;
      const away = Math.hypot(x, y);
      const cover = Math.min(1, Math.max(0, (1 - away) * radiusPx + 0.5));
      if (cover === 0) continue;
      const z = Math.sqrt(Math.max(0, 1 - away * away));
      point.leanX = point.leanY = point.leanZ = point.gloss = 0;
      surface(point, x * cosTilt + y * sinTilt, y * cosTilt - x * sinTilt, z);
      const normalX = x + point.leanX * cosTilt - point.leanY * sinTilt;
      const normalY = y + point.leanX * sinTilt + point.leanY * cosTilt;
      const normalZ = z + point.leanZ;
      const scale = 1 / Math.hypot(normalX, normalY, normalZ);
      const facing = (normalX * lightX + normalY * lightY + normalZ * lightZ) * scale;
      const smooth = x * lightX + y * lightY + z * lightZ;
      const day = smoothStep(-0.16, 0.3, smooth);
      const lit = 0.035 + day * (0.16 + 1.02 * Math.max(0, facing));
      const mirrored = 2 * smooth * z - lightZ;
      const shine = point.gloss * day * Math.max(0, mirrored) ** 22 * 0.55;
      const rim = (1 - z) ** 2.6 * (0.08 + 0.95 * day);
      const at = (row * side + column) * 4;
      image.data[at] = 255 * (point.red * lit + shine + glowRed * rim);
      image.data[at + 1] = 255 * (point.green * lit + shine + glowGreen * rim);
      image.data[at + 2] = 255 * (point.blue * lit + shine + glowBlue * rim);
      image.data[at + 3] = 255 * cover;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Draws a planet with its air and its rings around a point. */
export function drawPlanet(
  context: SKRSContext2D,
  look: PlanetLook,
  globe: Canvas,
  place: { readonly x: number; readonly y: number; readonly radiusPx: number },
  light: Light,
): void {
  const { x, y, radiusPx } = place;
  drawAir(context, look, place, light);
  if (look.ring !== null) drawRing(context, look.ring, place, 'behind');
  context.drawImage(globe, x - radiusPx, y - radiusPx, radiusPx * 2, radiusPx * 2);
  if (look.ring === null) return;
  drawRingShadow(context, look.ring, place);
  drawRing(context, look.ring, place, 'before');
}

function drawAir(
  context: SKRSContext2D,
  look: PlanetLook,
  { x, y, radiusPx }: { x: number; y: number; radiusPx: number },
  light: Light,
): void {
  const [cx, cy] = [x + light.x * radiusPx * 0.1, y + light.y * radiusPx * 0.1];
  const reach = radiusPx * (1.12 + look.airDepth);
  const glow = context.createRadialGradient(cx, cy, radiusPx * 0.86, cx, cy, reach);
  const [red, green, blue] = look.air.map((value) => Math.round(value * 255));
  glow.addColorStop(0, `rgba(${red}, ${green}, ${blue}, ${0.35 + look.airDepth})`);
  glow.addColorStop(0.35, `rgba(${red}, ${green}, ${blue}, ${0.12 + look.airDepth * 0.5})`);
  glow.addColorStop(1, `rgba(${red}, ${green}, ${blue}, 0)`);
  context.fillStyle = glow;
  context.beginPath();
  context.arc(cx, cy, reach, 0, 2 * Math.PI);
  context.fill();
}

function drawRing(
  context: SKRSContext2D,
  ring: PlanetRing,
  { x, y, radiusPx }: { x: number; y: number; radiusPx: number },
  side: 'behind' | 'before',
): void {
  context.save();
  context.translate(x, y);
  context.rotate(ring.turn);
  const far = radiusPx * ring.bands.at(-1)!.outer * 1.2;
  context.beginPath();
  context.rect(-far, side === 'behind' ? -far : 0, 2 * far, far);
  context.clip();
  for (const { inner, outer, rgba } of ring.bands) {
    context.beginPath();
    context.ellipse(0, 0, radiusPx * outer, radiusPx * outer * ring.openness, 0, 0, 2 * Math.PI);
    context.ellipse(0, 0, radiusPx * inner, radiusPx * inner * ring.openness, 0, 0, 2 * Math.PI);
    context.fillStyle = rgba;
    context.fill('evenodd');
  }
  context.restore();
}

/** A ring keeps the sun from a strip of its planet. */
function drawRingShadow(
  context: SKRSContext2D,
  ring: PlanetRing,
  { x, y, radiusPx }: { x: number; y: number; radiusPx: number },
): void {
  const [inner, outer] = [ring.bands[0]!.inner, ring.bands.at(-1)!.outer];
  context.save();
  context.beginPath();
  context.arc(x, y, radiusPx * 0.995, 0, 2 * Math.PI);
  context.clip();
  context.translate(x, y);
  context.rotate(ring.turn);
  context.translate(0, radiusPx * 0.13);
  context.beginPath();
  context.rect(-radiusPx * 3, 0, radiusPx * 6, radiusPx * 3);
  context.clip();
  context.beginPath();
  context.ellipse(0, 0, radiusPx * outer, radiusPx * outer * ring.openness, 0, 0, 2 * Math.PI);
  context.ellipse(0, 0, radiusPx * inner, radiusPx * inner * ring.openness, 0, 0, 2 * Math.PI);
  context.fillStyle = `rgba(10, 6, 2, ${ring.shadow})`;
  context.fill('evenodd');
  context.restore();
}
