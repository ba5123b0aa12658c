import { ExportError } from '../errors.ts';
import { attributeOf, type SvgTag, svgTags } from './svg-tags.ts';

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
