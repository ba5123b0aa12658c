import { secondsOf } from '../../time.ts';
import { type AssembledPlan, chapterTrack, soundTrack, ticksASecond, videoTrack } from './assembled-tracks.ts';
import { copyRanges } from './copy-ranges.ts';
import { cutSound } from './cut-sound.ts';
import { interleave } from './interleave.ts';
import { movieHead, utf8Prefix } from './movie.ts';
import { type PacketIndex, readPacketIndex } from './packet-index.ts';
import { textSample } from './sample-entries.ts';

/** The parts of a finished video. */
export interface AssembleOptions {
  readonly plan: AssembledPlan;
  /** The chunks' files, in order. */
  readonly chunkFiles: readonly string[];
  /** An MP4 whose only track is the sound, in AAC. */
  readonly audioFile: string;
  readonly out: string;
  readonly signal?: AbortSignal | undefined;
}

/** A chapter's title can be 64 KiB long; more than this is never useful. */
const MAX_TITLE_BYTES = 1000;

/**
 * Copies the packets of chunks and sound into one MP4: index in front, chapters, title, constant frame rate, both
 * tracks starting at 0. Decodes and encodes nothing; equal input gives equal bytes. (R17, R18)
 *
 * @returns the file's size; the file gets its name only when it is complete.
 * @throws `chunk.unreadable` if an input is not what was rendered; the signal's reason.
 */
export async function assemble({ plan, chunkFiles, audioFile, out, signal }: AssembleOptions): Promise<number> {
  const chunks: PacketIndex[] = [];
  for (const file of chunkFiles) {
    signal?.throwIfAborted();
    chunks.push(await readPacketIndex(file, 'vide'));
  }
  const sound = cutSound(await readPacketIndex(audioFile, 'soun'), plan);
  const titles = plan.chapters.map(({ title }) => textSample(utf8Prefix(title, MAX_TITLE_BYTES)));
  const media = interleave(chunks, sound, titles, plan.rate);
  const head = movieHead({
    title: plan.title,
    ticksASecond: ticksASecond(plan.rate),
    tracks: [
      { ...videoTrack(plan, chunks), runs: media.video },
      { ...soundTrack(plan, sound), runs: media.sound },
      ...(titles.length === 0 ? [] : [{ ...chapterTrack(plan, titles), runs: media.text }]),
    ],
    chapters: plan.chapters.map(({ start, title }) => ({ startSeconds: secondsOf(start, plan.rate), title })),
    mediaBytes: media.bytes,
  });
  await copyRanges(out, head, media.sources, signal);
  return head.length + media.bytes;
}
