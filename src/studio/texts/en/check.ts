/** The page that shows whether a browser can render videos. */
export const title = 'Can this browser render videos?';
export const intro =
  'The studio can export on this device. This page encodes and decodes a test card of 30 frames for each format and compares the result. Nothing is uploaded.';
export const coming = '…';
export const checking = 'Checking …';
export const possible = 'Yes: this browser can export on this device.';
export const partly = (formats: string) => `Only some formats: it cannot render ${formats}.`;
export const impossible = 'No: export on the service. The table shows what is missing.';
export const card = 'Test card';
export const check = 'Check';
export const checkNames = {
  codec: 'Encoder',
  frames: 'Every frame in its place',
  references: 'Repeated frames',
  parts: 'Parts that join',
  range: 'Colour tags',
  colors: 'Flat colours',
  likeness: 'Likeness',
  sound: 'Sound',
} as const;
export const fonts = 'Fonts';
export const speed = 'Speed';
export const framesASecond = (count: string) => `${count} frames/s`;
export const notMeasured = 'not measured';
export const notReached = 'not reached';
export const passes = 'Passes';
export const fails = 'Fails';
export const browser = 'Browser';
export const storage = 'Storage';
export const freeSpace = (size: string) => `${size} free`;
export const unknownSpace = 'free space unknown';
export const storageFull = 'full';
export const noStorage = 'no private file storage: a closed tab starts from the beginning';
export const clips = 'Codecs of clips';
export const sounds = 'Codecs of sounds';
export const noDecoder = 'no WebCodecs: files cannot be decoded frame by frame';
export const report = 'Report';
export const reportUse =
  'Paste it into an issue. It has the name of the browser and the results, and nothing of your projects.';
export const copyReport = 'Copy the report';
export const again = 'Check again';
export const studio = 'Open the studio';

/** Results of the test card, for tables and reports. */
export const noWebCodecs = 'no WebCodecs';
export const noEncoderFor = (codec: string) => `no encoder for ${codec}`;
export const cardFails = 'the test card fails';
export const encoderName = (codec: string, isHardware: boolean, mode: string) =>
  `${codec}, ${isHardware ? 'hardware' : 'software'}, ${mode}`;
export const allFrames = (count: number) => `${count} frames`;
export const framesOf = (count: number, all: number) => `${count} of ${all} frames`;
export const wrongFrame = (frame: number, shown: number) => `frame ${frame} shows ${shown}`;
export const repeatedFrames = (count: number) => `${count} repeated`;
export const changedFrame = (frame: number) => `frame ${frame} changes`;
export const sameSets = 'the same parameter sets at two rates';
export const otherSets = 'other parameter sets at another rate';
export const ourTags = 'BT.709, limited range';
export const offBy = (levels: string) => `off by ${levels} of 255 at most`;
export const ssimFrom = (least: string) => `SSIM ${least} or more`;
export const soundOffBy = (samples: number, decibels: string) => `AAC, off by ${samples} samples and ${decibels} dB`;
export const soundNotCompared = 'AAC is encoded; this browser has no decoder to compare it with';
export const fontsLoaded = 'loaded';
export const reportHead = 'Tiercut /studio/check';
export const reportFormat = (name: string, width: number, height: number, outcome: string) =>
  `${name} ${width}x${height}: ${outcome}`;
export const reportGood = (framesPerSecond: string) => `ok, ${framesPerSecond} frames/s`;
