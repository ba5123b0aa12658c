import { applyRowPreset, itemsOf, rowsBeyond } from '../document/board-commands.ts';
import { ROW_PRESETS } from '../document/row-presets.ts';
import { MenuItem } from '../kit/menu.tsx';
import { announce, say } from '../kit/messages.ts';
import { edit, tierList } from '../session/session.ts';
import * as texts from '../texts/en/board.ts';

/** The row presets in the menu; applying one is one step. */
export function RowLines() {
  return Object.entries(ROW_PRESETS).map(([name, rows]) => (
    <MenuItem key={name} onClick={() => apply(name)}>
      <span class="row-chips" aria-hidden="true">
        {rows.map(({ label, color }) => (
          <i key={label} style={{ '--t': color }} />
        ))}
      </span>
      {name}
    </MenuItem>
  ));
}

function apply(name: string): void {
  const list = tierList.value;
  const unranked = rowsBeyond(list, name).flatMap(({ id }) => itemsOf(list, id)).length;
  edit(texts.rowsOf(name), (draft) => applyRowPreset(draft, name));
  announce(texts.rowsApplied(name));
  if (unranked > 0) say(texts.itemsUnranked(unranked));
}
