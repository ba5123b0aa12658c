import { useSignal } from '@preact/signals';
import { copyText } from '../kit/copy-text.ts';
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
        copied.value = await copyText(text);
      }}
    >
      <Icon name={copied.value ? 'check' : 'copy'} />
      {copied.value ? texts.copied : words}
    </button>
  );
}
