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
import * as board from '../texts/en/board.ts';
import * as texts from '../texts/en/commands.ts';
import * as page from '../texts/en/page.ts';
import * as preview from '../texts/en/preview.ts';
import { addHere } from '../timeline/act/timeline-actions.ts';
import { selectNamed } from '../timeline/act/timeline-model.ts';

/** A line of a context menu. */
interface Command {
  readonly label: string;
  /** The shortcut, as named in `keys/keys.ts`. */
  readonly key?: string;
  readonly icon?: IconName;
  readonly off?: boolean;
  /** Whether a line separates it from those above. */
  readonly apart?: boolean;
  readonly run: () => unknown;
}

type Of<K extends MenuTarget['kind']> = Extract<MenuTarget, { readonly kind: K }>;

/** The commands of each kind of target, in menu order. */
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
      label: texts.selectLane,
      off: timelineData.value[lane].length === 0,
      run: () => selectNamed(ofLane(lane, role)),
    },
    adding(lane),
    PASTE,
    ...(LANES[lane].hasSound
      ? [switching(lane, role, 'muted', texts.mute), switching(lane, role, 'solo', texts.solo)]
      : []),
    switching(lane, role, 'locked', texts.lock),
  ],
  item: ({ id }) => [
    ...CLIPBOARD,
    ...tierList.value.rows.slice(0, 9).map((row, at): Command => {
      const command = {
        label: texts.moveTo(row.label ?? row.id),
        key: String(at + 1),
        run: () => sendToRow(id, row.id),
      };
      return at === 0 ? apart(command)! : command;
    }),
    { label: texts.offTheBoard, key: '0', run: () => sendToRow(id, null) },
    apart({ label: texts.rename, key: 'shift+f2', icon: 'pen', run: () => startRenaming(id) }),
    fromKey('r', 'reveal'),
    details(),
    apart({ label: page.remove, key: 'delete', icon: 'trash', run: () => removeChosen(id) }),
  ],
  row: ({ id }) => {
    const at = tierList.value.rows.findIndex((row) => row.id === id);
    const move = (to: number) => edit(board.moveRow, (draft) => moveRow(draft, id, to));
    const rename = () => focusSoon(`[data-row="${CSS.escape(id)}"] .lab`);
    return [
      { label: texts.rename, icon: 'pen', run: rename },
      { label: board.moveUp, icon: 'up', off: at === 0, run: () => move(at - 1) },
      { label: board.moveDown, icon: 'down', off: at === tierList.value.rows.length - 1, run: () => move(at + 1) },
      details(() => {
        selection.value = { kind: 'row', id };
      }),
      apart(PASTE),
      apart({
        label: board.removeRow,
        icon: 'trash',
        run: () => {
          edit(board.removeRowOf(tierList.value.rows[at]!.label ?? id), (draft) => removeRow(draft, id));
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
            label: texts.addToBoard,
            icon: 'board',
            run: () => edit(page.addItem, (draft) => addItem(draft, field, entry)),
          }
        : null,
      details(choose),
      apart({
        label: page.removeFromProject,
        icon: 'trash',
        off: entry === undefined,
        run: () => removeFile(field),
      }),
    ];
  },
  preview: () => [
    {
      label: playing.value ? preview.pause : preview.play,
      key: 'space',
      icon: playing.value ? 'pause' : 'play',
      run: togglePlay,
    },
    apart(fromKey('s', 'scissors')),
    fromKey('r', 'reveal'),
    fromKey('t', 'text'),
    PASTE,
    apart({
      label: page.videoSettings,
      icon: 'gear',
      run: () => {
        selection.value = { kind: 'settings' };
        focusDetails();
      },
    }),
  ],
};

const PASTE: Command = { label: texts.paste, key: 'ctrl+v', run: pasteByMenu };

const CLIPBOARD: readonly Command[] = [
  { label: page.cut, key: 'ctrl+x', icon: 'scissors', run: () => copyByMenu(cutSelected) },
  { label: page.copy, key: 'ctrl+c', icon: 'copy', run: () => copyByMenu(copySelected) },
  PASTE,
  { label: page.duplicate, key: 'ctrl+d', run: duplicateSelected },
];

/** The title and the commands of a target's menu. */
export function commandsFor(target: MenuTarget): { readonly words: string; readonly commands: readonly Command[] } {
  const commands = (COMMANDS[target.kind] as (of: MenuTarget) => readonly (Command | null)[])(target);
  return { words: texts.menuOf[target.kind], commands: commands.filter((command) => command !== null) };
}

/** The command bound to a key, with its label; null if the key is not bound. */
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
    label: page.details,
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
    label: isSet ? texts.switchOff(label) : label,
    apart: which === 'locked',
    run: () => edit(label, (draft) => switchLane(draft, key, which)),
  };
}

function removeChosen(id: string): void {
  const ids = takenWith(id);
  edit(board.removeItems(ids.length), (draft) => removeItems(draft, ids));
  focusSoon('.tile[tabindex="0"]', '.bh .bt', '.first .bt');
}

function removeFile(field: string): void {
  if (isFileLocked(project.value, field)) {
    say(page.lockedEntries);
    return;
  }
  if (selection.value.kind === 'media') selection.value = NOTHING;
  edit(page.removeNamed(project.value.studio.media[field]?.name ?? field), (draft) => removeMedia(draft, field));
  focusSoon('.bin .scr button', '.bin button');
}
