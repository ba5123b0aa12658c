import type { Found } from '../export/device-messages.ts';
import { checkFonts } from '../export/run-test-card.ts';
import { freeBytes, partFolder } from '../keeping/part-folder.ts';
import { megabytes } from '../kit/shown-values.ts';
import * as texts from '../texts/en/check.ts';

/** A property of this browser that decides whether, or how well, it renders videos. */
export interface BrowserFact extends Found {
  readonly name: string;
}

/** Codecs of clips, as a browser names them. */
const VIDEO_CODECS = {
  'H.264': 'avc1.640028',
  'H.265': 'hvc1.1.6.L120.90',
  VP8: 'vp8',
  VP9: 'vp09.00.40.08',
  AV1: 'av01.0.08M.08',
} as const;
const SOUND_CODECS = { AAC: 'mp4a.40.2', MP3: 'mp3', Opus: 'opus', FLAC: 'flac' } as const;

/** What does not depend on the size of a video. */
export async function browserFacts(): Promise<readonly BrowserFact[]> {
  const fonts = { name: texts.fonts, ...(await checkFonts(new AbortController().signal)) };
  return [fonts, await storage(), await clips(), await sounds()];
}

async function storage(): Promise<BrowserFact> {
  const folder = await partFolder();
  const free = await freeBytes();
  const amount = Number.isFinite(free) ? texts.freeSpace(megabytes(free)) : texts.unknownSpace;
  if (folder === 'full') return { name: texts.storage, ok: false, detail: texts.storageFull };
  if (folder === 'none') return { name: texts.storage, ok: false, detail: texts.noStorage };
  return { name: texts.storage, ok: true, detail: amount };
}

/** A missing codec matters only where a project has such a clip, so it is not a failure. */
async function clips(): Promise<BrowserFact> {
  if (!('VideoDecoder' in globalThis)) return { name: texts.clips, ok: false, detail: texts.noDecoder };
  const found = await supported(VIDEO_CODECS, async (codec) => {
    const { supported: is } = await VideoDecoder.isConfigSupported({ codec });
    return is === true;
  });
  return { name: texts.clips, ok: found.length > 0, detail: found.join(', ') };
}

async function sounds(): Promise<BrowserFact> {
  if (!('AudioDecoder' in globalThis)) return { name: texts.sounds, ok: false, detail: texts.noDecoder };
  const found = await supported(SOUND_CODECS, async (codec) => {
    const { supported: is } = await AudioDecoder.isConfigSupported({ codec, sampleRate: 48_000, numberOfChannels: 2 });
    return is === true;
  });
  return { name: texts.sounds, ok: found.length > 0, detail: found.join(', ') };
}

async function supported(
  codecs: Readonly<Record<string, string>>,
  isSupported: (codec: string) => Promise<boolean>,
): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(codecs).map(async ([name, codec]) => ((await isSupported(codec).catch(() => false)) ? [name] : [])),
  );
  return answers.flat();
}
