import { Component } from 'preact';
import { hashOf, type TableColumn, textAt, valueAt } from '../../document/episode-table.ts';
import type { EpisodeRow, EpisodeTable } from '../../document/project.ts';
import { type RowFaults, VIDEO_FAULT } from '../../document/table-faults.ts';
import { Icon } from '../../kit/icon.tsx';
import { Thumb } from '../../media/thumb.tsx';
import * as texts from '../../texts/en/table.ts';
import { CellEditor } from './cell-editor.tsx';
import type { editing } from './open-rows.ts';

interface GridRowProps {
  readonly index: number;
  /** undefined: the empty line below the last row. */
  readonly row: EpisodeRow | undefined;
  readonly columns: readonly TableColumn[];
  readonly faults: RowFaults | null;
  readonly files: EpisodeTable['files'];
  /** The selected cells; −1: none. */
  readonly left: number;
  readonly right: number;
  /** The active cell; −1: it is in another row. */
  readonly active: number;
  readonly editing: typeof editing.value;
}

export function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`;
}

/** A line of the grid. It is rendered again only if it changed. */
export class GridRow extends Component<GridRowProps> {
  override shouldComponentUpdate(next: GridRowProps): boolean {
    const { props } = this;
    return (Object.keys(next) as (keyof GridRowProps)[]).some((name) => next[name] !== props[name]);
  }

  override render({ index, row, columns, faults, files, left, right, active, editing: open }: GridRowProps) {
    const isSelected = left >= 0;
    return (
      <div
        class="tb-line"
        role="row"
        aria-rowindex={index + 2}
        data-active={active >= 0}
        data-open={open !== null}
        style={{ insetBlockStart: `calc(var(--line-px) * ${index})` }}
      >
        <span class="tb-number" role="rowheader" aria-colindex={1} data-cell={`${index} -1`}>
          <RowNumber index={index} isNew={row === undefined} />
        </span>
        {columns.map((column, at) => {
          const fault = faults?.get(column.field?.name ?? VIDEO_FAULT) ?? null;
          const isOpen = open !== null && open.cell.column === at;
          const file = row === undefined ? undefined : fileAt(row, column, files);
          const text = row === undefined ? '' : textShown(row, column, file, fault);
          return (
            <span
              key={column.field?.name ?? ''}
              id={cellId(index, at)}
              role="gridcell"
              class="tb-cell"
              aria-colindex={at + 2}
              aria-selected={isSelected && at >= left && at <= right}
              aria-invalid={fault !== null}
              data-active={active === at}
              data-open={isOpen}
              data-long={isLong(text, column)}
              data-cell={`${index} ${at}`}
              data-type={column.field?.type ?? 'video'}
              title={fault ?? undefined}
            >
              {isOpen ? (
                <CellEditor cell={open.cell} row={row} column={column} start={open.text} />
              ) : (
                row !== undefined && <CellContent row={row} column={column} text={text} file={file} fault={fault} />
              )}
            </span>
          );
        })}
        <span
          role="gridcell"
          class="tb-state"
          data-long={faults !== null && faults.size > 0}
          aria-colindex={columns.length + 2}
          data-cell={`${index} -1`}
        >
          <RowState faults={faults} />
        </span>
      </div>
    );
  }
}

/** The number of a row; a plus on the empty line. */
export function RowNumber({ index, isNew }: { readonly index: number; readonly isNew: boolean }) {
  if (!isNew) return <>{index + 1}</>;
  return (
    <>
      <Icon name="plus" />
      <span class="unseen">{texts.newRow}</span>
    </>
  );
}

function RowState({ faults }: { readonly faults: RowFaults | null }) {
  if (faults === null) return null;
  const [first] = faults.values();
  if (first === undefined) return <span class="isfine">{texts.ready}</span>;
  return (
    <span class="isbad" title={first}>
      {first}
    </span>
  );
}

interface ContentProps {
  readonly row: EpisodeRow;
  readonly column: TableColumn;
  readonly text: string;
  readonly file: EpisodeTable['files'][string] | undefined;
  readonly fault: string | null;
}

function CellContent({ row, column, text, file, fault }: ContentProps) {
  const value = valueAt(row, column);
  return (
    <>
      {column.field?.type === 'color' && /^#[\da-f]{6}$/i.test(String(value)) && (
        <span class="tb-colour" style={{ background: String(value) }} />
      )}
      {file !== undefined && (
        <span class="tb-thumb">
          <Thumb entry={file} />
        </span>
      )}
      {value === undefined ? <span class="tb-none">{text}</span> : text}
      {fault !== null && <span class="unseen"> {fault}</span>}
    </>
  );
}

function fileAt(row: EpisodeRow, column: TableColumn, files: EpisodeTable['files']) {
  const hash = hashOf(valueAt(row, column));
  return hash === null ? undefined : files[hash];
}

function textShown(
  row: EpisodeRow,
  column: TableColumn,
  file: EpisodeTable['files'][string] | undefined,
  fault: string | null,
): string {
  const value = valueAt(row, column);
  if (value === undefined) return fault === null ? usual(column) : texts.needed;
  if (Array.isArray(value)) return texts.manyItems(value.length);
  return hashOf(value) === null ? textAt(row, column) : (file?.name ?? texts.missingFile);
}

const WIDTHS = { text: 180, number: 96, color: 124, choice: 132, media: 180, items: 124 } as const;
const NAME_PX = 150;

/** The width of the cells of a column. */
export function widthOf({ field }: TableColumn): number {
  return field === null ? NAME_PX : WIDTHS[field.type];
}

/** The width of a wide letter, and what stands beside the text at most. */
const [LETTER_PX, BESIDE_PX] = [13, 46];

/** Whether a text may be wider than its cell. Only then it is cut off: each clip of a page costs in every frame of a scroll. */
function isLong(text: string, column: TableColumn): boolean {
  return text.length * LETTER_PX > widthOf(column) - BESIDE_PX;
}

/** The value that counts if the cell is empty. */
function usual({ field }: TableColumn): string {
  return field?.default === undefined ? '' : String(field.default);
}
