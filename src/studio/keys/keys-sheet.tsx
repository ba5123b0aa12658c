import { Dialog } from '../kit/dialog.tsx';
import * as texts from '../texts/en/commands.ts';
import { keyNames } from '../texts/en/commands.ts';
import * as page from '../texts/en/page.ts';
import { type Key, type KeyGroup, keysOpen, listedKeys } from './keys.ts';

/** The list of shortcuts. */
export function KeysSheet() {
  return (
    <Dialog
      title={page.shortcuts}
      class="small-dialog"
      onClose={() => {
        keysOpen.value = false;
      }}
    >
      <div class="keys">
        {GROUPS.map((group) => (
          <section key={group} aria-label={texts.keyGroups[group]}>
            <h2>{texts.keyGroups[group]}</h2>
            <dl>
              {[...listedKeys(), ...OWN]
                .filter((each) => each.group === group)
                .map(({ key, label }) => (
                  <div key={key}>
                    <dt>
                      {shownKey(key).map((part) => (
                        <kbd key={part}>{part}</kbd>
                      ))}
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Keys that a focused card or entry handles itself. */
const OWN: readonly Pick<Key, 'key' | 'label' | 'group'>[] = [
  { key: 'arrowright', label: texts.cardBeside, group: 'cards' },
  { key: '1–9', label: texts.cardToRow, group: 'cards' },
  { key: '0', label: texts.cardToPool, group: 'cards' },
  { key: 'enter', label: texts.liftCard, group: 'cards' },
  { key: 'alt+arrowright', label: texts.moveCard, group: 'cards' },
  { key: 'shift+f2', label: texts.renameCard, group: 'cards' },
  { key: 'space', label: texts.addToSelection, group: 'cards' },
  { key: 'ctrl+a', label: texts.selectAll, group: 'cards' },
  { key: 'escape', label: texts.selectNone, group: 'cards' },
  { key: 'arrowdown', label: texts.nextEntry, group: 'timeline' },
  { key: 'shift+f10', label: texts.openMenu, group: 'timeline' },
  { key: 'enter', label: texts.playheadToEntry, group: 'timeline' },
  { key: 'alt+arrowright', label: texts.moveEntry, group: 'timeline' },
  { key: 'tab', label: texts.verdictOfSpotlight, group: 'timeline' },
];

const GROUPS: readonly KeyGroup[] = ['everywhere', 'cards', 'playing', 'timeline'];

/** The parts of a key as they are displayed. */
export function shownKey(key: string): string[] {
  const parts = key === '+' ? ['+'] : key.split('+');
  return parts.map((part) => SIGNS[part] ?? keyNames[part] ?? part[0]!.toUpperCase() + part.slice(1));
}

const SIGNS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
};
