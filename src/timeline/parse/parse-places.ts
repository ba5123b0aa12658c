import type { ClipLayerName, Fit } from '../choices.ts';
import type { RawVideo } from '../document-schemas.ts';
import type { EnterExit, GivenBox, MotionEntry, PlacesByPreset, PresetPlace } from '../export-request.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import { findPreset, unknownPreset } from '../presets.ts';
import { filled } from '../read-fields.ts';
import { ENTER_EXIT, TIMELINE_FIELDS } from '../timeline-fields.ts';
import type { ParseContext } from './parse-context.ts';

/** The percent fields as they are sent. */
interface SentBox {
  readonly x_percent?: number | undefined;
  readonly y_percent?: number | undefined;
  readonly width_percent?: number | undefined;
  readonly height_percent?: number | undefined;
}

interface SentPlace extends SentBox {
  readonly fit?: Fit | undefined;
  readonly layer?: ClipLayerName | undefined;
  readonly motion?: RawVideo['motion'];
  readonly size?: number | undefined;
  readonly hidden?: boolean | undefined;
}

/** The percent fields that are given, and no others. */
export function readBox({ x_percent, y_percent, width_percent, height_percent }: SentBox): GivenBox {
  return {
    ...(x_percent !== undefined && { x: x_percent }),
    ...(y_percent !== undefined && { y: y_percent }),
    ...(width_percent !== undefined && { width: width_percent }),
    ...(height_percent !== undefined && { height: height_percent }),
  };
}

/** The places an entry has in single presets, by the presets' own names. (C42) */
export function readPresetPlaces(
  sent: Readonly<Record<string, SentPlace>> | undefined,
  path: string,
  { presets, issues }: Pick<ParseContext, 'presets' | 'issues'>,
): PlacesByPreset {
  const places: Record<string, PresetPlace> = {};
  for (const [name, place] of Object.entries(sent ?? {})) {
    const preset = findPreset(presets, name);
    const at = pointer(path, 'presets', name);
    if (preset === undefined) {
      issues.error(at, 'field.choice', unknownPreset('A preset', name, presets));
    } else if (Object.hasOwn(places, preset.name)) {
      issues.error(
        at,
        'id.duplicate',
        `The preset ${shownText(preset.name)} has a place already, by another of its names.`,
      );
    } else {
      const { fit, layer, motion, size, hidden } = place;
      places[preset.name] = {
        box: readBox(place),
        ...(fit !== undefined && { fit }),
        ...(layer !== undefined && { layer }),
        ...(motion !== undefined && { motion: readMotion(motion) }),
        ...(size !== undefined && { size }),
        hidden: hidden ?? false,
      };
    }
  }
  return places;
}

type SentMotion = NonNullable<RawVideo['motion']>;

/** A motion with every default filled in. (C59) */
export function readMotion(sent: SentMotion): MotionEntry {
  if (typeof sent === 'string') return sent;
  const { motion, view } = TIMELINE_FIELDS;
  return { from: filled(view, sent.from ?? {}), to: filled(view, sent.to ?? {}), ...filled(motion, sent) };
}

/** The entrance and the exit of an entry, if it has them. (C48) */
export function readEnterExit(value: Pick<RawVideo, 'enter' | 'exit' | 'enter_duration'>): EnterExit {
  const { enterDuration: duration, ...both } = filled(ENTER_EXIT, value);
  return { ...both, duration };
}
