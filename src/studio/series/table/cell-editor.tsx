import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TemplateField } from '../../../timeline/project/template-fields.ts';
import { MAX_TABLE_ROWS, storedPlace, type TableColumn, textAt, valueFrom } from '../../document/episode-table.ts';
import { kindOf } from '../../document/field-places.ts';
import type { EpisodeRow } from '../../document/project.ts';
import { setValue } from '../../document/table-edits.ts';
import { type Cell, movedBy } from '../../document/table-range.ts';
import { chooseFiles, MEDIA_FILES } from '../../files/take-files.ts';
import { projectId } from '../../keeping/autosave.ts';
import { keyName } from '../../keys/keys.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { IconButton } from '../../kit/icon.tsx';
import { later } from '../../kit/later.tsx';
import { say } from '../../kit/messages.ts';
import { endTyping, startTyping, type TypedStep, withinStep } from '../../kit/typing.ts';
import * as series from '../../texts/en/series.ts';
import * as texts from '../../texts/en/table.ts';
import { setCell } from './grid-commands.ts';
import { change, columns, editing, range, select, size, table } from './open-rows.ts';

interface CellEditorProps {
  readonly cell: Cell;
  readonly row: EpisodeRow | undefined;
  readonly column: TableColumn;
  /** The text that replaces the cell; null: it is edited as it is. */
  readonly start: string | null;
}

/** Ends the edit; the keys go on in the grid. */
function close(): void {
  editing.value = null;
  focusSoon('.tb-grid', '.tb-form input');
}

const PARTS = '.tb-input, .tb-choose';

/** The control in a cell. Enter and Tab keep its text and go on, Escape leaves the cell as it was. In a cell for a file, Tab goes to the choice of one first. */
export function CellEditor({ cell, row, column, start }: CellEditorProps) {
  const input = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null);
  const { field, label } = column;
  const before = row === undefined ? '' : textAt(row, column);
  /** Whether the edit has ended: the blur that follows keeps nothing. */
  const ended = useRef(false);
  /** The text of the cell: as it was, and as it is kept now. All that is kept during the edit is one step. */
  const { current: texted } = useRef({ first: before, kept: before, step: { last: undefined } as TypedStep });
  const put = (text: string) => {
    if (text === texted.kept) return;
    texted.kept = text;
    // A new row is rendered as another one: its editor goes on with this text.
    if (row === undefined && !ended.current) editing.value = { cell, text };
    withinStep(texted.step, () => setCell(cell, valueFrom(column, text)));
  };
  /** Keeps the text and ends the edit. */
  const settle = () => {
    if (ended.current) return;
    ended.current = true;
    put(input.current!.value);
    if (editing.value?.cell === cell) editing.value = null;
  };
  const latest = useRef(put);
  latest.current = put;
  useLayoutEffect(() => {
    const control = input.current!;
    // The project is saved during the edit, and another may be opened before it ends.
    const commit = () => latest.current(control.value);
    startTyping(commit);
    return () => {
      endTyping(commit);
      ended.current = true;
    };
  }, []);
  useLayoutEffect(() => {
    const control = input.current!;
    control.focus();
    if (start !== null && field?.type === 'choice') {
      const chosen = field.options.find((option) => option.toLowerCase().startsWith(start.toLowerCase()));
      if (chosen !== undefined) control.value = chosen;
    } else if (field?.type !== 'choice') control.setSelectionRange(control.value.length, control.value.length);
  }, []);
  const keep = () => {
    settle();
    close();
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Element && relatedTarget.matches(PARTS);
    if (!isInside) settle();
  };
  const move = (name: string) => {
    keep();
    const next = movedBy(range.value, name, size.value);
    if (next !== null) select(next);
  };
  const cancel = () => {
    ended.current = true;
    put(texted.first);
    close();
  };
  const props = {
    ref: input,
    class: 'tb-input',
    'aria-label': texts.editCell(label, cell.row + 1),
    onBlur: leave,
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.isComposing) return;
      const name = keyName(event);
      if (name === 'escape') {
        event.preventDefault();
        cancel();
        return;
      }
      // The browser goes on to the choice of a file.
      if (name === 'tab' && field?.type === 'media') return;
      const isMove = ['enter', 'shift+enter', 'tab', 'shift+tab'].includes(name);
      const isLine = field?.type === 'items' && (name === 'enter' || name === 'shift+enter');
      if (!isMove || isLine) return;
      event.preventDefault();
      move(name);
    },
  };
  switch (field?.type) {
    case 'choice':
      return (
        <select {...props} defaultValue={before} value={before}>
          <option value="">—</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
    case 'items':
      return <textarea {...props} class="tb-input tb-lines" rows={8} defaultValue={start ?? before} />;
    case 'media':
      return (
        <>
          <input {...props} type="text" defaultValue={start ?? before} placeholder={texts.addressHint} />
          <IconButton
            class="ib tb-choose"
            icon="picture"
            label={texts.chooseFile}
            title={texts.chooseFile}
            // The input keeps the focus, so the edit goes on.
            onPointerDown={(event: PointerEvent) => event.preventDefault()}
            onClick={() => {
              ended.current = true;
              chooseFile(row?.id ?? null, field);
              close();
            }}
            onBlur={leave}
            onKeyDown={(event: KeyboardEvent) => {
              event.stopPropagation();
              const name = keyName(event);
              if (name === 'escape') cancel();
              else if (name === 'tab') move(name);
              else return;
              event.preventDefault();
            }}
          />
        </>
      );
    default:
      return <input {...props} type="text" defaultValue={start ?? before} />;
  }
}

const importer = later(() => import('../../media/import-files.ts'));
const ACCEPTED = { picture: 'image/*', video: 'video/*', sound: 'audio/*' } as const;

/** Lets the user choose a file for a cell. @param id of its row: by then it may be in another place. null: a new row. */
export function chooseFile(id: number | null, field: TemplateField): void {
  const { kind } = field;
  chooseFiles(kind === null ? MEDIA_FILES : ACCEPTED[kind], ([file]) => takeFile(id, field, file));
}

/** Puts a file into the cell of a row. */
async function takeFile(id: number | null, field: TemplateField, file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const of = projectId.value;
  const entry = await (await importer()).takeIn(file);
  if (typeof entry === 'string') return say(entry, 'bad');
  const found = kindOf(entry);
  const { kind } = field;
  if (kind !== null && found !== null && found !== kind) return say(series.wrongKind(file.name, kind), 'bad');
  const { rows } = table.value;
  const row = id === null ? rows.length : rows.findIndex((one) => one.id === id);
  const column = columns.value.findIndex((one) => one.field?.name === field.name);
  if (projectId.value !== of || row < 0 || column < 0) return say(texts.cellGone(file.name), 'bad');
  if (row >= MAX_TABLE_ROWS) return say(texts.full(MAX_TABLE_ROWS), 'bad');
  change(texts.setCell(field.label ?? field.name), (now) => {
    const { files, ...next } = setValue(now, columns.value, { row, column }, storedPlace(entry.hash));
    return { ...next, files: { ...files, [entry.hash]: entry } };
  });
}
