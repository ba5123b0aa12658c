import { Dialog } from '../kit/dialog.tsx';
import { type Key, type KeyGroup, keysOpen, listedKeys } from './keys.ts';
import { shownKey } from './shown-key.ts';

/** Which keys there are. */
export function KeysSheet() {
  return (
    <Dialog
      title="Shortcuts"
      class="small-dialog"
      onClose={() => {
        keysOpen.value = false;
      }}
    >
      <div class="keys">
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h2>{group}</h2>
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

/** Keys that cards and entries take themselves while one has the focus. */
const OWN: readonly Pick<Key, 'key' | 'label' | 'group'>[] = [
  { key: 'arrowright', label: 'The card beside; Shift adds it', group: 'Cards' },
  { key: '1–9', label: 'Into a row; the next card is selected', group: 'Cards' },
  { key: '0', label: 'Back to the pool', group: 'Cards' },
  { key: 'enter', label: 'Lift it; arrows move it, Enter drops it', group: 'Cards' },
  { key: 'alt+arrowright', label: 'Move it by one place', group: 'Cards' },
  { key: 'shift+f2', label: 'Rename it; Enter or Tab goes on to the next', group: 'Cards' },
  { key: 'space', label: 'Choose one more', group: 'Cards' },
  { key: 'ctrl+a', label: 'Choose all', group: 'Cards' },
  { key: 'escape', label: 'Choose none', group: 'Cards' },
  { key: 'arrowdown', label: 'The next entry; Shift adds it', group: 'Timeline' },
  { key: 'shift+f10', label: 'Menu of what is selected; on a card too', group: 'Timeline' },
  { key: 'enter', label: 'Playhead to where it begins', group: 'Timeline' },
  { key: 'alt+arrowright', label: 'Move it by a frame; with Shift by a second', group: 'Timeline' },
  { key: 'tab', label: 'To the verdict of a spotlight; arrows move it, with Shift by a second', group: 'Timeline' },
];

const GROUPS: readonly KeyGroup[] = ['Everywhere', 'Cards', 'Playing', 'Timeline'];
