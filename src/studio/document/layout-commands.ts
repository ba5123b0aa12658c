import type { Draft } from 'immer';
import { shapeOf } from '../../plan/model/canvas.ts';
import type { CanvasShape, PercentBox } from '../../timeline/default-looks.ts';
import { findPreset, type Preset, type Presets } from '../../timeline/presets.ts';
import * as texts from '../texts/en/document.ts';
import { BOX_FIELDS, boxedEntry, clearBox, hasOwnPlace, setBox } from './place-commands.ts';
import type { Project } from './project.ts';
import type { EntryRef } from './selection.ts';

interface Places {
  readonly board: PercentBox;
  readonly cam: PercentBox;
}

type Layout = Readonly<Record<CanvasShape, Places>>;

function box(x: number, y: number, width: number, height: number): PercentBox {
  return { x, y, width, height };
}

/** Portrait has no room side by side, and players cover its edges. (C21) */
const ABOVE: Places = { board: box(6, 36, 82, 44), cam: box(6, 8, 82, 26) };

/** The boxes of board and camera. They never overlap. */
const LAYOUTS = {
  right: {
    landscape: { board: box(2.2, 4, 63.4, 92), cam: box(67.4, 4, 30.4, 92) },
    portrait: ABOVE,
    square: { board: box(3, 4, 62, 92), cam: box(67, 4, 30, 92) },
  },
  left: {
    landscape: { board: box(34.4, 4, 63.4, 92), cam: box(2.2, 4, 30.4, 92) },
    portrait: ABOVE,
    square: { board: box(35, 4, 62, 92), cam: box(3, 4, 30, 92) },
  },
  corner: {
    landscape: { board: box(2.2, 4, 73, 92), cam: box(77, 54, 20.8, 42) },
    portrait: { board: box(6, 8, 82, 48), cam: box(44, 58, 44, 22) },
    square: { board: box(3, 4, 94, 64), cam: box(56, 70, 41, 26) },
  },
  top: {
    landscape: { board: box(2.2, 50, 95.6, 46), cam: box(28, 3, 44, 44) },
    portrait: { board: box(6, 34, 82, 46), cam: box(0, 0, 100, 32) },
    square: { board: box(3, 45, 94, 52), cam: box(15, 3, 70, 39.4) },
  },
  full: {
    landscape: { board: box(2.2, 4, 46, 92), cam: box(50, 0, 50, 100) },
    portrait: { board: box(6, 48, 82, 32), cam: box(0, 0, 100, 46) },
    square: { board: box(3, 50, 94, 47), cam: box(0, 0, 100, 48) },
  },
} as const satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof LAYOUTS;

export const LAYOUT_NAMES = Object.keys(LAYOUTS) as readonly LayoutName[];

export function layoutWords(name: LayoutName): string {
  return texts.layouts[name];
}

export function layoutPlaces(name: LayoutName, size: Pick<Preset, 'width' | 'height'>): Places {
  return LAYOUTS[name][shapeOf(size)];
}

/** The camera clips: those recorded here, else all clips of the video file with the longest total duration. Empty if there is no video. */
function camRefs({ timeline_data, studio }: Project | Draft<Project>): EntryRef[] {
  const refs = (isCam: (field: string) => boolean): EntryRef[] =>
    timeline_data.videos.filter((clip) => isCam(clip.file_field)).map(({ id }) => ({ lane: 'videos', id }));
  const recorded = refs((field) => studio.media[field]?.recorded === true);
  if (recorded.length > 0) return recorded;
  const seconds = new Map<string, number>();
  for (const { file_field: field, duration = 0 } of timeline_data.videos) {
    if (studio.media[field]?.kind === 'video') seconds.set(field, (seconds.get(field) ?? 0) + duration);
  }
  const [cam] = [...seconds].sort((a, b) => b[1] - a[1])[0] ?? [];
  return refs((field) => field === cam);
}

function boardRefs({ timeline_data }: Project | Draft<Project>): EntryRef[] {
  return timeline_data.tier_blocks.map(({ id }) => ({ lane: 'tier_blocks', id }));
}

/** Whether there are both a board and a camera. */
export function hasLayout(project: Project): boolean {
  return boardRefs(project).length > 0 && camRefs(project).length > 0;
}

/** Applies a layout to board and camera, in every format. */
export function applyLayout(draft: Draft<Project>, name: LayoutName, presets: Presets): void {
  const first = findPreset(presets, draft.settings.preset ?? '') ?? presets[0];
  const cams = camRefs(draft);
  for (const [side, refs] of [
    ['board', boardRefs(draft)],
    ['cam', cams],
  ] as const) {
    for (const ref of refs) {
      setBox(draft, ref, layoutPlaces(name, first)[side], first, 'all');
      clearBox(draft, ref, first, 'own');
      for (const preset of presets) {
        if (preset.name !== first.name) setBox(draft, ref, layoutPlaces(name, preset)[side], preset, 'own');
      }
    }
  }
  for (const clip of draft.timeline_data.videos) if (cams.some(({ id }) => id === clip.id)) clip.fit = 'cover';
  // Avoid black areas beside both. A background that the user chose stays.
  const { settings } = draft;
  if (cams.length > 0 && (settings.background === undefined || isBlur(settings.background))) {
    settings.background = { kind: 'blur', of: cams[0]!.id, follow: true };
  }
}

function isBlur(background: Draft<Project>['settings']['background']): boolean {
  return typeof background === 'object' && background.kind === 'blur';
}

/** The layout of board and camera in the main format; null if they were placed by hand or not at all. */
export function layoutOf(project: Project, presets: Presets): LayoutName | null {
  const first = findPreset(presets, project.settings.preset ?? '') ?? presets[0];
  const stands = (refs: readonly EntryRef[], place: PercentBox) =>
    refs.every((ref) => {
      const entry = boxedEntry(project, ref)!;
      const wanted = [place.x, place.y, place.width, place.height];
      return !hasOwnPlace(entry, first) && BOX_FIELDS.every((field, i) => entry[field] === wanted[i]);
    });
  if (!hasLayout(project)) return null;
  const found = LAYOUT_NAMES.find((name) => {
    const { board, cam } = layoutPlaces(name, first);
    return stands(boardRefs(project), board) && stands(camRefs(project), cam);
  });
  return found ?? null;
}

/** Applies the first layout to a facecam and a board that have no boxes yet. */
export function layOutFirst(draft: Draft<Project>, presets: Presets): void {
  const cams = camRefs(draft);
  const boards = boardRefs(draft);
  const [cam] = cams;
  const { videos } = draft.timeline_data;
  if (cam === undefined || boards.length === 0 || cams.length !== videos.length) return;
  const speaks = videos.every(({ file_field: field }) => draft.studio.media[field]?.sound === true);
  const isFree = [...cams, ...boards].every((ref) => {
    const entry = boxedEntry(draft, ref)!;
    return entry.presets === undefined && BOX_FIELDS.every((field) => entry[field] === undefined);
  });
  if (speaks && isFree) applyLayout(draft, 'right', presets);
}
