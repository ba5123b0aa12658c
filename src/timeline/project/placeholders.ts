import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';

/** A text with placeholders: its literal parts and the names of fields, in order. */
type Pieces = readonly (string | { readonly field: string })[];

/** `{{name}}` begins and ends so; `\{{` is a literal. (C83) */
const [OPEN, CLOSE, ESCAPE] = ['{{', '}}', '\\'];

/**
 * The pieces of a text; null: it is a plain text. `unclosed`: it opens a placeholder that does not end.
 * One pass over the text.
 */
function piecesOf(text: string): { readonly pieces: Pieces | null; readonly unclosed: boolean } {
  let at = text.indexOf(OPEN);
  if (at < 0) return { pieces: null, unclosed: false };
  const pieces: (string | { readonly field: string })[] = [];
  let from = 0;
  let literal = '';
  for (; at >= 0; at = text.indexOf(OPEN, from)) {
    if (text[at - 1] === ESCAPE && at > from) {
      literal += text.slice(from, at - 1) + OPEN;
      from = at + OPEN.length;
      continue;
    }
    const end = text.indexOf(CLOSE, at + OPEN.length);
    if (end < 0) return { pieces: null, unclosed: true };
    literal += text.slice(from, at);
    if (literal !== '') pieces.push(literal);
    literal = '';
    pieces.push({ field: text.slice(at + OPEN.length, end).trim() });
    from = end + CLOSE.length;
  }
  literal += text.slice(from);
  if (literal !== '') pieces.push(literal);
  return { pieces, unclosed: false };
}

/** The name of the field that the first placeholder of a text stands for; null: it has none. */
export function firstFieldIn(text: string): string | null {
  const { pieces } = piecesOf(text);
  return pieces?.find((piece) => typeof piece !== 'string')?.field ?? null;
}

/** What a value of a document becomes: itself, if nothing in it is filled in. */
export type Slots =
  | { readonly kind: 'text'; readonly pieces: Pieces; readonly path: string }
  | { readonly kind: 'file'; readonly field: string; readonly path: string }
  | { readonly kind: 'inside'; readonly members: ReadonlyMap<string, Slots> };

/** What was found in a document. */
interface SlotFinder {
  /** Whether a text is the name of a field for media; such a text stands for the file. */
  readonly isFile: (text: string) => boolean;
  readonly onUnclosed: (path: string) => void;
}

/** Finds what is filled in below a value; null: nothing. */
export function slotsOf(value: unknown, path: string, finder: SlotFinder): Slots | null {
  if (typeof value === 'string') {
    if (finder.isFile(value)) return { kind: 'file', field: value, path };
    const { pieces, unclosed } = piecesOf(value);
    if (unclosed) finder.onUnclosed(path);
    return pieces && { kind: 'text', pieces, path };
  }
  if (!isObject(value) && !Array.isArray(value)) return null;
  const members = new Map<string, Slots>();
  for (const [key, member] of Object.entries(value)) {
    const slots = slotsOf(member, pointer(path, key), finder);
    if (slots !== null) members.set(key, slots);
  }
  return members.size === 0 ? null : { kind: 'inside', members };
}

/** Every text below that is filled in. */
export function* textsIn(slots: Slots | null): Generator<Exclude<Slots, { kind: 'inside' }>> {
  if (slots === null) return;
  if (slots.kind !== 'inside') yield slots;
  else for (const member of slots.members.values()) yield* textsIn(member);
}

/** Left out of its object or list. */
const ABSENT = Symbol('absent');

/** The members without which an entry shows nothing: an entry whose own is absent is left out. */
const ESSENTIAL = ['text', 'file_field'];

/**
 * A copy of `value` with the values of its fields; what has no slots is shared with it. Values are data: braces in them
 * are not read. (C83)
 *
 * @param values absent fields are not in it.
 * @param levels from the value to entries of a lane; below 0: there are none in it.
 */
export function filledWith(
  value: unknown,
  slots: Slots | null,
  values: ReadonlyMap<string, unknown>,
  levels: number,
): unknown {
  if (slots === null) return value;
  if (slots.kind === 'file') return values.has(slots.field) ? value : ABSENT;
  if (slots.kind === 'text') {
    const [only, ...more] = slots.pieces;
    if (more.length > 0 || typeof only !== 'object') {
      return slots.pieces
        .map((piece) => (typeof piece === 'string' ? piece : (values.get(piece.field) ?? '')))
        .join('');
    }
    return values.has(only.field) ? values.get(only.field) : ABSENT;
  }
  const fill = (member: unknown, key: string | number) => {
    return filledWith(member, slots.members.get(String(key)) ?? null, values, levels - 1);
  };
  if (Array.isArray(value)) return value.map(fill).filter((member) => member !== ABSENT);
  const members = Object.entries(value as object).map(([key, member]) => [key, fill(member, key)] as const);
  const left = members.filter(([, member]) => member === ABSENT).map(([key]) => key);
  if (levels === 0 && left.some((key) => ESSENTIAL.includes(key))) return ABSENT;
  return Object.fromEntries(left.length === 0 ? members : members.filter(([, member]) => member !== ABSENT));
}
