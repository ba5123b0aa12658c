import type { LaneName } from '../../timeline/lanes.ts';
import '../kit/no-eval.ts';
import type { MediaEntry } from '../document/project.ts';
import { useWantedField } from '../keys/move-focus.ts';
import { project, selection } from '../session/session.ts';
import { EntriesPanel } from './entries-panel.tsx';
import { ItemsPanel } from './items-panel.tsx';
import { MediaPanel } from './media-panel.tsx';
import { RowPanel } from './row-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';

/** The panel for the selection, or for the video. */
export function Panel() {
  useWantedField();
  const { value: chosen } = selection;
  const { tier_list, studio, timeline_data } = project.value;
  if (chosen.kind === 'items') {
    const items = tier_list.items.filter(({ id }) => chosen.ids.includes(id));
    if (items.length > 0) return <ItemsPanel items={items} />;
  }
  if (chosen.kind === 'row') {
    const row = tier_list.rows.find(({ id }) => id === chosen.id);
    if (row !== undefined) return <RowPanel key={row.id} row={row} />;
  }
  if (chosen.kind === 'media') {
    const entry: MediaEntry | undefined = studio.media[chosen.field];
    if (entry !== undefined) return <MediaPanel key={chosen.field} field={chosen.field} entry={entry} />;
  }
  if (chosen.kind === 'entries') {
    const refs = chosen.refs.filter(({ lane, id }) => timeline_data[lane as LaneName].some((entry) => entry.id === id));
    if (refs.length > 0) return <EntriesPanel key={`${refs[0]!.lane}/${refs[0]!.id}`} refs={refs} />;
  }
  return <SettingsPanel />;
}
