import { LANES, type LaneName } from '../../timeline/lanes.ts';
import { sendToRow, takenWith } from '../carry/item-drag.ts';
import { startRenaming } from '../carry/renaming.ts';
import { moveRow, removeItems, removeRow } from '../document/board-commands.ts';
import { isOn, laneKey, switchLane } from '../document/lane-switches.ts';
import { LANE_LOOKS } from '../document/lanes.ts';
import { addItem } from '../document/media/add-files.ts';
import { isFileLocked, removeMedia } from '../document/media-commands.ts';
import type { LaneSwitch } from '../document/project.ts';
import { NOTHING, selectedEntries } from '../document/selection.ts';
import { copyByMenu, copySelected, cutSelected, duplicateSelected, pasteByMenu } from '../files/clipboard.ts';
import { keyed } from '../keys/keys.ts';
import { focusDetails, focusSoon } from '../keys/move-focus.ts';
import type { MenuTarget } from '../kit/context-menu.ts';
import type { IconName } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { edit, mediaShelf, playing, project, selection, tierList, timelineData } from '../session/session.ts';
import { togglePlay } from '../session/transport.ts';
import { lockedEntries } from '../texts/en/page.ts';
import { addHere } from '../timeline/act/timeline-actions.ts';
import { selectNamed } from '../timeline/act/timeline-model.ts';

/** A line of a context menu. */
interface Command {
  readonly label: string;
  /** Its key, as `keys/keys.ts` names it. */
  readonly key?: string;
  readonly icon?: IconName;
  readonly off?: boolean;
  /** Whether a line separates it from those above. */
  readonly apart?: boolean;
  readonly run: () => unknown;
}

type Of<K extends MenuTarget['kind']> = Extract<MenuTarget, { readonly kind: K }>;

/** What can be done to each kind of thing, in the order of its menu. */
const COMMANDS: { readonly [K in MenuTarget['kind']]: (target: Of<K>) => readonly (Command | null)[] } = {
  entries: () => [
    ...CLIPBOARD,
    apart(fromKey('s', 'scissors')),
    fromKey('['),
    fromKey(']'),
    ...(selectedEntries(selection.value).some(({ lane }) => LANES[lane].hasSound) ? [fromKey('v')] : []),
    apart(details()),
    apart(fromKey('delete', 'trash')),
    fromKey('shift+delete'),
  ],
  lane: ({ lane, role }) => [
    {
      label: 'Select all of the lane',
      off: timelineData.value[lane].length === 0,
      run: () => selectNamed(ofLane(lane, role)),
    },
    adding(lane),
    PASTE,
    ...(LANES[lane].hasSound ? [switching(lane, role, 'muted', 'Mute'), switching(lane, role, 'solo', 'Solo')] : []),
    switching(lane, role, 'locked', 'Lock'),
  ],
  item: ({ id }) => [
    ...CLIPBOARD,
    ...tierList.value.rows.slice(0, 9).map((row, at): Command => {
      const command = {
        label: `Move to ${row.label ?? row.id}`,
        key: String(at + 1),
        run: () => sendToRow(id, row.id),
      };
      return at === 0 ? apart(command)! : command;
    }),
    { label: 'Off the board', key: '0', run: () => sendToRow(id, null) },
    apart({ label: 'Rename', key: 'shift+f2', icon: 'pen', run: () => startRenaming(id) }),
    fromKey('r', 'reveal'),
    details(),
    apart({ label: 'Remove', key: 'delete', icon: 'trash', run: () => removeChosen(id) }),
  ],
  row: ({ id }) => {
    const at = tierList.value.rows.findIndex((row) => row.id === id);
    const move = (to: number) => edit('Move row', (draft) => moveRow(draft, id, to));
    const rename = () => focusSoon(`[data-row="${CSS.escape(id)}"] .lab`);
    return [
      { label: 'Rename', icon: 'pen', run: rename },
      { label: 'Move up', icon: 'up', off: at === 0, run: () => move(at - 1) },
      { label: 'Move down', icon: 'down', off: at === tierList.value.rows.length - 1, run: () => move(at + 1) },
      details(() => {
        selection.value = { kind: 'row', id };
      }),
      apart(PASTE),
      apart({
        label: 'Remove the row',
        icon: 'trash',
        run: () => {
          edit('Remove row', (draft) => removeRow(draft, id));
          focusSoon(`.brow:nth-child(${at + 1}) .grip`, '.brow:last-child .grip', '.bh .bt');
        },
      }),
    ];
  },
  media: ({ field }) => {
    const entry = project.value.studio.media[field];
    const isPicture = entry !== undefined && /still|drawing|animation/.test(entry.kind);
    const choose = () => {
      selection.value = { kind: 'media', field };
    };
    return [
      entry !== undefined && entry.kind !== 'drawing' ? fromKey('i', 'film', choose) : null,
      isPicture
        ? {
            label: 'Add to the board',
            icon: 'board',
            run: () => edit('Add item', (draft) => addItem(draft, field, entry)),
          }
        : null,
      details(choose),
      apart({
        label: 'Remove from the project',
        icon: 'trash',
        off: entry === undefined,
        run: () => removeFile(field),
      }),
    ];
  },
  preview: () => [
    { label: playing.value ? 'Pause' : 'Play', key: 'space', icon: playing.value ? 'pause' : 'play', run: togglePlay },
    apart(fromKey('s', 'scissors')),
    fromKey('r', 'reveal'),
    fromKey('t', 'text'),
    PASTE,
    apart({
      label: 'Settings of the video',
      icon: 'gear',
      run: () => {
        selection.value = { kind: 'settings' };
        focusDetails();
      },
    }),
  ],
};

const PASTE: Command = { label: 'Paste', key: 'ctrl+v', run: pasteByMenu };

const CLIPBOARD: readonly Command[] = [
  { label: 'Cut', key: 'ctrl+x', icon: 'scissors', run: () => copyByMenu(cutSelected) },
  { label: 'Copy', key: 'ctrl+c', icon: 'copy', run: () => copyByMenu(copySelected) },
  PASTE,
  { label: 'Duplicate', key: 'ctrl+d', run: duplicateSelected },
];

/** What the menu of something is called, and its commands. */
export function commandsFor(target: MenuTarget): { readonly words: string; readonly commands: readonly Command[] } {
  const commands = (COMMANDS[target.kind] as (of: MenuTarget) => readonly (Command | null)[])(target);
  return { words: WORDS[target.kind], commands: commands.filter((command) => command !== null) };
}

const WORDS: Readonly<Record<MenuTarget['kind'], string>> = {
  entries: 'Selected entries',
  lane: 'Lane',
  item: 'Item',
  row: 'Row',
  media: 'File',
  preview: 'Preview',
};

/** The command that a key has, by the same words; null where nobody has bound the key. */
function fromKey(key: string, icon?: IconName, before: () => void = () => {}): Command | null {
  const found = keyed(key);
  if (found === null) return null;
  const run = () => {
    before();
    found.run(new KeyboardEvent('keydown'));
  };
  return { label: found.label!, key, ...(icon !== undefined && { icon }), run };
}

function apart(command: Command | null): Command | null {
  return command === null ? null : { ...command, apart: true };
}

function details(choose: () => void = () => {}): Command {
  return {
    label: 'Details',
    key: 'f2',
    run: () => {
      choose();
      focusDetails();
    },
  };
}

function ofLane(lane: LaneName, role: string | undefined) {
  const entries = timelineData.value[lane] as readonly { readonly id: string; readonly role?: string }[];
  return entries.filter((entry) => entry.role === role).map(({ id }) => ({ lane, id }));
}

function adding(lane: LaneName): Command | null {
  const { adds } = LANE_LOOKS[lane];
  if (adds === null) return null;
  return {
    label: adds.words,
    icon: 'plus',
    ...(adds.key && { key: adds.key.toLowerCase() }),
    run: () => addHere(lane),
  };
}

function switching(lane: LaneName, role: string | undefined, which: LaneSwitch, label: string): Command {
  const key = laneKey(lane, role);
  const isSet = isOn(mediaShelf.value.lanes, key, which);
  return {
    label: isSet ? `${label}: off` : label,
    apart: which === 'locked',
    run: () => edit(label, (draft) => switchLane(draft, key, which)),
  };
}

function removeChosen(id: string): void {
  const ids = takenWith(id);
  edit(ids.length > 1 ? `Remove ${ids.length} items` : 'Remove item', (draft) => removeItems(draft, ids));
  focusSoon('.tile[tabindex="0"]', '.bh .bt', '.first .bt');
}

function removeFile(field: string): void {
  if (isFileLocked(project.value, field)) {
    say(lockedEntries);
    return;
  }
  if (selection.value.kind === 'media') selection.value = NOTHING;
  edit('Remove file', (draft) => removeMedia(draft, field));
  focusSoon('.bin .scr button', '.bin button');
}
