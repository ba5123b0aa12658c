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
              data-cell={`${index} ${at}`}
              data-type={column.field?.type ?? 'video'}
              title={fault ?? undefined}
            >
              {isOpen ? (
                <CellEditor cell={open.cell} row={row} column={column} start={open.text} />
              ) : (
                <CellContent row={row} column={column} files={files} fault={fault} />
              )}
            </span>
          );
        })}
        <span role="gridcell" class="tb-state" aria-colindex={columns.length + 2} data-cell={`${index} -1`}>
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
  readonly row: EpisodeRow | undefined;
  readonly column: TableColumn;
  readonly files: EpisodeTable['files'];
  readonly fault: string | null;
}

function CellContent({ row, column, files, fault }: ContentProps) {
  const { field } = column;
  const value = row === undefined ? undefined : valueAt(row, column);
  const unseen = fault !== null && <span class="unseen"> {fault}</span>;
  if (row === undefined) return null;
  if (value === undefined) {
    return (
      <>
        <span class="tb-none">{fault === null ? usual(column) : texts.needed}</span>
        {unseen}
      </>
    );
  }
  const hash = hashOf(value);
  const file = hash === null ? undefined : files[hash];
  return (
    <>
      {field?.type === 'color' && /^#[\da-f]{6}$/i.test(String(value)) && (
        <span class="tb-colour" style={{ background: String(value) }} />
      )}
      {file !== undefined && (
        <span class="tb-thumb">
          <Thumb entry={file} />
        </span>
      )}
      {Array.isArray(value)
        ? texts.manyItems(value.length)
        : hash === null
          ? textAt(row, column)
          : (file?.name ?? texts.missingFile)}
      {unseen}
    </>
  );
}

/** The value that counts if the cell is empty. */
function usual({ field }: TableColumn): string {
  return field?.default === undefined ? '' : String(field.default);
}
