/**
 * Writes WebAssembly: the part of its binary format that loops over pixels need, 128 bits at a time. V8 compiles
 * JavaScript without vector instructions; this way the source stays readable, and there is no build step and no binary.
 *
 * An expression is the bytes that leave its value on the machine's stack.
 */
export type Code = readonly number[];

/** What a variable holds: a number or an address; sixteen bytes. */
type ValueType = 'i32' | 'v128';

const VALUE_TYPES = { i32: 0x7f, v128: 0x7b } as const;
const [FUNCTION_TYPE, NO_RESULT, BLOCK_END] = [0x60, 0x40, 0x0b];
const SECTIONS = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A variable of a function. */
export interface Local {
  readonly get: Code;
  set(value: Code): Code;
}

/** A function that is exported under its name. It works on memory and has no result. */
export interface WasmFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  /** Beside its parameters. */
  readonly locals: readonly ValueType[];
  /** @param variables parameters, then locals. */
  body(variables: readonly Local[]): Code;
}

/** A program that imports its memory as `env.memory`. */
export function wasmProgram(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const sections = {
    types: functions.map(({ params }) => [FUNCTION_TYPE, ...list(params.map((type) => [VALUE_TYPES[type]])), 0]),
    imports: [[...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]],
    functions: functions.map((_, index) => unsigned(index)),
    exports: functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
    code: functions.map(functionCode),
  };
  const parts = Object.entries(SECTIONS).flatMap(([name, id]) => [
    id,
    ...sized(list(sections[name as keyof typeof sections])),
  ]);
  return Uint8Array.from([...HEADER, ...parts]);
}

function functionCode({ params, locals, body }: WasmFunction): Code {
  const variables = [...params, ...locals].map(
    (_, index): Local => ({
      get: [0x20, ...unsigned(index)],
      set: (value) => [...value, 0x21, ...unsigned(index)],
    }),
  );
  const declared = list(locals.map((type) => [...unsigned(1), VALUE_TYPES[type]]));
  return sized([...declared, ...body(variables), BLOCK_END]);
}

/** Statements one after the other. */
export function sequence(...statements: Code[]): Code {
  return statements.flat();
}

/** Repeats statements while `condition` holds. The condition is checked before each run. */
export function loopWhile(condition: Code, ...statements: Code[]): Code {
  const leaveUnless = [...condition, 0x45, 0x0d, 1];
  const again = [0x0c, 0];
  const loop = [0x03, NO_RESULT, ...leaveUnless, ...statements.flat(), ...again, BLOCK_END];
  return [0x02, NO_RESULT, ...loop, BLOCK_END];
}

/** Runs statements if `condition` holds. */
export function ifThen(condition: Code, ...statements: Code[]): Code {
  return [...condition, 0x04, NO_RESULT, ...statements.flat(), BLOCK_END];
}

/** Runs the first statements if `condition` holds, else the others. */
export function ifElse(condition: Code, then: Code, otherwise: Code): Code {
  return [...condition, 0x04, NO_RESULT, ...then, 0x05, ...otherwise, BLOCK_END];
}

/** Numbers and addresses. */
export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  load: (address: Code, offset = 0): Code => [...address, 0x28, 0, ...unsigned(offset)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  and: (a: Code, b: Code): Code => [...a, ...b, 0x71],
  isLess: (a: Code, b: Code): Code => [...a, ...b, 0x48],
} as const;

/** Sixteen bytes, as lanes of 8, 16 or 32 bits. Addresses need no alignment. */
export const v128 = {
  load: (address: Code, offset = 0): Code => [...address, ...vector(0x00), 0, ...unsigned(offset)],
  store: (address: Code, value: Code): Code => [...address, ...value, ...vector(0x0b), 0, 0],
  constant: (lanes: readonly number[]): Code => [...vector(0x0c), ...bytesOf16(lanes)],
  /** Four bytes; the others are 0. */
  load4: (address: Code): Code => [...address, ...vector(0x5c), 0, 0],
  /** Eight bytes; the others are 0. */
  load8: (address: Code): Code => [...address, ...vector(0x5d), 0, 0],
  /** The first, or the second, four bytes. */
  store4: (address: Code, value: Code, lane: 0 | 1): Code => [...address, ...value, ...vector(0x5a), 0, 0, lane],
  store8: (address: Code, value: Code): Code => [...address, ...value, ...vector(0x5b), 0, 0, 0],
  and: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x4e)],
  /** The bits of `a` that are not in `b`. */
  without: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x4f)],
  or: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x50)],
  isAny: (a: Code): Code => [...a, ...vector(0x53)],
  /** Bits of `a` where `mask` has them, else of `b`. */
  select: (a: Code, b: Code, mask: Code): Code => [...a, ...b, ...mask, ...vector(0x52)],
  /** Bytes of `a` by their numbers in `b`; 0 for a number beyond 15. */
  pickBytes: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x0e)],
  /** The first eight bytes of both, in turn. */
  mergeBytes: (a: Code, b: Code): Code => [
    ...a,
    ...b,
    ...vector(0x0d),
    ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((byte) => [byte, 16 + byte]),
  ],
  /** The first, or the second, four of eight lanes of 16 bits of both, in turn. */
  merge16: (a: Code, b: Code, half: 0 | 1): Code => [
    ...a,
    ...b,
    ...vector(0x0d),
    ...[0, 1, 2, 3].flatMap((lane) => [0, 1, 16, 17].map((byte) => 8 * half + 2 * lane + byte)),
  ],
  /** Lanes of 32 bits, those of `a` being 0 to 3 and those of `b` 4 to 7. */
  pick: (a: Code, b: Code, lanes: readonly number[]): Code => [
    ...a,
    ...b,
    ...vector(0x0d),
    ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
  ],
  /** The upper halves of four and four lanes of 32 bits, as eight of 16. */
  upperHalves: (a: Code, b: Code): Code => [
    ...a,
    ...b,
    ...vector(0x0d),
    ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((lane) => [4 * lane + 2, 4 * lane + 3]),
  ],
} as const;

/** Eight lanes of 16 bits. */
export const i16x8 = {
  splat: (a: Code): Code => [...a, ...vector(0x10)],
  /** Eight bytes of memory, each in a lane. */
  load8: (address: Code): Code => [...address, ...vector(0x02), 0, 0],
  isEqual: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x2d)],
  /** The lower, and the upper, half of sixteen bytes. */
  lowOf8: (a: Code): Code => [...a, ...vector(0x89)],
  highOf8: (a: Code): Code => [...a, ...vector(0x8a)],
  add: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x8e)],
  sub: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x91)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x95)],
  shiftRight: (a: Code, bits: number): Code => [...a, ...i32.constant(bits), ...vector(0x8d)],
  /** Of two times eight lanes, which must be at most 2 ** 15, the nearest bytes. */
  toBytes: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x66)],
} as const;

/** Two lanes of 64 bits, as JavaScript's numbers. */
export const f64x2 = {
  constant: (lane: number): Code => {
    const words = new Int32Array(Float64Array.of(lane).buffer);
    return v128.constant([...words, ...words]);
  },
  /** The first two of four whole numbers. */
  ofInts: (a: Code): Code => [...a, ...vector(0xfe)],
  add: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf0)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf2)],
  div: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf3)],
  /** The first two of four whole numbers, truncated. */
  toInts: (a: Code): Code => [...a, ...vector(0xfc)],
} as const;

/** Four lanes of 32 bits. */
export const i32x4 = {
  splat: (a: Code): Code => [...a, ...vector(0x11)],
  min: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xb6)],
  max: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xb8)],
  lowOf16: (a: Code): Code => [...a, ...vector(0xa9)],
  highOf16: (a: Code): Code => [...a, ...vector(0xaa)],
  add: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xae)],
  sub: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xb1)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xb5)],
  /** The lower, and the upper, four of eight lanes times those of another eight; both without a sign. */
  mulLowOf16: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xbe)],
  mulHighOf16: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xbf)],
  /** Lanes of 16 bits, with a sign, times those of another; each two neighbours are added up. */
  dotOf16: (a: Code, b: Code): Code => [...a, ...b, ...vector(0xba)],
  shiftLeft: (a: Code, bits: number): Code => [...a, ...i32.constant(bits), ...vector(0xab)],
  /** As numbers without a sign. */
  shiftRight: (a: Code, bits: number): Code => [...a, ...i32.constant(bits), ...vector(0xad)],
  shiftRightSigned: (a: Code, bits: number): Code => [...a, ...i32.constant(bits), ...vector(0xac)],
  /** Of two times four lanes the nearest numbers of 16 bits. */
  to16: (a: Code, b: Code): Code => [...a, ...b, ...vector(0x85)],
} as const;

function vector(instruction: number): Code {
  return [0xfd, ...unsigned(instruction)];
}

/** Lanes of 16 or 32 bits, as many as make up sixteen bytes; unsigned constants may be given as signed. */
function bytesOf16(lanes: readonly number[]): Code {
  const bytes = 16 / lanes.length;
  return lanes.flatMap((lane) => Array.from({ length: bytes }, (_, byte) => (lane >> (8 * byte)) & 255));
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: Code): Code {
  return [...unsigned(bytes.length), ...bytes];
}

function text(name: string): Code {
  return sized([...name].map((character) => character.charCodeAt(0)));
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

/** The parts of WebAssembly that Node's types lack: they declare only a namespace of types. */
interface WebAssemblyApi {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
const PAGE_BYTES = 65_536;

/** A program with its own memory. */
export interface WasmInstance<Exports> {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly exports: Exports;
}

/** Makes instances of one program, which is compiled for the first one. */
export function wasmInstances<Exports>(
  program: () => Uint8Array<ArrayBuffer>,
): (bytes: number) => WasmInstance<Exports> {
  let module: object | undefined;
  return (bytes) => {
    module ??= new Module(program());
    const pages = Math.ceil(bytes / PAGE_BYTES);
    const memory = new Memory({ initial: pages, maximum: pages });
    const { exports } = new Instance(module, { env: { memory } });
    return { memory: new Uint8Array(memory.buffer), exports: exports as Exports };
  };
}
