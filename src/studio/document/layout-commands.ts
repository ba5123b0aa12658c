import type { Draft } from 'immer';
import { shapeOf } from '../../plan/model/canvas.ts';
import { zonesOf } from '../../plan/place/layouts.ts';
import { type LayoutName as AnyLayout, LAYOUTS } from '../../timeline/choices.ts';
import type { PercentBox } from '../../timeline/default-looks.ts';
import { findPreset, type Preset, type Presets } from '../../timeline/presets.ts';
import * as texts from '../texts/en/document.ts';
import { BOX_FIELDS, boxedEntry, clearBox, hasOwnPlace } from './place-commands.ts';
import type { Project } from './project.ts';
import type { EntryRef } from './selection.ts';

interface Places {
  readonly board: PercentBox;
  readonly cam: PercentBox;
}

/** A layout with a camera. */
export type LayoutName = Exclude<AnyLayout, 'board'>;

export const LAYOUT_NAMES = LAYOUTS.filter((name): name is LayoutName => name !== 'board');

export function layoutWords(name: LayoutName): string {
  return texts.layouts[name];
}

/** Where board and camera are while no text is in the band below them. (R42) */
export function layoutPlaces(name: LayoutName, size: Pick<Preset, 'width' | 'height'>): Places {
  const { board, cam } = zonesOf(name, shapeOf(size), { captions: false, labels: false, lowerThirds: false });
  return { board, cam: cam! };
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

/** Gives board and camera the places of a layout, in every format. Texts that were placed by hand stay where they are. (R42) */
export function applyLayout(draft: Draft<Project>, name: LayoutName, presets: Presets): void {
  const first = findPreset(presets, draft.settings.preset ?? '') ?? presets[0];
  const cams = camRefs(draft);
  draft.settings.layout = name;
  for (const ref of [...boardRefs(draft), ...cams]) {
    clearBox(draft, ref, first, 'all');
    for (const preset of presets) clearBox(draft, ref, preset, 'own');
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
  if (!hasLayout(project)) return null;
  const first = findPreset(presets, project.settings.preset ?? '') ?? presets[0];
  const refs = { board: boardRefs(project), cam: camRefs(project) };
  const stand = (side: keyof Places, place: PercentBox | null) =>
    refs[side].every((ref) => {
      const entry = boxedEntry(project, ref)!;
      const wanted = place === null ? [] : [place.x, place.y, place.width, place.height];
      return !hasOwnPlace(entry, first) && BOX_FIELDS.every((field, i) => entry[field] === wanted[i]);
    });
  const { layout } = project.settings;
  const named = LAYOUT_NAMES.find((name) => name === layout);
  if (named !== undefined && stand('board', null) && stand('cam', null)) return named;
  // Projects of older releases have the boxes of a layout.
  const written = LAYOUT_NAMES.find((name) => {
    const { board, cam } = layoutPlaces(name, first);
    return stand('board', board) && stand('cam', cam);
  });
  return written ?? null;
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
