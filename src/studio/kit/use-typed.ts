import { useSignal } from '@preact/signals';

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** What a field that takes text needs: `<input {...useTyped(name, rename)} />`. */
interface Typed {
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: TextField }) => void;
  readonly onChange: (event: { readonly currentTarget: TextField }) => void;
  readonly onBlur: () => void;
}

/**
 * A text that becomes a change when it is left. Until then it is the person's: whatever is drawn anew meanwhile (a plan that has
 * come, files that are taken in) leaves the field as it is.
 */
export function useTyped(text: string, keep: (text: string, field: TextField) => void): Typed {
  const typed = useSignal<string | null>(null);
  return {
    value: typed.value ?? text,
    onInput: ({ currentTarget }) => {
      typed.value = currentTarget.value;
    },
    onChange: ({ currentTarget }) => {
      typed.value = null;
      keep(currentTarget.value, currentTarget);
    },
    onBlur: () => {
      typed.value = null;
    },
  };
}
