import { readFile, writeFile } from 'node:fs/promises';
import { type FoundVoice, voiceOfSource } from '../../engine/sound/find-voice.ts';
import { renderSound } from '../../engine/sound/render-sound.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';
import { wholePlan } from './whole-plan.ts';

const PROGRESS_STEPS = 1000;

/** The child's side of `render_sound`. */
export async function renderSoundFile(
  { plan, files, voice = [], limits, out }: RenderOperations['render_sound']['params'],
  { signal, progress, warn }: OperationContext,
): Promise<RenderOperations['render_sound']['result']> {
  const knownVoice = new Map<number, readonly FoundVoice[]>();
  for (const [source, file] of voice) knownVoice.set(source, JSON.parse(await readFile(file, 'utf8')));
  const { warnings, ...result } = await renderSound({
    plan: await wholePlan(plan),
    files: new Map(files),
    knownVoice,
    out,
    limits,
    signal,
    onProgress: (share) => progress({ done: Math.round(share * PROGRESS_STEPS), total: PROGRESS_STEPS }),
  });
  for (const issue of warnings) warn(issue);
  return result;
}

/** The child's side of `find_voice`. */
export async function findVoiceFile(
  { plan, files, source, limits, out }: RenderOperations['find_voice']['params'],
  { signal }: OperationContext,
): Promise<null> {
  const { audio } = await wholePlan(plan);
  const found = await voiceOfSource(audio, source, new Map(files), limits, signal);
  await writeFile(out, JSON.stringify(found));
  return null;
}
