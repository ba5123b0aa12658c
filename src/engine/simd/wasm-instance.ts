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
