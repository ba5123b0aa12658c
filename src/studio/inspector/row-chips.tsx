import { project } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';

interface RowChipsProps {
  readonly labelledBy: string;
  /** Whether a row is chosen; null is none of them. */
  readonly isOn: (row: string | null) => boolean;
  readonly onChoose: (row: string | null) => void;
  /** Whether none can be chosen. */
  readonly hasNone?: boolean;
}

/** A button for each row, in its colour. */
export function RowChips({ labelledBy, isOn, onChoose, hasNone = false }: RowChipsProps) {
  return (
    <div class="chips" role="group" aria-labelledby={labelledBy}>
      {project.value.tier_list.rows.map((row) => (
        <button
          key={row.id}
          type="button"
          class="chip"
          aria-pressed={isOn(row.id)}
          style={{ '--t': row.color ?? '#c9c5d3' }}
          onClick={() => onChoose(row.id)}
        >
          {row.label ?? row.id}
        </button>
      ))}
      {hasNone && (
        <button
          type="button"
          class="chip none"
          title={texts.noRowTitle}
          aria-pressed={isOn(null)}
          onClick={() => onChoose(null)}
        >
          {texts.noRow}
        </button>
      )}
    </div>
  );
}
