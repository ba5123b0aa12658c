import type { RawRow } from '../../timeline/schema.ts';
import { changeRow } from '../document/board-commands.ts';
import { edit, project } from '../session/session.ts';
import { EntryForm } from './entry-form.tsx';

export function RowPanel({ row }: { readonly row: RawRow }) {
  const at = project.value.tier_list.rows.indexOf(row);
  return (
    <>
      <div class="phd">
        <h2>Row {row.label ?? row.id}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label="Row">
        <EntryForm
          kind="row"
          value={row}
          path={`/tier_list/rows/${at}`}
          without={['item_ids']}
          onChange={(name, label, value) =>
            edit(`Change ${label.toLowerCase()}`, (draft) =>
              changeRow(draft, row.id, (each) => {
                if (value === undefined) delete (each as Record<string, unknown>)[name];
                else (each as Record<string, unknown>)[name] = value;
              }),
            )
          }
          onReplace={(next) =>
            edit('Change row', (draft) =>
              changeRow(draft, row.id, (each) => void Object.assign(each, next, { id: row.id })),
            )
          }
        />
      </section>
    </>
  );
}
