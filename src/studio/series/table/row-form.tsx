import { useId } from 'preact/hooks';
import { type TableColumn, textAt, valueAt, valueFrom } from '../../document/episode-table.ts';
import type { EpisodeRow } from '../../document/project.ts';
import { VIDEO_FAULT } from '../../document/table-faults.ts';
import { at } from '../../document/table-range.ts';
import { Icon, IconButton } from '../../kit/icon.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { readOnly } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { ValueInput } from '../value-input.tsx';
import { chooseFile } from './cell-editor.tsx';
import { setCell } from './grid-commands.ts';
import { columns, faultsOf, range, select, size, table } from './open-rows.ts';

/** One row at a time, for a narrow window: a label and a control for each cell. */
export function RowForm() {
  const { row: index } = range.value.active;
  const row = table.value.rows[index];
  const last = size.value.rows - 1;
  return (
    <section class="tb-form scr" tabIndex={0} aria-label={texts.rowForm(index + 1)}>
      <div class="tb-turn">
        <IconButton
          icon="left"
          label={texts.previousRow}
          disabled={index === 0}
          onClick={() => select(at(index - 1, 0))}
        />
        <b role="status">{row === undefined ? texts.newRow : texts.rowForm(index + 1)}</b>
        <IconButton
          icon="right"
          label={texts.nextRow}
          disabled={index >= last}
          onClick={() => select(at(index + 1, 0))}
        />
      </div>
      <fieldset class="tb-fields" disabled={readOnly.value}>
        {columns.value.map((column, place) => (
          <CellField
            // By place: a new row gets its id at the first letter, and the typing goes on.
            key={`${index} ${column.field?.name ?? ''}`}
            row={row}
            index={index}
            column={column}
            place={place}
          />
        ))}
      </fieldset>
    </section>
  );
}

interface CellFieldProps {
  readonly row: EpisodeRow | undefined;
  readonly index: number;
  readonly column: TableColumn;
  readonly place: number;
}

function CellField({ row, index, column, place }: CellFieldProps) {
  const { field, label } = column;
  const id = useId();
  const fault = (row === undefined ? null : faultsOf(row).get(field?.name ?? VIDEO_FAULT)) ?? null;
  const cell = { row: index, column: place };
  const isPlain = field !== null && field.type !== 'items' && field.type !== 'media';
  const text = row === undefined ? '' : textAt(row, column);
  return (
    <div class={`fld ${fault === null ? '' : 'wrong'}`}>
      <label for={id}>{label}</label>
      {isPlain ? (
        <ValueInput
          id={id}
          field={field}
          value={row === undefined ? undefined : valueAt(row, column)}
          invalid={fault !== null}
          onChange={(value) => setCell(cell, value === undefined ? undefined : valueFrom(column, String(value)))}
        />
      ) : (
        <TextCell
          id={id}
          text={text}
          isLong={field?.type === 'items'}
          invalid={fault !== null}
          onText={(typed) => setCell(cell, valueFrom(column, typed))}
        />
      )}
      {field?.type === 'media' && (
        <button type="button" class="bt" onClick={() => chooseFile(row?.id ?? null, field)}>
          <Icon name="picture" />
          {texts.chooseFile}
        </button>
      )}
      {fault !== null && (
        <p class="field-note isbad">
          <Icon name="error" />
          <span>{fault}</span>
        </p>
      )}
    </div>
  );
}

interface TextCellProps {
  readonly id: string;
  readonly text: string;
  readonly isLong: boolean;
  readonly invalid: boolean;
  readonly onText: (text: string) => void;
}

function TextCell({ id, text, isLong, invalid, onText }: TextCellProps) {
  const typed = useTyped(text, onText);
  return isLong ? (
    <textarea id={id} class="area" rows={4} aria-invalid={invalid} {...typed} />
  ) : (
    <input id={id} type="text" aria-invalid={invalid} {...typed} />
  );
}
