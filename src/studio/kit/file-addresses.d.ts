/** Files that the build puts beside the scripts; the import is their address. */
declare module '*.wasm' {
  const address: string;
  export default address;
}
declare module '*.ttf' {
  const address: string;
  export default address;
}
declare module '*.bin' {
  const address: string;
  export default address;
}

/** The program of the package, which the build takes out of it. */
declare module '@mediabunny/aac-encoder/module' {
  export interface AacModule {
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    _init_encoder(channels: number, sampleRate: number, bitrate: number): number;
    _get_encoder_extradata(context: number): number;
    _get_encoder_extradata_size(context: number): number;
    /** The memory for so many bytes of samples. */
    _get_encode_input_ptr(context: number, bytes: number): number;
    _send_frame(context: number, at: bigint): number;
    /** The size of the next packet; none: 0 or less. */
    _receive_packet(context: number): number;
    _get_encoded_data(context: number): number;
    _flush_encoder_start(context: number): void;
  }
  export default function createModule(): Promise<AacModule>;
}
