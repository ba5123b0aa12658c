import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { endTyping, startTyping, type TypedStep, withinStep } from './typing.ts';

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Props of a text field: `<input {...useTyped(name, rename)} />`. */
interface Typed {
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: TextField }) => void;
  readonly onChange: (event: { readonly currentTarget: TextField }) => void;
  readonly onBlur: () => void;
}

/** Text is committed after this pause in typing. */
const PAUSE_MS = 300;

/**
 * A text field that commits its value on change. Until then a render for another reason (a new plan, imported files) keeps the typed
 * text.
 *
 * @param keep commits the text. In a pause (`isPause`) the typing may go on.
 * @param asTyped commits it in every pause too, all as one step: for texts, of which each beginning is a valid one.
 */
export function useTyped(
  text: string,
  keep: (text: string, field: TextField, isPause: boolean) => void,
  { asTyped = false }: { readonly asTyped?: boolean } = {},
): Typed {
  const typed = useSignal<string | null>(null);
  const latest = useRef(keep);
  latest.current = keep;
  const { current: field } = useRef<Partial<TypingField>>({});
  field.commit ??= (isPause = false) => {
    settle(field);
    const { value } = field.input!;
    field.committed = value;
    field.step ??= { last: undefined };
    withinStep(field.step, () => latest.current(value, field.input!, isPause));
  };
  useEffect(() => () => settle(field), []);
  const end = () => {
    settle(field);
    typed.value = null;
    field.step = field.committed = undefined;
  };
  return {
    value: typed.value ?? text,
    onInput: ({ currentTarget }) => {
      typed.value = currentTarget.value;
      field.input = currentTarget;
      clearTimeout(field.timer);
      startTyping(field.commit!);
      if (asTyped) field.timer = setTimeout(() => field.commit!(true), PAUSE_MS);
    },
    onChange: ({ currentTarget }) => {
      typed.value = null;
      field.input = currentTarget;
      field.commit!();
      end();
    },
    onBlur: () => {
      // A text that was taken back by Escape causes no change event.
      if (field.committed !== undefined && field.committed !== field.input!.value) field.commit!();
      end();
    },
  };
}

interface TypingField {
  input: TextField;
  timer: ReturnType<typeof setTimeout>;
  step: TypedStep | undefined;
  /** The value that was committed last, since the typing began. */
  committed: string | undefined;
  commit: (isPause?: boolean) => void;
}

function settle({ timer, commit }: Partial<TypingField>): void {
  clearTimeout(timer);
  if (commit !== undefined) endTyping(commit);
}
