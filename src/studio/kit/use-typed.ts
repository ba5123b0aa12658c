import { useSignal } from '@preact/signals';

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Props of a text field: `<input {...useTyped(name, rename)} />`. */
interface Typed {
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: TextField }) => void;
  readonly onChange: (event: { readonly currentTarget: TextField }) => void;
  readonly onBlur: () => void;
}

/**
 * A text field that commits its value on change. Until then a render for another reason (a new plan, imported files) keeps the typed
 * text.
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
