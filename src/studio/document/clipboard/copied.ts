import type { RawItem } from '../../../timeline/schema.ts';
import { DRAWN_LANES } from '../lanes.ts';
import { usedFields } from '../media-commands.ts';
import { EMPTY_PROJECT, type Project, type TimelineData } from '../project.ts';
import type { Selection } from '../selection.ts';

/**
 * What is copied, as a small project: entries of the timeline or items of the board, and the facts of their files. So the reader of
 * project files also reads clipboard text, whichever program wrote it.
 */
export type Copied = Project;

/** The start of a clipboard text of ours. */
const MARK = '{"tiercut_copied":1,';

/** The selection without the rest of the project; null if nothing in it can be copied. */
export function copyOf(project: Project, selection: Selection): Copied | null {
  const items = selection.kind === 'items' ? itemsInOrder(project, selection.ids) : [];
  const refs = selection.kind === 'entries' ? selection.refs : [];
  const lanes = DRAWN_LANES.map((lane) => {
    const ids = new Set(refs.filter((ref) => ref.lane === lane).map(({ id }) => id));
    return [lane, (project.timeline_data[lane] as readonly { readonly id: string }[]).filter(({ id }) => ids.has(id))];
  });
  const timeline_data: TimelineData = { ...EMPTY_PROJECT.timeline_data, ...Object.fromEntries(lanes) };
  if (items.length === 0 && DRAWN_LANES.every((lane) => timeline_data[lane].length === 0)) return null;
  const copied = { ...EMPTY_PROJECT, tier_list: { rows: [], items }, timeline_data, settings: {} };
  const used = [...usedFields(copied)];
  const of = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(used.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])));
  return { ...copied, media: of(project.media), studio: { media: of(project.studio.media) } };
}

/** In board order: row by row, then the pool. */
function itemsInOrder({ tier_list: { rows, items } }: Project, ids: readonly string[]): readonly RawItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const order = new Set([...rows.flatMap(({ item_ids = [] }) => item_ids), ...byId.keys()]);
  return [...order].filter((id) => ids.includes(id)).flatMap((id) => byId.get(id) ?? []);
}

/** The clipboard text: a project file with a mark. */
export function copiedText({ tier_list, timeline_data, media, studio }: Copied): string {
  return `${MARK}${JSON.stringify({ tier_list, timeline_data, media, studio }).slice(1)}`;
}

export function isCopiedText(text: string): boolean {
  return text.startsWith(MARK);
}
