import { Dialog } from './dialog.tsx';
import { type KeyGroup, keysOpen, listedKeys } from './keys.ts';

/** Which keys there are. */
export function KeysSheet() {
  return (
    <Dialog
      title="Keys"
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
              {listedKeys()
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

const GROUPS: readonly KeyGroup[] = ['Everywhere', 'Cards', 'Playing', 'Timeline'];

function shownKey(key: string): string[] {
  const parts = key === '+' ? ['+'] : key.split('+');
  return parts.map((part) => SIGNS[part] ?? part[0]!.toUpperCase() + part.slice(1));
}

const SIGNS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  ctrl: 'Ctrl',
};
