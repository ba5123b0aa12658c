import { useLayoutEffect, useRef } from 'preact/hooks';
import { hashOf, storedPlace, type TableColumn, textAt, valueAt, valueFrom } from '../../document/episode-table.ts';
import { kindOf } from '../../document/field-places.ts';
import type { EpisodeRow } from '../../document/project.ts';
import { setValue } from '../../document/table-edits.ts';
import { type Cell, movedBy } from '../../document/table-range.ts';
import { chooseFiles, MEDIA_FILES } from '../../files/take-files.ts';
import { keyName } from '../../keys/keys.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { IconButton } from '../../kit/icon.tsx';
import { later } from '../../kit/later.tsx';
import { say } from '../../kit/messages.ts';
import * as series from '../../texts/en/series.ts';
import * as texts from '../../texts/en/table.ts';
import { setCell } from './grid-commands.ts';
import { change, columns, editing, range, select, size } from './open-rows.ts';

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

/** The control in a cell. Enter and Tab keep its text and go on, Escape leaves the cell as it was. */
export function CellEditor({ cell, row, column, start }: CellEditorProps) {
  const input = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null);
  const { field, label } = column;
  const before = row === undefined ? '' : textAt(row, column);
  /** Whether the edit has ended: the blur that follows keeps nothing. */
  const ended = useRef(false);
  useLayoutEffect(() => {
    const control = input.current!;
    control.focus();
    if (start !== null && field?.type === 'choice') {
      const chosen = field.options.find((option) => option.toLowerCase().startsWith(start.toLowerCase()));
      if (chosen !== undefined) control.value = chosen;
    } else if (field?.type !== 'choice') control.setSelectionRange(control.value.length, control.value.length);
  }, []);
  const keep = () => {
    if (ended.current) return;
    ended.current = true;
    const text = input.current!.value;
    const known = row === undefined ? undefined : valueAt(row, column);
    // The name of a file stands for its place.
    if (text !== before || hashOf(known) === null) {
      if (text !== before) setCell(cell, valueFrom(column, text));
    }
    close();
  };
  const props = {
    ref: input,
    class: 'tb-input',
    'aria-label': texts.editCell(label, cell.row + 1),
    onBlur: keep,
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.isComposing) return;
      const name = keyName(event);
      if (name === 'escape') {
        event.preventDefault();
        ended.current = true;
        close();
        return;
      }
      const isMove = ['enter', 'shift+enter', 'tab', 'shift+tab'].includes(name);
      const isLine = field?.type === 'items' && (name === 'enter' || name === 'shift+enter');
      if (!isMove || isLine) return;
      event.preventDefault();
      keep();
      const next = movedBy(range.value, name, size.value);
      if (next !== null) select(next);
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
            icon="picture"
            label={texts.chooseFile}
            title={texts.chooseFile}
            onPointerDown={(event: PointerEvent) => {
              // The input keeps the focus, so the edit goes on.
              event.preventDefault();
              ended.current = true;
              choose(cell, field.kind, label);
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

function choose(cell: Cell, kind: keyof typeof ACCEPTED | null, label: string): void {
  chooseFiles(kind === null ? MEDIA_FILES : ACCEPTED[kind], ([file]) => takeFile(cell, file, kind, label));
  close();
}

/** Puts a file into a cell. */
async function takeFile(
  cell: Cell,
  file: File | undefined,
  kind: keyof typeof ACCEPTED | null,
  label: string,
): Promise<void> {
  if (file === undefined) return;
  const entry = await (await importer()).takeIn(file);
  if (typeof entry === 'string') return say(entry, 'bad');
  const found = kindOf(entry);
  if (kind !== null && found !== null && found !== kind) return say(series.wrongKind(file.name, kind), 'bad');
  change(texts.setCell(label), (now) => {
    const { files, ...next } = setValue(now, columns.value, cell, storedPlace(entry.hash));
    return { ...next, files: { ...files, [entry.hash]: entry } };
  });
}
