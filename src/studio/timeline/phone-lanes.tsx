import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { entryAt } from '../document/entries.ts';
import { laneKey } from '../document/lane-switches.ts';
import { Icon } from '../kit/icon.tsx';
import { timelineData } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { allLines, phoneLane, phoneOpen, selectedRefs } from './act/timeline-model.ts';
import { LaneButtons, laneHead } from './lane-buttons.tsx';

/** On a phone the timeline opens on demand and shows one lane at a time. */
export function PhoneLanes() {
  useEffect(followSelection, []);
  const lines = new Map(allLines.value.boxes.map(({ line }) => [laneKey(line.lane, line.role), line]));
  const shown = lines.get(phoneLane.value);
  return (
    <div class="tl-phone">
      <button
        type="button"
        class="bt plain"
        aria-expanded={phoneOpen.value}
        onClick={() => {
          phoneOpen.value = !phoneOpen.value;
        }}
      >
        <Icon name={phoneOpen.value ? 'down' : 'up'} />
        {page.timeline}
      </button>
      {phoneOpen.value && (
        <select
          aria-label={texts.lane}
          value={phoneLane.value}
          onChange={(event) => {
            phoneLane.value = event.currentTarget.value;
          }}
        >
          {[...lines].map(([key, { lane, role }]) => (
            <option key={key} value={key}>
              {laneHead(lane, role)}
            </option>
          ))}
        </select>
      )}
      {phoneOpen.value && shown !== undefined && <LaneButtons lane={shown.lane} role={shown.role} />}
    </div>
  );
}

/** Shows the lane of an entry that is added or selected elsewhere. */
function followSelection(): () => void {
  return effect(() => {
    const [ref] = selectedRefs.value;
    if (ref !== undefined) phoneLane.value = laneKey(ref.lane, entryAt(timelineData.peek(), ref)?.role);
  });
}
