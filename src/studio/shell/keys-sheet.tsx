import { Dialog } from './dialog.tsx';
import { keysOpen, listedKeys } from './keys.ts';

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
      <dl class="keys">
        {listedKeys().map(({ key, label }) => (
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
    </Dialog>
  );
}

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
