import { LANES, type LaneName } from '../../timeline/lanes.ts';
import { isOn, laneKey, switchLane } from '../document/lane-switches.ts';
import { LANE_LOOKS } from '../document/lanes.ts';
import { Icon } from '../kit/icon.tsx';
import { edit, mediaShelf } from '../session/session.ts';
import { ROLE_HEADS } from './role-heads.ts';

interface LaneProps {
  readonly lane: LaneName;
  readonly role: keyof typeof ROLE_HEADS | undefined;
}

export function laneHead(lane: LaneName, role: LaneProps['role']): string {
  return role === undefined ? LANE_LOOKS[lane].head : ROLE_HEADS[role];
}

const SWITCHES = [
  { which: 'muted', of: 'sound', label: 'Mute', icon: 'muted', title: 'Mute: not heard, here and in the export' },
  {
    which: 'solo',
    of: 'sound',
    label: 'Solo',
    icon: null,
    title: 'Solo: nothing else is heard, here and in the export',
  },
  { which: 'locked', of: 'all', label: 'Lock', icon: 'lock', title: 'Lock: entries are not moved, cut or removed' },
] as const;

/** Mute, solo and lock of a lane. */
export function LaneSwitches({ lane, role }: LaneProps) {
  const { lanes } = mediaShelf.value;
  const key = laneKey(lane, role);
  const words = laneHead(lane, role).toLowerCase();
  return SWITCHES.filter(({ of }) => of === 'all' || LANES[lane].hasSound).map(({ which, label, icon, title }) => (
    <button
      key={which}
      type="button"
      class="tl-switch"
      aria-label={`${label} ${words}`}
      aria-pressed={isOn(lanes, key, which)}
      title={title}
      onClick={() => edit(`${label} ${words}`, (draft) => switchLane(draft, key, which))}
    >
      {icon === null ? label[0] : <Icon name={icon} />}
    </button>
  ));
}
