import type { AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtFromName, avGetPixFmtName, Frame } from 'node-av/lib';
import { mustSucceed } from '../libav/libav-call.ts';

/** A part of a picture, in pixels. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A frame onto which a picture's tiles are copied as they are decoded, so that only a few of them are in memory. The
 * part outside the visible area is cut off.
 */
export class TileCanvas implements Disposable {
  /** This object's own. */
  readonly frame: Frame;
  readonly #area: Area;
  readonly #layout: PlaneLayout;

  private constructor(frame: Frame, area: Area, layout: PlaneLayout) {
    this.frame = frame;
    this.#area = area;
    this.#layout = layout;
  }

  /** @returns null if tiles of that format cannot be put together. */
  static create(tile: Frame, area: Area, alpha: boolean): TileCanvas | null {
    const name = formatName(tile);
    const format = alpha ? formatWithAlpha(name) : name;
    const layout = planeLayout(format);
    const number = avGetPixFmtFromName(format);
    if (layout === null || planeLayout(name) === null || number < 0) return null;
    const frame = new Frame();
    frame.alloc();
    try {
      frame.width = area.width;
      frame.height = area.height;
      frame.format = number;
      mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
      frame.colorSpace = tile.colorSpace;
      frame.colorRange = tile.colorRange;
      frame.colorPrimaries = tile.colorPrimaries;
      frame.colorTrc = tile.colorTrc;
      frame.chromaLocation = tile.chromaLocation;
      // Chroma samples are shared by several pixels: a crop begins at a chroma sample.
      const [x, y] = layout.shifts[1] ?? [0, 0];
      const snapped = { ...area, x: (area.x >> x) << x, y: (area.y >> y) << y };
      const canvas = new TileCanvas(frame, snapped, layout);
      // Grey in a colour format has neutral chroma planes.
      if (name.startsWith('gray') && layout.shifts.length > 1) canvas.#fillMiddle();
      return canvas;
    } catch (error) {
      frame.free();
      throw error;
    }
  }

  /** Puts a tile where its upper left corner belongs. False if it is of another format than the first. */
  put(tile: Frame, x: number, y: number): boolean {
    const layout = planeLayout(formatName(tile));
    if (layout === null || layout.bits !== this.#layout.bits) return false;
    const same = layout.shifts.every((shift, plane) => String(shift) === String(this.#layout.shifts[plane]));
    if (!same) return false;
    for (const plane of layout.shifts.keys()) this.#copy(tile, plane, plane, x, y);
    return true;
  }

  /** Whether there is a plane for it. */
  get hasAlpha(): boolean {
    return this.#layout.shifts.length === 4;
  }

  /** Puts a tile's brightness onto the alpha plane; it may have another depth than the colours. */
  putAlpha(tile: Frame, x: number, y: number): boolean {
    const layout = planeLayout(formatName(tile));
    if (layout === null) return false;
    this.#copy(tile, 0, this.#layout.shifts.length - 1, x, y, layout);
    return true;
  }

  [Symbol.dispose](): void {
    this.frame.free();
  }

  #copy(tile: Frame, from: number, to: number, x: number, y: number, kept = this.#layout): void {
    const [shiftX, shiftY] = this.#layout.shifts[to]!;
    const { sampleBytes } = this.#layout;
    const area = this.#area;
    const left = Math.max(x, area.x);
    const top = Math.max(y, area.y);
    const right = Math.min(x + tile.width, area.x + area.width);
    const bottom = Math.min(y + tile.height, area.y + area.height);
    if (left >= right || top >= bottom) return;
    const across = (value: number) => value >> shiftX;
    const down = (value: number) => value >> shiftY;
    const source = { data: tile.data![from]!, stride: tile.linesize[from]!, bits: kept.bits };
    const target = { data: this.frame.data![to]!, stride: this.frame.linesize[to]!, bits: this.#layout.bits };
    copySamples(
      { ...source, start: down(top - y) * source.stride + across(left - x) * kept.sampleBytes },
      { ...target, start: down(top - area.y) * target.stride + across(left - area.x) * sampleBytes },
      across(right - left + (1 << shiftX) - 1),
      down(bottom - top + (1 << shiftY) - 1),
    );
  }

  #fillMiddle(): void {
    const middle = 2 ** (this.#layout.bits - 1);
    for (const plane of [1, 2]) {
      const data = this.frame.data![plane]!;
      if (this.#layout.sampleBytes === 1) data.fill(middle);
      else for (let at = 0; at + 2 <= data.length; at += 2) data.writeUInt16LE(middle, at);
    }
  }
}

function formatName(frame: Frame): string {
  return avGetPixFmtName(frame.format as AVPixelFormat) ?? '';
}

/**
 * How a planar pixel format stores its samples: the number of planes, and the powers of two by which chroma is smaller.
 */
interface PlaneLayout {
  /** For each plane by how many bits its width and height are shifted down. */
  readonly shifts: readonly (readonly [x: number, y: number])[];
  readonly bits: number;
  readonly sampleBytes: 1 | 2;
}

const CHROMA_SHIFTS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  420: [1, 1],
  422: [1, 0],
  444: [0, 0],
};

/** The formats that decoders of still pictures return, and those with an alpha plane; null for any other. */
function planeLayout(name: string): PlaneLayout | null {
  const match = /^(?:yuv(a?)j?(420|422|444)p|gbr(a?)p|gray)(?:(10|12)le)?$/.exec(name);
  if (match === null) return null;
  const [, yuvAlpha, chroma, rgbAlpha, depth] = match;
  const colors = name.startsWith('gray') ? [] : [CHROMA_SHIFTS[chroma ?? '444']!, CHROMA_SHIFTS[chroma ?? '444']!];
  const alpha = yuvAlpha === 'a' || rgbAlpha === 'a' ? [[0, 0] as const] : [];
  const bits = depth === undefined ? 8 : Number(depth);
  return { shifts: [[0, 0], ...colors, ...alpha], bits, sampleBytes: bits > 8 ? 2 : 1 };
}

/** The format that has an alpha plane beside the ones `name` has; grey becomes grey in colour. */
function formatWithAlpha(name: string): string {
  const colored = name.replace(/^gray/, 'yuv420p').replace(/^yuvj/, 'yuv');
  return colored.replace(/^yuv/, 'yuva').replace(/^gbr/, 'gbra');
}

/** Part of a plane: where its samples begin and how far apart its rows are, in bytes; and how deep they are. */
interface PlanePart {
  readonly data: Buffer;
  readonly start: number;
  readonly stride: number;
  readonly bits: number;
}

/** Copies samples from one plane to another, to its depth. */
function copySamples(from: PlanePart, to: PlanePart, columns: number, rows: number): void {
  const rowBytes = columns * (from.bits > 8 ? 2 : 1);
  for (let row = 0; row < rows; row += 1) {
    const [source, target] = [from.start + row * from.stride, to.start + row * to.stride];
    if (from.bits === to.bits) to.data.set(from.data.subarray(source, source + rowBytes), target);
    else rescaleRow(from, source, to, target, columns);
  }
}

function rescaleRow(from: PlanePart, source: number, to: PlanePart, target: number, columns: number): void {
  const scale = (2 ** to.bits - 1) / (2 ** from.bits - 1);
  for (let n = 0; n < columns; n += 1) {
    const sample = from.bits > 8 ? from.data.readUInt16LE(source + n * 2) : from.data[source + n]!;
    const value = Math.round(sample * scale);
    if (to.bits > 8) to.data.writeUInt16LE(value, target + n * 2);
    else to.data[target + n] = value;
  }
}
