import { useId } from 'preact/hooks';
import type { Frames } from '../../../time.ts';
import type { EntryRef } from '../../document/selection.ts';
import { entryAt, withEntry } from '../../document/timeline/entries.ts';
import { frameSlot } from '../../document/timeline/slot.ts';
import { gainOf } from '../../document/timeline/volume-points.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { playhead, timelineData } from '../../session/session.ts';
import { editTimeline, rules } from '../../session/timeline.ts';
import { addPoint, movedPoint, pointWords, removePoint } from '../../session/volume-points.ts';

/** The points of an entry's volume, each with its second and its level. (C80) */
export function VolumePoints({ of: { lane, id } }: { readonly of: EntryRef }) {
  const ref = { lane, index: timelineData.value[lane].findIndex((each) => each.id === id) };
  const entry = entryAt(timelineData.value, ref);
  if (entry === undefined) return null;
  const points = entry.volume_points ?? [];
  const { volumeAs = 'gain', rate } = rules.value;
  const { start, end } = frameSlot(entry, rules.value);
  const at = playhead.value as Frames;
  const isOver = start <= at && at <= end;
  return (
    <details class="grp-fields">
      <summary>
        <Icon name="right" />
        Volume over time
        {points.length > 0 && <small>{points.length === 1 ? '1 point' : `${points.length} points`}</small>}
      </summary>
      {points.map((point, index) => (
        <div class="point-line" key={index}>
          <PointField
            label={`Point ${index + 1}: seconds from the start`}
            value={point.at}
            unit="s"
            keep={(seconds) =>
              editTimeline(
                'Move volume point',
                movedPoint(ref, index, { at: seconds, gain: gainOf(point.volume, volumeAs) }),
              )
            }
          />
          <PointField
            label={`Point ${index + 1}: volume`}
            value={point.volume}
            unit={volumeAs === 'percent' ? '%' : '×'}
            keep={(volume) =>
              editTimeline(
                'Move volume point',
                movedPoint(ref, index, { at: point.at, gain: gainOf(volume, volumeAs) }),
              )
            }
          />
          <button
            type="button"
            class="ib"
            aria-label={`Remove point ${index + 1}: ${pointWords(ref, index)}`}
            onClick={() => removePoint(ref, index)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {points.length > 0 && (
        <button
          type="button"
          class="bt wide quiet-button"
          onClick={() =>
            editTimeline('Remove volume points', (data) => {
              const { volume_points: _, ...rest } = entryAt(data, ref)!;
              return withEntry(data, ref, rest);
            })
          }
        >
          Remove all points
        </button>
      )}
      <button
        type="button"
        class="bt wide quiet-button"
        disabled={!isOver}
        title="Alt and click, or the pen, add one on the timeline"
        onClick={() => addPoint(ref, ((at - start) * rate.den) / rate.num, null)}
      >
        <Icon name="plus" />
        Point at the playhead
      </button>
    </details>
  );
}

interface PointFieldProps {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly keep: (value: number) => void;
}

function PointField({ label, value, unit, keep }: PointFieldProps) {
  const id = useId();
  const typed = useTyped(String(Math.round(value * 1000) / 1000), (text) => {
    const number = Number(text.trim().replace(',', '.'));
    if (text.trim() !== '' && Number.isFinite(number)) keep(number);
  });
  return (
    <span class="unit-field">
      <label class="unseen" for={id}>
        {label}
      </label>
      <input id={id} type="text" inputMode="decimal" class="num" {...typed} />
      <span class="unit">{unit}</span>
    </span>
  );
}
