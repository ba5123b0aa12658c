import { BOX_FIELDS, hasBox } from '../document/place-commands.ts';
import type { EntryRef } from '../document/selection.ts';
import { formatName } from '../kit/format-name.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import {
  boxedRef,
  forgetBox,
  isHiddenHere,
  isOwnPlace,
  placeScope,
  putBox,
  selectedPlace,
} from '../session/selected-place.ts';
import { shownPreset } from '../session/shown-preset.ts';
import { fields as fieldTexts } from '../texts/en/fields.ts';
import * as texts from '../texts/en/inspector.ts';
import { resetPlace } from '../texts/en/page.ts';
import { Field } from './field-control.tsx';

const SIDES = { x_percent: 'x', y_percent: 'y', width_percent: 'width', height_percent: 'height' } as const;

/** The fields that this panel shows instead of the entry's form. */
export function placeFields(ref: EntryRef): readonly string[] {
  return hasBox(ref) ? BOX_FIELDS : [];
}

/** The box of an entry in the shown format, and whether it applies to all formats. (C42) */
export function PlacePanel() {
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
          const [label, help = ''] = fieldTexts[name]!;
          const side = SIDES[name];
          return (
            <Field
              key={name}
              field={{
                owner: 'place',
                name,
                label,
                help,
                required: true,
                control: { kind: 'number', min: null, max: null },
              }}
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
