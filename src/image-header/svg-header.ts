import { ExportError } from '../errors.ts';
import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader, PixelSize } from './image-header.ts';

/** The root of a drawing must be within this many bytes. */
const HEAD_BYTES = 65_536;
/** The size of drawings that have none, or only in their own units. */
const DEFAULT_PX = 1_024;

/** Far over every limit. Larger or infinite sizes count as this. */
const MAX_PX = 1_000_000;

/** Whether a text is an SVG, by its first element. */
export function isSvg(reader: ByteReader): boolean {
  return rootOf(reader) !== null;
}

/** SVG: the size that the root asks for. It is only a hint, since a drawing has no pixels. */
export function readSvg(reader: ByteReader): ImageHeader {
  const root = rootOf(reader);
  if (root === null) throw new RangeError('no drawing');
  const [width, height] = [lengthOf(attributeOf(root, 'width')), lengthOf(attributeOf(root, 'height'))];
  const box = viewBoxOf(attributeOf(root, 'viewBox'));
  const ratio = box === null ? 1 : box.width / box.height;
  const size =
    width !== null && height !== null
      ? { width, height }
      : width !== null
        ? { width, height: width / ratio }
        : height !== null
          ? { width: height * ratio, height }
          : { width: Math.min(DEFAULT_PX, DEFAULT_PX * ratio), height: Math.min(DEFAULT_PX, DEFAULT_PX / ratio) };
  return { format: 'svg', width: sideOf(size.width), height: sideOf(size.height), frames: 1 };
}

/** A whole number; 0 if unknown. */
function sideOf(px: number): number {
  return Number.isNaN(px) ? 0 : Math.min(MAX_PX, Math.ceil(px));
}

function rootOf(reader: ByteReader): SvgTag | null {
  const text = new TextDecoder('latin1').decode(reader.part(0, HEAD_BYTES));
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*</.test(text)) return null;
  try {
    for (const tag of svgTags(text)) {
      if (tag.name !== '!DOCTYPE') return tag.name === 'svg' && tag.kind !== 'close' ? tag : null;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  ...{ px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16, em: 16, ex: 8 },
};

/** No number needs more. */
const MAX_LENGTH_CHARACTERS = 64;

/** In pixels; null for a percentage of an unknown size. */
function lengthOf(text: string | undefined): number | null {
  if (text !== undefined && text.length > MAX_LENGTH_CHARACTERS) return null;
  const match = /^\+?((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec((text ?? '').trim());
  const px = match === null ? undefined : PX_PER_UNIT[match[2]!.toLowerCase() || 'px'];
  return px === undefined ? null : Number(match![1]) * px;
}

function viewBoxOf(text: string | undefined): PixelSize | null {
  const [, , width, height] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width !== undefined && height !== undefined && width > 0 && height > 0 ? { width, height } : null;
}

/** A tag of an XML text: its local name, and its attributes, not parsed. */
interface SvgTag {
  readonly kind: 'open' | 'close' | 'empty';
  readonly name: string;
  readonly attributes: string;
}

/**
 * The tags of an XML text, in one pass over any input. Comments, texts and instructions are skipped; a document type is
 * reported as an empty tag `!DOCTYPE` with its content as attributes.
 *
 * @throws RangeError if something begins that does not end.
 */
function* svgTags(text: string): Generator<SvgTag> {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text.startsWith('<!', at)) {
      const end = afterDoctype(text, at);
      yield { kind: 'empty', name: '!DOCTYPE', attributes: text.slice(at + 2, end - 1) };
      at = end;
    } else {
      const end = afterTag(text, at);
      yield tagOf(text.slice(at + 1, end - 1));
      at = end;
    }
  }
}

function tagOf(content: string): SvgTag {
  const kind = content.startsWith('/') ? 'close' : content.endsWith('/') ? 'empty' : 'open';
  const [, qualified = ''] = /^\/?([^\s/]*)/.exec(content)!;
  return { kind, name: qualified.slice(qualified.indexOf(':') + 1), attributes: content.slice(qualified.length) };
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  if (at === -1) throw new RangeError(`${what} is missing`);
  return at + what.length;
}

/** Behind the `>` that ends a tag: one between quotation marks does not. */
function afterTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '>') return at + 1;
    if (character === '"' || character === "'") at = after(text, character, at + 1) - 1;
  }
  throw new RangeError('a tag without an end');
}

/** Behind the `>` that ends a document type: those of the declarations inside it, between brackets, do not. */
function afterDoctype(text: string, start: number): number {
  let inside = false;
  for (let at = start + 2; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '>' && !inside) return at + 1;
    if (character === '[') inside = true;
    if (character === ']') inside = false;
    if (character === '"' || character === "'") at = after(text, character, at + 1) - 1;
  }
  throw new RangeError('a document type without an end');
}

/** The value of an attribute, as it is written; undefined if there is none. */
function attributeOf({ attributes }: SvgTag, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return match?.[1] ?? match?.[2];
}

/** Logos are a few kilobytes; a traced photograph is too much to draw 60 times a second. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Nesting depth of elements. Renderers recurse once per level. */
const MAX_NESTED = 96;
/** The number of elements to draw, counting reused elements each time; about 3 s of drawing. */
const MAX_WEIGHT = 50_000;
/** The weight of an element with its own layer, and of a filter step, in plain elements. */
const LAYER_WEIGHT = 100;
const FILTER_WEIGHT = 500;
/** Rounds of noise and taps of a matrix that one step of a filter may ask for, for every pixel. */
const MAX_OCTAVES = 10;
const MAX_ORDER = 15;

/**
 * Checks a drawing before it is drawn: its depth, its size, its references and its filters. The limits of time and
 * memory stop anything that this check misses.
 *
 * @throws `paint.image_too_complex`; `paint.image_broken` if it is inconsistent.
 */
export function checkSvg(text: string): void {
  if (text.length > MAX_CHARACTERS) throw tooComplex(`it has ${text.length} characters`);
  const root = treeOf(text);
  if (drawnWeight(root) > MAX_WEIGHT) throw tooComplex('there is too much to draw in it');
}

function drawnWeight(root: Element): number {
  try {
    return weightOf(root, new References(root));
  } catch (error) {
    // Nested and reused so deeply that even counting overflows the stack.
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

interface Element {
  readonly tag: SvgTag;
  readonly children: Element[];
}

function treeOf(text: string): Element {
  const top: Element = { tag: { kind: 'open', name: '', attributes: '' }, children: [] };
  const open = [top];
  let count = 0;
  try {
    for (const tag of svgTags(text)) {
      if (tag.name === '!DOCTYPE') checkDoctype(tag);
      else if (tag.kind === 'close') open.pop();
      else {
        checkFilter(tag);
        count += 1;
        if (count > MAX_WEIGHT) throw tooComplex(`it has more than ${MAX_WEIGHT} elements`);
        const element = { tag, children: [] };
        open.at(-1)?.children.push(element);
        if (tag.kind === 'open') open.push(element);
        if (open.length > MAX_NESTED) throw tooComplex(`its elements are nested more than ${MAX_NESTED} deep`);
      }
      if (open.length === 0) throw new RangeError('more ends than beginnings');
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ExportError('invalid', 'paint.image_broken', 'The drawing is damaged: its tags do not match.', { cause });
  }
  return top;
}

/**
 * Old drawing programs declare their namespaces as entities. Entities that hold markup, other entities or another
 * file's content serve only bombs and the theft of files.
 */
function checkDoctype({ attributes }: SvgTag): void {
  for (const [, declared = ''] of attributes.matchAll(/<!ENTITY([^>]*)/g)) {
    const plain = /^\s+[\w.:-]+\s+(?:"[^"<&%]{0,256}"|'[^'<&%]{0,256}')\s*$/.test(declared);
    if (!plain) throw tooComplex('it declares entities of its own');
  }
}

function checkFilter(tag: SvgTag): void {
  const octaves = Number(attributeOf(tag, 'numOctaves') ?? 0);
  const order = (attributeOf(tag, 'order') ?? '').split(/[\s,]+/).map(Number);
  if (octaves > MAX_OCTAVES || order.some((taps) => taps > MAX_ORDER)) throw tooComplex('its filters ask for too much');
}

/** Elements by their ids, and the weight of each with everything it refers to. */
class References {
  readonly #byId = new Map<string, Element>();
  readonly #weights = new Map<Element, number>();
  readonly #underWay = new Set<Element>();

  constructor(root: Element) {
    const left = [root];
    for (let element = left.pop(); element !== undefined; element = left.pop()) {
      const id = attributeOf(element.tag, 'id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      left.push(...element.children);
    }
  }

  /** An element that refers to itself is not drawn. */
  weightOf(id: string): number {
    const element = this.#byId.get(id);
    if (element === undefined || this.#underWay.has(element)) return 0;
    const known = this.#weights.get(element);
    if (known !== undefined) return known;
    if (this.#underWay.size > MAX_NESTED) throw tooComplex('its parts use each other over too many steps');
    this.#underWay.add(element);
    const weight = weightOf(element, this);
    this.#underWay.delete(element);
    this.#weights.set(element, weight);
    return weight;
  }
}

const LAYERED = /\b(?:opacity|mask|clip-path|filter|mix-blend-mode|isolation)\s*[=:]/;
const REFERENCE = /(?:href\s*=\s*["']|url\(\s*["']?)#([^"')\s]+)/g;

function weightOf({ tag, children }: Element, references: References): number {
  let weight = tag.name.startsWith('fe') ? FILTER_WEIGHT : LAYERED.test(tag.attributes) ? LAYER_WEIGHT : 1;
  for (const [, id] of tag.attributes.matchAll(REFERENCE)) weight += references.weightOf(id!);
  for (const child of children) {
    if (weight > MAX_WEIGHT) return weight;
    weight += weightOf(child, references);
  }
  return weight;
}

function tooComplex(why: string): ExportError {
  return new ExportError('invalid', 'paint.image_too_complex', `The drawing is too complex: ${why}.`);
}
