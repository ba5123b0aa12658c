import { useLayoutEffect, useRef } from 'preact/hooks';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { LANES, type LaneName } from '../../timeline/lanes.ts';
import { sendToRow, takenWith } from '../carry/item-drag.ts';
import { addItem } from '../document/add-files.ts';
import { moveRow, removeItems, removeRow } from '../document/board-commands.ts';
import { type Candidate, candidatesIn } from '../document/field-places.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import { isOn, laneKey, switchLane } from '../document/lane-switches.ts';
import { isFileLocked, removeMedia } from '../document/media-commands.ts';
import type { LaneSwitch } from '../document/project.ts';
import { NOTHING, selectedEntries } from '../document/selection.ts';
import { copyByMenu, copySelected, cutSelected, duplicateSelected, pasteByMenu } from '../files/clipboard.ts';
import { keyed } from '../keys/keys.ts';
import { shownKey } from '../keys/keys-sheet.tsx';
import { focusDetails, focusSoon } from '../keys/move-focus.ts';
import { Icon, type IconName } from '../kit/icon.tsx';
import { byArrows, MenuItem, menuItems } from '../kit/menu.tsx';
import { say } from '../kit/messages.ts';
import { type MenuTarget, menuOpen } from '../kit/open-menu.ts';
import {
  edit,
  mediaShelf,
  playing,
  project,
  readOnly,
  selection,
  startRenaming,
  tierList,
  timelineData,
} from '../session/session.ts';
import { makeFieldHere } from '../session/shown-field.ts';
import { togglePlay } from '../session/transport.ts';
import * as board from '../texts/en/board.ts';
import * as texts from '../texts/en/commands.ts';
import * as page from '../texts/en/page.ts';
import * as preview from '../texts/en/preview.ts';
import * as series from '../texts/en/series.ts';
import { addHere } from '../timeline/act/timeline-actions.ts';
import { selectNamed } from '../timeline/act/timeline-model.ts';

/**
 * The menu opens at the pointer. It closes itself, since a browser's light dismiss would react to the release of the button that opened
 * it.
 */
export function ContextMenu() {
  const open = menuOpen.value!;
  const popover = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(document.activeElement);
  const close = () => {
    menuOpen.value = null;
  };
  useLayoutEffect(() => {
    const menu = popover.current!;
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    const { x, y } = open.at;
    menu.style.setProperty('left', `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`);
    menu.style.setProperty('top', `${Math.max(8, y + height > innerHeight - 8 ? y - height : y)}px`);
    menuItems(menu)[0]?.focus();
  }, [open]);
  // A layout effect: a key can come before the next paint.
  useLayoutEffect(() => {
    const ended = new AbortController();
    const on = { signal: ended.signal, capture: true };
    const isOutside = (event: Event) => !popover.current?.contains(event.target as Node);
    addEventListener('pointerdown', (event) => isOutside(event) && close(), on);
    addEventListener('wheel', (event) => isOutside(event) && close(), on);
    addEventListener('resize', close, on);
    // After a touch, the focus may be outside the menu.
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      },
      on,
    );
    addEventListener('blur', (event) => event.target === window && close(), on);
    return () => ended.abort();
  }, []);
  // A layout effect for the same reason: the next key must find the right focus.
  useLayoutEffect(() => {
    const menu = popover.current!;
    return () => {
      const { activeElement } = document;
      // A command may have moved the focus elsewhere.
      const isLost = activeElement === document.body || menu.contains(activeElement);
      if (isLost && before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);
  const { words, commands } = commandsFor(open.target);
  return (
    <div
      ref={popover}
      popover="manual"
      class="menu context-menu"
      role="menu"
      aria-label={words}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={byArrows}
    >
      {commands.map(({ label, key, icon, off, run, apart }) => (
        <MenuItem
          key={label}
          role="menuitem"
          class={apart ? 'apart' : ''}
          disabled={off ?? false}
          onClick={() => {
            close();
            run();
          }}
        >
          {icon === undefined ? <i class="i" /> : <Icon name={icon} />}
          <span>{label}</span>
          {key !== undefined && <kbd>{shownKey(key).join(' ')}</kbd>}
        </MenuItem>
      ))}
    </div>
  );
}

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
    ...fieldsOfEntry(),
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
    ...toFields(({ place }) => place === '/tier_list/items'),
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
      ...toFields(({ place }) => place.startsWith(`${pointer('/tier_list/rows', id)}/`)),
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
      ...toFields(({ type, place }) => type === 'media' && place === field),
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
    ...toFields(({ place, type }) => /^\/(tier_list\/(title|items)|settings)/.test(place) && type !== 'color'),
  ],
  field: ({ candidates }) => toFields(() => true, candidates),
};

/** The commands that make fields. An episode has no new ones. */
function toFields(
  isWanted: (candidate: Candidate) => boolean,
  candidates: readonly Candidate[] = candidatesIn(project.value),
): readonly Command[] {
  if (readOnly.value || project.value.template?.episode !== undefined) return [];
  return candidates.filter(isWanted).map((candidate, at) => ({
    label: series.makeField(candidate.part ?? candidate.label),
    apart: at === 0,
    run: () => makeFieldHere(candidate),
  }));
}

/** The text, the number in it and the file of one selected entry. */
function fieldsOfEntry(): readonly Command[] {
  const [ref, ...more] = selectedEntries(selection.value);
  if (ref === undefined || more.length > 0) return [];
  const place = `${pointer(`/timeline_data/${ref.lane}`, ref.id)}/`;
  const entry = (timelineData.value[ref.lane] as readonly { id: string; file_field?: string }[]).find(
    ({ id }) => id === ref.id,
  );
  return toFields((one) => one.place.startsWith(place) || (one.type === 'media' && one.place === entry?.file_field));
}

const PASTE: Command = { label: texts.paste, key: 'ctrl+v', run: pasteByMenu };

const CLIPBOARD: readonly Command[] = [
  { label: page.cut, key: 'ctrl+x', icon: 'scissors', run: () => copyByMenu(cutSelected) },
  { label: page.copy, key: 'ctrl+c', icon: 'copy', run: () => copyByMenu(copySelected) },
  PASTE,
  { label: page.duplicate, key: 'ctrl+d', run: duplicateSelected },
];

/** The title and the commands of a target's menu. */
function commandsFor(target: MenuTarget): { readonly words: string; readonly commands: readonly Command[] } {
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
