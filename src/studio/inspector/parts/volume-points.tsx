import { useId } from 'preact/hooks';
import type { Frames } from '../../../time.ts';
import { entryAt, frameSlot, withEntry } from '../../document/entries.ts';
import type { EntryRef } from '../../document/selection.ts';
import { gainOf } from '../../document/volume-points.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { editTimeline, timeRules } from '../../session/edit-timeline.ts';
import { playhead, timelineData } from '../../session/session.ts';
import { addPoint, movedPoint, pointWords, removePoint } from '../../session/volume-edits.ts';
import { units } from '../../texts/en/fields.ts';
import * as texts from '../../texts/en/inspector.ts';

/** The volume points of an entry, each with its time and level. (C80) */
export function VolumePoints({ of: { lane, id } }: { readonly of: EntryRef }) {
  const ref = { lane, index: timelineData.value[lane].findIndex((each) => each.id === id) };
  const entry = entryAt(timelineData.value, ref);
  if (entry === undefined) return null;
  const points = entry.volume_points ?? [];
  const { volumeAs = 'gain', rate } = timeRules.value;
  const { start, end } = frameSlot(entry, timeRules.value);
  const at = playhead.value as Frames;
  const isOver = start <= at && at <= end;
  return (
    <details class="grp-fields">
      <summary>
        <Icon name="right" />
        {texts.volumePoints}
        {points.length > 0 && <small>{texts.points(points.length)}</small>}
      </summary>
      {points.map((point, index) => (
        <div class="point-line" key={index}>
          <PointField
            label={texts.pointSeconds(index + 1)}
            value={point.at}
            unit={units.seconds}
            keep={(seconds) =>
              editTimeline(
                texts.movePoint,
                movedPoint(ref, index, { at: seconds, gain: gainOf(point.volume, volumeAs) }),
              )
            }
          />
          <PointField
            label={texts.pointVolume(index + 1)}
            value={point.volume}
            unit={volumeAs === 'percent' ? units.percent : units.times}
            keep={(volume) =>
              editTimeline(texts.movePoint, movedPoint(ref, index, { at: point.at, gain: gainOf(volume, volumeAs) }))
            }
          />
          <button
            type="button"
            class="ib"
            aria-label={texts.removePoint(index + 1, pointWords(ref, index))}
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
            editTimeline(texts.removePoints, (data) => {
              const { volume_points: _, ...rest } = entryAt(data, ref)!;
              return withEntry(data, ref, rest);
            })
          }
        >
          {texts.removeAllPoints}
        </button>
      )}
      <button
        type="button"
        class="bt wide quiet-button"
        disabled={!isOver}
        title={texts.pointOnTimeline}
        onClick={() => addPoint(ref, ((at - start) * rate.den) / rate.num, null)}
      >
        <Icon name="plus" />
        {texts.pointHere}
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
