import { firstIndex } from '../collections.ts';
import type { Frames } from '../time.ts';
import type { IssueList } from '../timeline/issue-list.ts';
import { boundsOf, coverOf } from './frame/clip-at-frame.ts';
import { PAINTED, PAINTED_KINDS } from './frame/painted-kinds.ts';
import { enterExitEdges, isEnteringOrExiting, type PictureEnvelope } from './frame/picture-envelope.ts';
import type { BoardScene } from './model/board-scene.ts';
import type { Canvas, Rect } from './model/canvas.ts';
import { contains } from './model/canvas.ts';
import type { ClipLayer } from './model/clip-layer.ts';
import type { PaintedKind, PaintedLayers } from './model/painted-layers.ts';
import type { LayerRef, Span } from './model/render-plan.ts';

/** Searching for a cover among more of them costs more than drawing the hidden layers. */
const MAX_COVERS = 16;

/** Everything that can be seen. */
interface Scene {
  readonly canvas: Canvas;
  readonly totalFrames: Frames;
  readonly clips: readonly Omit<ClipLayer, 'source'>[];
  readonly board: BoardScene | null;
  readonly painted: PaintedLayers;
}

/**
 * Cuts the video into spans of constant layers, and leaves out layers that are hidden behind an opaque clip. (R8, R9)
 * One sweep over the sorted edges: O(n log n) plus the number of layers in the result.
 */
export function buildSpans(scene: Scene, maxLayersAtOnce: number, issues: IssueList): Span[] {
  const layers = stack(scene);
  const spans: Span[] = [];
  const active: number[] = [];
  for (const edge of edges(scene, layers)) {
    for (const layer of edge.ends) active.splice(place(active, layer), 1);
    for (const layer of edge.begins) active.splice(place(active, layer), 0, layer);
    if (edge.at >= scene.totalFrames) break;
    const refs = visible(active, layers, scene, edge.at);
    if (refs.length > maxLayersAtOnce) {
      const message = `More than ${maxLayersAtOnce} layers would be visible at once, this one among them.`;
      issues.error(layers[active.at(-1)!]!.path, 'timeline.too_many_layers', message);
      return spans;
    }
    const previous = spans.at(-1);
    if (previous !== undefined) {
      if (sameLayers(previous.layers, refs)) continue;
      spans[spans.length - 1] = { ...previous, end: edge.at };
    }
    spans.push({ start: edge.at, end: scene.totalFrames, layers: refs });
  }
  return spans;
}

interface Layer {
  readonly depth: number;
  readonly path: string;
  readonly start: Frames;
  readonly end: Frames;
  readonly ref: (at: Frames) => LayerRef;
  /** The area that a cover must contain to hide the layer; null: it is never hidden. */
  readonly bounds: Rect | null;
  /** The rectangle that hides everything below it at that frame. */
  readonly cover: (at: Frames) => Rect | null;
  /** It is behind everything, and shows beside a clip that has a matte. (C61) */
  readonly isGround?: boolean;
  /** Whether its cover has the background beside the picture. */
  readonly hasBars?: boolean;
}

/** The order of layers, back to front; within one depth, the order of the plan. (R6, C54) */
const DEPTHS: Readonly<Record<PaintedKind | 'ground' | 'clipBelow' | 'clipAbove', number>> = {
  ground: -1,
  clipBelow: 0,
  board: 1,
  clipAbove: 2,
  title: 3,
  subtitle: 4,
  progress: 5,
};

/** All layers, back to front. */
function stack(scene: Scene): Layer[] {
  const painted = PAINTED_KINDS.flatMap((kind) => paintedLayers(kind, scene));
  return [...clipLayers(scene), ...painted].sort((a, b) => a.depth - b.depth);
}

function clipLayers({ clips }: Scene): Layer[] {
  return clips.map((clip, index) => {
    const isGround = clip.ground !== undefined;
    const depth = isGround ? DEPTHS.ground : clip.isAboveBoard ? DEPTHS.clipAbove : DEPTHS.clipBelow;
    const ref: LayerRef = { kind: 'clip', index };
    const bounds = boundsOf(clip);
    const cover = (at: Frames) => coverOf(clip, { start: at, end: (at + 1) as Frames });
    const hasBars = clip.matte !== null;
    return { depth, path: clip.path, ...clip.shows, ref: () => ref, bounds, cover, isGround, hasBars };
  });
}

/** Painted layers hide nothing and are never hidden: most are partly transparent. */
function paintedLayers<Kind extends PaintedKind>(kind: Kind, { painted, board }: Scene): Layer[] {
  return painted[kind].map((layer, index) => {
    const ref = (at: Frames): LayerRef => {
      const { started, settled, changes } = PAINTED[kind].stateAt(layer, at, board);
      return { kind, index, started, settled, changes: changes || isEnteringOrExitingAt(layer, at) };
    };
    return { depth: DEPTHS[kind], path: layer.path, ...layer.shows, ref, bounds: null, cover: () => null };
  });
}

interface Edge {
  readonly at: Frames;
  readonly begins: number[];
  readonly ends: number[];
}

/** Every frame at which the set of layers may change, in order, from 0. */
function edges({ clips, painted, board }: Scene, layers: readonly Layer[]): Edge[] {
  const byFrame = new Map<number, Edge>();
  const edge = (at: number): Edge => {
    let found = byFrame.get(at);
    if (found === undefined) {
      found = { at: at as Frames, begins: [], ends: [] };
      byFrame.set(at, found);
    }
    return found;
  };
  edge(0);
  for (const [index, { start, end }] of layers.entries()) {
    edge(start).begins.push(index);
    edge(end).ends.push(index);
  }
  // A clip covers nothing during its entrance and exit: the layers below are visible meanwhile.
  for (const clip of clips) for (const at of enterExitEdges(clip)) edge(at);
  const happens = <Kind extends PaintedKind>(kind: Kind): void => {
    for (const layer of painted[kind]) for (const at of enterExitEdges(layer)) edge(at);
    for (const at of PAINTED[kind].edges(painted[kind], board)) edge(at);
  };
  PAINTED_KINDS.forEach(happens);
  return [...byFrame.values()].sort((a, b) => a.at - b.at);
}

/** The visible ones of the active layers, back to front. The search starts at the front. */
function visible(active: readonly number[], layers: readonly Layer[], { canvas }: Scene, at: Frames): LayerRef[] {
  const whole: Rect = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const covers: Rect[] = [];
  const refs: LayerRef[] = [];
  let isGroundSeen = true;
  let isBesideOne = false;
  for (let i = active.length - 1; i >= 0; i -= 1) {
    const { ref, bounds, cover, isGround = false, hasBars = false } = layers[active[i]!]!;
    if (isGround ? !isGroundSeen && !isBesideOne : bounds !== null && covers.some((above) => contains(above, bounds)))
      continue;
    refs.push(ref(at));
    isBesideOne ||= hasBars;
    const covered = cover(at);
    if (covered === null) continue;
    // A hidden board is still painted: the cards it holds up are in front of the clip. (C54)
    if (contains(covered, whole)) {
      covers.splice(0, MAX_COVERS, covered);
      isGroundSeen = false;
    } else if (covers.length < MAX_COVERS) covers.push(covered);
  }
  return refs.reverse();
}

export function sameLayers(a: readonly LayerRef[], b: readonly LayerRef[]): boolean {
  return a.length === b.length && a.every((ref, i) => sameRef(ref, b[i]!));
}

function sameRef(a: LayerRef, b: LayerRef): boolean {
  if (a.kind !== b.kind || a.index !== b.index) return false;
  if (a.kind === 'clip' || b.kind === 'clip') return true;
  return a.started === b.started && a.settled === b.settled && a.changes === b.changes;
}

function isEnteringOrExitingAt(envelope: PictureEnvelope, at: Frames): boolean {
  return isEnteringOrExiting(envelope, { start: at, end: (at + 1) as Frames });
}

/** The index of `layer`, or its insertion point, among the sorted active ones. */
function place(active: readonly number[], layer: number): number {
  return firstIndex(active.length, (index) => active[index]! >= layer);
}
