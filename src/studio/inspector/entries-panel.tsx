import { useId } from 'preact/hooks';
import type { Frames } from '../../time.ts';
import { LANES, type LaneName } from '../../timeline/lanes.ts';
import { captionLines } from '../document/caption-lines.ts';
import { type Entry, entryAt, frameSlot, withEntry } from '../document/entries.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import { isLocked } from '../document/lane-switches.ts';
import { dropLooseBackground } from '../document/media-commands.ts';
import { changeEntries } from '../document/move-entries.ts';
import { BOX_FIELDS, hasBox } from '../document/place-commands.ts';
import { type EntryOf, mediaOf } from '../document/project.ts';
import { type EntryRef, entryPath, NOTHING } from '../document/selection.ts';
import { setRole } from '../document/sound-commands.ts';
import { gainOf } from '../document/volume-points.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { clock, formatName } from '../kit/shown-values.ts';
import { useTyped } from '../kit/use-typed.ts';
import { Thumb } from '../media/thumb.tsx';
import { editTimeline, timeRules } from '../session/edit-timeline.ts';
import { lookForPauses } from '../session/look-for-pauses.ts';
import {
  boxedRef,
  forgetBox,
  isHiddenHere,
  isOwnPlace,
  placeScope,
  putBox,
  selectedPlace,
} from '../session/selected-place.ts';
import { edit, openCaptions, playhead, project, selection, timelineData } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import { addPoint, movedPoint, pointWords, removePoint } from '../session/volume-edits.ts';
import { units } from '../texts/en/fields.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';
import { resetPlace } from '../texts/en/page.ts';
import { EntryForm, SharedForm } from './entry-form.tsx';
import { Field } from './field-control.tsx';
import { describeField } from './field-descriptions.ts';
import { REVEAL_FIELDS, RevealPanel, RevealSteps } from './reveal-panel.tsx';

/** Fields that have a special control. */
const SHOWN_ELSEWHERE: Readonly<Partial<Record<LaneName, readonly string[]>>> = {
  tier_tiles: REVEAL_FIELDS,
  soundtracks: ['role'],
};

/** The form of one entry, or of several. */
export function EntriesPanel({ refs }: { readonly refs: readonly EntryRef[] }) {
  const { lane, id } = refs[0]!;
  const entry = project.value.timeline_data[lane].find((each) => each.id === id)!;
  const { title, label: word } = LANE_LOOKS[lane];
  const locked = refs.some((ref) => {
    const found = project.value.timeline_data[ref.lane].find((each) => each.id === ref.id);
    return found !== undefined && isLocked(project.value.studio.lanes, ref.lane, found as Entry);
  });
  const remove = () => {
    selection.value = NOTHING;
    edit(refs.length === 1 ? page.removeNamed(word) : texts.removeEntries(refs.length), (draft) => {
      for (const ref of refs) {
        const list = draft.timeline_data[ref.lane] as { id: string }[];
        const at = list.findIndex((each) => each.id === ref.id);
        if (at >= 0) list.splice(at, 1);
      }
      dropLooseBackground(draft);
    });
    focusSoon('.tl-list');
  };
  return (
    <>
      <div class="phd">
        <h2>{refs.length === 1 ? title : texts.entries(refs.length)}</h2>
        {refs.length === 1 && lane === 'tier_tiles' && <RevealSteps tile={entry as EntryOf<'tier_tiles'>} />}
      </div>
      <section class="scr" tabIndex={0} aria-label={title}>
        {locked && (
          <p class="field-note iswarn">
            <Icon name="lock" />
            <span>{texts.lockedLane}</span>
          </p>
        )}
        <fieldset class="entry-set" disabled={locked}>
          {refs.length === 1 && (
            <>
              <Source entry={entry} />
              {lane === 'soundtracks' && <Role entry={entry as EntryOf<'soundtracks'>} />}
              {lane === 'tier_tiles' && <RevealPanel key={id} tile={entry as EntryOf<'tier_tiles'>} />}
              <EntryForm
                kind={LANES[lane].schema}
                value={entry}
                path={entryPath(project.value, lane, id)}
                without={['volume_points', ...(SHOWN_ELSEWHERE[lane] ?? placeFields({ lane, id }))]}
                onChange={(name, label, value) =>
                  edit(texts.change(label), (draft) => changeEntries(draft, refs, name, value))
                }
                onReplace={(next) =>
                  edit(texts.change(word), (draft) => {
                    const list = draft.timeline_data[lane] as { id: string }[];
                    const at = list.findIndex((each) => each.id === id);
                    if (at >= 0) list[at] = { ...next, id };
                  })
                }
              >
                {lane === 'subtitles' && captionLines(project.value.timeline_data).length > 0 && (
                  <button type="button" class="bt wide quiet-button" onClick={() => openCaptions(null)}>
                    <Icon name="text" />
                    {texts.allCaptions}
                  </button>
                )}
                {LANES[lane].hasSound && (
                  <>
                    <VolumePoints of={{ lane, id }} />
                    <button type="button" class="bt wide quiet-button" onClick={() => lookForPauses({ lane, id })}>
                      <Icon name="scissors" />
                      {texts.removePauses}
                    </button>
                    <button type="button" class="bt wide quiet-button" onClick={() => openCaptions({ lane, id })}>
                      <Icon name="text" />
                      {texts.captions}
                    </button>
                  </>
                )}
                <PlacePanel />
              </EntryForm>
            </>
          )}
          {refs.length > 1 && (
            <SharedForm
              entries={refs.flatMap((ref) => {
                const value = project.value.timeline_data[ref.lane].find((each) => each.id === ref.id);
                return value === undefined ? [] : [{ kind: LANES[ref.lane].schema, value }];
              })}
              onChange={(name, label, value) =>
                edit(texts.changeOfEntries(label, refs.length), (draft) => changeEntries(draft, refs, name, value))
              }
            />
          )}
          <button type="button" class="bt wide quiet-button" onClick={remove}>
            <Icon name="trash" />
            {page.remove}
          </button>
        </fieldset>
      </section>
    </>
  );
}

const ROLES = [
  { value: 'voice', words: texts.voice },
  { value: 'music', words: texts.music },
  { value: 'none', words: texts.otherSound },
] as const;

/** The role of a sound: guessed at the import, corrected with a click. (C57) */
function Role({ entry: { id, role } }: { readonly entry: EntryOf<'soundtracks'> }) {
  return (
    <>
      <Radios
        label={texts.kindOfSound}
        class="seg"
        value={role ?? 'none'}
        choices={ROLES}
        onChoose={(next) => edit(texts.changeRole, (draft) => setRole(draft, id, next === 'none' ? null : next))}
      />
      <p class="field-note q">{texts.musicIsLowered}</p>
    </>
  );
}

function Source({ entry }: { readonly entry: object }) {
  const { file_field: field } = entry as { readonly file_field?: string };
  const media = field === undefined ? undefined : mediaOf(project.value, field);
  if (media === undefined) return null;
  return (
    <p class="source">
      <span class="th">
        <Thumb entry={media} />
      </span>
      <span class="mt">
        <b>{media.name}</b>
        <small>{media.duration > 0 ? clock(media.duration) : `${media.width} × ${media.height}`}</small>
      </span>
    </p>
  );
}

const SIDES = { x_percent: 'x', y_percent: 'y', width_percent: 'width', height_percent: 'height' } as const;

/** The fields that this panel shows instead of the entry's form. */
function placeFields(ref: EntryRef): readonly string[] {
  return hasBox(ref) ? BOX_FIELDS : [];
}

/** The box of an entry in the shown format, and whether it applies to all formats. (C42) */
function PlacePanel() {
  if (boxedRef.value === null) return null;
  const format = formatName(shownPreset.value.name).toLowerCase();
  return (
    <details class="grp-fields" open>
      <summary>
        <Icon name="right" />
        {texts.place}
      </summary>
      <Whose format={format} />
      <Numbers format={format} />
    </details>
  );
}

function Whose({ format }: { readonly format: string }) {
  const isOwn = isOwnPlace.value;
  const box = selectedPlace.value?.box;
  return (
    <>
      <Radios
        label={texts.placeIsFor}
        class="seg full"
        value={isOwn}
        choices={[
          { value: false, words: texts.allFormats },
          { value: true, words: texts.onlyIn(formatName(shownPreset.value.name)), disabled: box === undefined },
        ]}
        onChoose={(own) => {
          if (!own && isOwn) forgetBox('own');
          if (own && !isOwn && box !== undefined) putBox(box, 'own');
        }}
      />
      {!isOwn && placeScope.value === 'own' && <p class="q">{texts.movesOnlyIn(format)}</p>}
    </>
  );
}

function Numbers({ format }: { readonly format: string }) {
  const box = selectedPlace.value?.box;
  // Without a plan, the box is unknown.
  if (box === undefined) return isHiddenHere.value ? <p class="q">{texts.notShownIn(format)}</p> : null;
  return (
    <>
      <div class="fields">
        {BOX_FIELDS.map((name) => {
          const side = SIDES[name];
          return (
            <Field
              key={name}
              field={{ ...describeField('video', name, studioConfig.limits), required: true }}
              value={box[side]}
              path=""
              errors={[]}
              warnings={[]}
              onChange={(next) => typeof next === 'number' && putBox({ ...box, [side]: next })}
            />
          );
        })}
      </div>
      <button type="button" class="bt wide quiet-button" onClick={() => forgetBox(placeScope.value)}>
        <Icon name="undo" />
        {isOwnPlace.value ? texts.asOtherFormats : resetPlace}
      </button>
    </>
  );
}

/** The volume points of an entry, each with its time and level. (C80) */
function VolumePoints({ of: { lane, id } }: { readonly of: EntryRef }) {
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
