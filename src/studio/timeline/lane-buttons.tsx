import { LANES, type LaneName } from '../../timeline/lanes.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import { isOn, laneKey, switchLane } from '../document/lane-switches.ts';
import { Icon } from '../kit/icon.tsx';
import { edit, mediaShelf } from '../session/session.ts';
import * as texts from '../texts/en/timeline.ts';

interface LaneProps {
  readonly lane: LaneName;
  readonly role: keyof typeof texts.roleHeads | undefined;
}

export function laneHead(lane: LaneName, role: LaneProps['role']): string {
  return role === undefined ? LANE_LOOKS[lane].head : texts.roleHeads[role];
}

const SWITCHES = [
  { which: 'muted', of: 'sound', icon: 'muted' },
  { which: 'solo', of: 'sound', icon: null },
  { which: 'locked', of: 'all', icon: 'lock' },
] as const;

/** Mute, solo and lock of a lane. */
export function LaneButtons({ lane, role }: LaneProps) {
  const { lanes } = mediaShelf.value;
  const key = laneKey(lane, role);
  const head = laneHead(lane, role);
  return SWITCHES.filter(({ of }) => of === 'all' || LANES[lane].hasSound).map(({ which, icon }) => (
    <button
      key={which}
      type="button"
      class="tl-switch"
      aria-label={texts.switches[which].label(head)}
      aria-pressed={isOn(lanes, key, which)}
      title={texts.switches[which].hint}
      onClick={() => edit(texts.switches[which].label(head), (draft) => switchLane(draft, key, which))}
    >
      {icon === null ? texts.soloSign : <Icon name={icon} />}
    </button>
  ));
}
