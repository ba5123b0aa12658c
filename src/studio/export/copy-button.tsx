import { useSignal } from '@preact/signals';
import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/export.ts';

/** Copies a text, and says so. */
export function CopyButton({ text, words }: { readonly text: string; readonly words: string }) {
  const copied = useSignal(false);
  return (
    <button
      type="button"
      class={`bt plain ${copied.value ? 'ok' : ''}`}
      onClick={async () => {
        copied.value = await copy(text);
      }}
    >
      <Icon name={copied.value ? 'check' : 'copy'} />
      {copied.value ? texts.copied : words}
    </button>
  );
}

/** Insecure origins have no clipboard API; `execCommand` still works there. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
