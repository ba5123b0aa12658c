import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Props of a text field: `<input {...useTyped(name, rename)} />`. */
interface Typed {
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: TextField }) => void;
  readonly onChange: (event: { readonly currentTarget: TextField }) => void;
  readonly onBlur: () => void;
}

/** The undo step of a text that is being typed. Its later values replace it. */
interface TypedStep {
  last: object | undefined;
}

/** The fields whose text is typed and not committed yet. */
const waiting = new Set<() => void>();
const waitingCount = signal(0);
/** How many fields have text that is typed and not committed. */
export const typing: ReadonlySignal<number> = waitingCount;

let committing: TypedStep | null = null;

/** The step that an edit of now belongs to; null if it is a step of its own. */
export function typedStep(): TypedStep | null {
  return committing;
}

/** Commits what is typed in all fields, because the page closes. */
export function commitTyped(): void {
  for (const commit of [...waiting]) commit();
}

/** Text is committed after this pause in typing. */
const PAUSE_MS = 300;

/**
 * A text field that commits its value on change. Until then a render for another reason (a new plan, imported files) keeps the typed
 * text.
 *
 * @param asTyped commits it in every pause too, all as one step: for texts, of which each beginning is a valid one.
 */
export function useTyped(
  text: string,
  keep: (text: string, field: TextField) => void,
  { asTyped = false }: { readonly asTyped?: boolean } = {},
): Typed {
  const typed = useSignal<string | null>(null);
  const latest = useRef(keep);
  latest.current = keep;
  const { current: field } = useRef<Partial<TypingField>>({});
  field.commit ??= () => {
    settle(field);
    const { value } = field.input!;
    field.committed = value;
    committing = field.step ??= { last: undefined };
    try {
      latest.current(value, field.input!);
    } finally {
      committing = null;
    }
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
      waiting.add(field.commit!);
      waitingCount.value = waiting.size;
      if (asTyped) field.timer = setTimeout(field.commit!, PAUSE_MS);
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
  commit: () => void;
}

function settle({ timer, commit }: Partial<TypingField>): void {
  clearTimeout(timer);
  if (waiting.delete(commit!)) waitingCount.value = waiting.size;
}
