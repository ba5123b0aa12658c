import { computed, effect, signal, untracked } from '@preact/signals';
import { type Draft, original } from 'immer';
import { columnsOf, isBlank, NO_EPISODES, type TableColumn } from '../../document/episode-table.ts';
import type { EpisodeRow, EpisodeTable, Project } from '../../document/project.ts';
import { projectOfRow } from '../../document/row-project.ts';
import {
  fileFaults,
  NO_FAULTS,
  type RowFaults,
  repeatedNames,
  TableChecks,
  VIDEO_FAULT,
} from '../../document/table-faults.ts';
import {
  type Cell,
  cornersOf,
  FIRST_CELL,
  type GridSize,
  type TableRange,
  within,
} from '../../document/table-range.ts';
import { studioConfig } from '../../kit/assets.ts';
import { decided, edit, shownRow, tableOpen } from '../../session/session.ts';
import { missingFiles } from './table-files.ts';

/** The table of the open template, and what is selected in it. */
export const table = computed<EpisodeTable>(() => decided.value.studio.table ?? NO_EPISODES);

const NO_COLUMNS: readonly TableColumn[] = [];

const template = computed(() => decided.value.template);
export const columns = computed(() => (template.value === undefined ? NO_COLUMNS : columnsOf(template.value)));

const wanted = signal<TableRange>(FIRST_CELL);
/** Rows that the grid shows without scrolling. */
export const page = signal(10);

/** The grid has a line more than rows: what is typed there is a new row. */
export const size = computed<GridSize>(() => ({
  rows: table.value.rows.length + 1,
  columns: columns.value.length,
  page: page.value,
}));

/** The selected cells. */
export const range = computed<TableRange>(() => within(wanted.value, size.value));

export function select(next: TableRange): void {
  wanted.value = next;
}

/** The cell that is being edited, and the text that it starts with; null: none. */
export const editing = signal<{ readonly cell: Cell; readonly text: string | null } | null>(null);

/** Changes the table as one undo step. */
export function change(label: string, next: (now: EpisodeTable) => EpisodeTable): void {
  edit(label, (draft) => {
    // Of the draft: the last step may have been taken back, because this one replaces it.
    const now: EpisodeTable = original(draft)!.studio.table ?? NO_EPISODES;
    const after = next(now);
    if (after !== now) draft.studio.table = after as Draft<EpisodeTable>;
  });
}

/** The parts of a project that a check of a row depends on. */
function partsOf({ template: fields, tier_list, timeline_data, settings, media }: Project): readonly unknown[] {
  return [fields, tier_list, timeline_data, settings, media];
}

let lastParts: readonly unknown[] = [];
let lastChecks: TableChecks | null = null;

/** The same checks as long as the template is the same: each knows the rows that it has seen. */
const checks = computed(() => {
  const parts = partsOf(decided.value);
  const isSame = lastChecks !== null && parts.every((part, index) => part === lastParts[index]);
  lastParts = parts;
  lastChecks = isSame ? lastChecks! : new TableChecks(decided.value, studioConfig.limits);
  return lastChecks;
});

const repeated = computed(() => repeatedNames(table.value));

export function faultsOf(row: EpisodeRow): RowFaults {
  const faults = checks.value.faultsOf(row);
  const ofFiles = fileFaults(row, columns.value, table.value.files, missingFiles.value);
  const same = repeated.value.get(row.id);
  if (ofFiles === NO_FAULTS && same === undefined) return faults;
  return new Map([...(same === undefined ? [] : [[VIDEO_FAULT, same] as const]), ...faults, ...ofFiles]);
}

const filledRows = computed(() => table.value.rows.filter((row) => !isBlank(row)));
/** The rows that can be exported. */
export const readyRows = computed(() => filledRows.value.filter((row) => faultsOf(row).size === 0));
export const wrongCount = computed(() => filledRows.value.length - readyRows.value.length);

/** The selected rows. */
export const chosenRows = computed(() => {
  const { top, bottom } = cornersOf(range.value);
  return table.value.rows.slice(top, bottom + 1);
});

/** The row at the active cell; undefined: the empty line. */
const activeRow = computed(() => table.value.rows[range.value.active.row]);

/** A preview follows after this pause, so that keys move on at once. */
const PREVIEW_AFTER_MS = 60;

/** Shows the active row in the preview, as long as the table is open. @returns a function that ends it */
export function previewRows(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownParts: readonly unknown[] = [];
  const stop = effect(() => {
    const row = tableOpen.value ? activeRow.value : undefined;
    const { media, table: own } = decided.value.studio;
    const parts = [row, ...partsOf(decided.value), media, own?.files];
    if (parts.every((part, index) => part === shownParts[index]) && shownParts.length > 0) return;
    shownParts = parts;
    clearTimeout(timer);
    timer = setTimeout(() => {
      shownRow.value =
        row === undefined ? null : untracked(() => projectOfRow(decided.value, row, studioConfig.limits));
    }, PREVIEW_AFTER_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
    shownRow.value = null;
  };
}
