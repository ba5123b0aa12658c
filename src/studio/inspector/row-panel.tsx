import { EFFECTS, type EffectName } from '../../timeline/choices.ts';
import type { RawRow } from '../../timeline/schema.ts';
import { changeEffect, changeRow } from '../document/board-commands.ts';
import { edit, planned, project } from '../session/session.ts';
import { row as rowNamed } from '../texts/en/board.ts';
import * as texts from '../texts/en/inspector.ts';
import { EntryForm } from './entry-form.tsx';
import { Field } from './field-control.tsx';
import type { FieldDescription } from './field-descriptions.ts';

/** A setting of the video that is shown with its row. (C55) */
const EFFECT: FieldDescription = {
  ...{ owner: 'row', name: 'effect', label: texts.effect, help: texts.effectHelp, usual: 'none' },
  ...{ required: false, control: { kind: 'choice', choices: EFFECTS } },
};

export function RowPanel({ row }: { readonly row: RawRow }) {
  const at = project.value.tier_list.rows.indexOf(row);
  return (
    <>
      <div class="phd">
        <h2>{rowNamed(row.label ?? row.id)}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.row}>
        <EntryForm
          kind="row"
          value={row}
          path={`/tier_list/rows/${at}`}
          without={['item_ids']}
          onChange={(name, label, value) =>
            edit(texts.change(label), (draft) =>
              changeRow(draft, row.id, (each) => {
                if (value === undefined) delete (each as Record<string, unknown>)[name];
                else (each as Record<string, unknown>)[name] = value;
              }),
            )
          }
          onReplace={(next) =>
            edit(texts.changeRow, (draft) =>
              changeRow(draft, row.id, (each) => void Object.assign(each, next, { id: row.id })),
            )
          }
        >
          <div class="fields">
            <Field
              field={EFFECT}
              value={project.value.settings.effects?.[row.id]}
              path={`/settings/effects/${row.id}`}
              errors={planned.value.errors}
              warnings={planned.value.warnings}
              onChange={(value) =>
                edit(texts.change(texts.effect), (draft) =>
                  changeEffect(draft, row.id, value as EffectName | undefined),
                )
              }
            />
          </div>
        </EntryForm>
      </section>
    </>
  );
}
