import type { RenderPlan } from '../../plan/model/render-plan.ts';

/** What the memory for rendering a preset depends on. */
interface RenderedPreset {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly encoder: { readonly preset: string };
}

/**
 * The memory of a rendering child, as measured (1920×1080; with 1080×1920 and 1080×1080 beside it): 598 and 1,097 MB at
 * `veryfast` (615 and 1,127 at an earlier time: rather more than less), 816 and 1,659 MB at `medium`; 1,636 MB at
 * 3840×2160. That is this much for runtime, decoders and painter, and for each pixel of a canvas the frames in flight
 * and those in x264's lookahead.
 */
const BASE_BYTES = 300_000_000;
const BYTES_PER_PIXEL = 130;
const BYTES_PER_PIXEL_AHEAD = 3;
/** Frames x264 looks ahead; presets that are not listed look at none. */
const LOOK_AHEAD: Readonly<Record<string, number>> = {
  ...{ veryfast: 10, faster: 20, fast: 30, medium: 40 },
  ...{ slow: 50, slower: 60, veryslow: 60 },
};

/** The memory of the rest of the service, and of the machine. */
const APART_BYTES = 700_000_000;

/** How much memory a child takes that renders these presets side by side. */
export function renderMemoryBytes(presets: readonly RenderedPreset[]): number {
  return presets.reduce((sum, { canvas: { width, height }, encoder }) => {
    const ahead = LOOK_AHEAD[encoder.preset] ?? 0;
    return sum + width * height * (BYTES_PER_PIXEL + BYTES_PER_PIXEL_AHEAD * ahead);
  }, BASE_BYTES);
}

/** The resources for rendering. */
interface Capacity {
  readonly cores: number;
  readonly memoryBytes: number;
}

/**
 * Cores that one render uses: 1.92, as measured at 1080p. Two renders on two cores are no faster than one (51.6 s, 51.1
 * s).
 */
const CORES_EACH = 2;

/**
 * How many children render at once: as many as the cores can keep busy (`npm run bench -- cores` checks that on a
 * machine), limited by memory. The number of encoder threads does not depend on the machine. (R25)
 *
 * @param usual what each of them renders.
 */
export function rendersAtOnce({ cores, memoryBytes }: Capacity, usual: readonly RenderedPreset[]): number {
  const fitting = Math.floor((memoryBytes - APART_BYTES) / renderMemoryBytes(usual));
  return Math.max(1, Math.min(Math.floor(cores / CORES_EACH), fitting));
}

/** The memory limit of each child, so that all of them fit. */
export function memoryOfEach(memoryBytes: number, renders: number): number {
  return (memoryBytes - APART_BYTES) / renders;
}

type Preset = Pick<RenderPlan, 'canvas' | 'encoder' | 'chunks'>;

/**
 * Which outputs can be rendered side by side: those whose chunks cover the same frames, as many as the memory allows.
 * All others are rendered alone; the order stays.
 */
export function presetsTogether<T extends Preset>(presets: readonly T[], memoryBytes: number): T[][] {
  const groups: T[][] = [];
  for (const preset of presets) {
    const group = groups.find(
      (others) => haveSameRanges(others[0]!, preset) && renderMemoryBytes([...others, preset]) <= memoryBytes,
    );
    if (group === undefined) groups.push([preset]);
    else group.push(preset);
  }
  return groups;
}

function haveSameRanges({ chunks: some }: Preset, { chunks: others }: Preset): boolean {
  return (
    some.length === others.length &&
    some.every(({ start, end }, chunk) => others[chunk]!.start === start && others[chunk]!.end === end)
  );
}
