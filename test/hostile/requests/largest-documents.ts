/** The largest documents that are accepted, in shapes that are expensive for one part of a parser. */

const MIB = 2 ** 20;
/** The most files to which a project may refer. */
const MOST_REFERENCES = 2_000;
const SHA = 'ab'.repeat(32);

/** A JSON text of exactly `bytes` bytes or a little less. */
type Shape = (bytes: number) => string;

/** Repeats `item`, separated by commas, between `open` and `close`. */
function list(open: string, item: (n: number) => string, close: string, most = Number.POSITIVE_INFINITY): Shape {
  return (bytes) => {
    const parts: string[] = [];
    let length = open.length + close.length;
    for (let n = 0; n < most; n += 1) {
      const part = item(n);
      if (length + part.length + 1 > bytes) break;
      length += part.length + 1;
      parts.push(part);
    }
    const text = `${open}${parts.join(',')}${close}`;
    return text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));
  };
}

/** Each is one value; a document or a whole body contains it. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'one text': (bytes) => `"${'x'.repeat(bytes - 2)}"`,
  'one text beyond ASCII': (bytes) => `"${'語'.repeat(Math.floor((bytes - 2) / 3))}"`,
  escapes: (bytes) => `"${'\\u0001'.repeat(Math.floor((bytes - 2) / 6))}"`,
  'short escapes': (bytes) => `"${'\\n'.repeat(Math.floor((bytes - 2) / 2))}"`,
  'opening brackets': (bytes) => `${'['.repeat(bytes - 1)}`,
  'nested lists': (bytes) => list('[', () => `${'['.repeat(25)}1${']'.repeat(25)}`, ']', 1_800)(bytes),
  'many values': (bytes) => list('[', () => '{"a":1}', ']', 24_000)(bytes),
  'long numbers': (bytes) => list('[', () => `0.${'1234567890'.repeat(30)}`, ']', 48_000)(bytes),
  'one number': (bytes) => `0.${'1'.repeat(bytes - 2)}`,
  'many keys': (bytes) => list('{', (n) => `"key ${n}":${n}`, '}', 49_000)(bytes),
  'the same key': (bytes) => list('{', () => '"key":1', '}', 49_000)(bytes),
  'long keys': (bytes) => list('{', (n) => `"${'k'.repeat(1000)}${n}":[1,2,3]`, '}', 12_000)(bytes),
  references: (bytes) =>
    list(
      '{',
      (n) => `"clip_${n}":"${(n + 10_000).toString(16).padStart(8, '0')}${SHA.slice(8)}"`,
      '}',
      MOST_REFERENCES,
    )(bytes),
  'empty lines': (bytes) => `[${'\n'.repeat(bytes - 3)}x]`,
};

/** The members of a project and of a create that hold any value. */
export const DOCUMENTS = ['tier_list', 'timeline_data', 'settings', 'media_refs'] as const;

/** A body of the largest size whose documents have these shapes, in turn. */
export function largestBody(shapes: readonly Shape[], fields: readonly string[]): string {
  const each = Math.min(MIB, Math.floor((4 * MIB - 200) / fields.length)) - 100;
  return `{${fields.map((field, n) => `"${field}":${shapes[n % shapes.length]!(each)}`).join(',')}}`;
}

const LANE_ENTRIES = 2000;
const ITEMS = 500;

/** A valid request with as many entries as a lane and a tier list may have. */
export const FULL_REQUEST = {
  tier_list: {
    title: 'Everything',
    rows: [{ id: 'S', label: 'S', color: '#ff7f7f', item_ids: [] }],
    items: Array.from({ length: ITEMS }, (_, n) => ({ id: `item ${n}`, name: `Item ${n}` })),
  },
  timeline_data: {
    tier_blocks: [{ id: 'b', start: 0, duration: LANE_ENTRIES * 2 }],
    tier_tiles: Array.from({ length: ITEMS }, (_, n) => ({
      id: `t${n}`,
      tier_item_id: `item ${n}`,
      position: 2 + n * 4,
      tier_id: 'S',
    })),
    subtitles: Array.from({ length: LANE_ENTRIES }, (_, n) => ({
      id: `s${n}`,
      text: `Line ${n} ${'of text '.repeat(6)}`,
      start: n * 2,
      duration: 2,
    })),
  },
};
