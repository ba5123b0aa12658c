/**
 * The program that renders, inside the jail. Everything that can touch media is imported by the operation that needs
 * it: the seal comes first, and a probe does not wait for the painter to load.
 */
import { serveOperations } from '../channel/child-server.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';

const load = {
  selfTest: () => import('../jail/self-test.ts'),
  probe: () => import('../../engine/probe/probe-media.ts'),
  fonts: () => import('../../paint/skia/skia.ts'),
  findSpeech: () => import('../../engine/speech/find-speech.ts'),
  transcribe: () => import('./transcribe-file.ts'),
  renderChunks: () => import('./render-chunk-files.ts'),
  painter: () => import('../../paint/skia/skia-painter.ts'),
  assemble: () => import('./assemble-file.ts'),
  renderSound: () => import('./render-sound-file.ts'),
  renderStill: () => import('./render-still-file.ts'),
  paintThumbnail: () => import('./paint-thumbnail-file.ts'),
};

/** The code that each kind of work needs at once. Threads load their own code: a copy in the main thread saves nothing. */
const WARM = {
  render: ['renderChunks', 'painter', 'renderSound', 'assemble'],
  frame: ['probe', 'painter', 'renderStill'],
} as const;

serveOperations<RenderOperations>({
  self_test: async (params) => (await load.selfTest()).selfTest(params),
  warm_up: async ({ for: task }) => {
    for (const module of WARM[task]) await load[module]();
    return null;
  },
  probe,
  find_speech: findSpeech,
  transcribe: async (params, context) => (await load.transcribe()).transcribeFile(params, context),
  render_chunks: async (params, context) => (await load.renderChunks()).renderChunkFiles(params, context),
  assemble: async (params, context) => (await load.assemble()).assembleFile(params, context),
  find_voice: async (params, context) => (await load.renderSound()).findVoiceFile(params, context),
  render_sound: async (params, context) => (await load.renderSound()).renderSoundFile(params, context),
  render_still: async (params, context) => (await load.renderStill()).renderStillFile(params, context),
  paint_thumbnail: async (params, context) => (await load.paintThumbnail()).paintThumbnailFile(params, context),
});

/** Probes any file. The painter probes fonts; its code is loaded only for them. */
async function probe(
  { file, limits }: RenderOperations['probe']['params'],
  { signal }: OperationContext,
): Promise<RenderOperations['probe']['result']> {
  const probed = await (await load.probe()).probe(file, limits, signal);
  if (probed.kind === 'font') await (await load.fonts()).checkFont(file);
  return probed;
}

async function findSpeech(
  { file, limits }: RenderOperations['find_speech']['params'],
  { signal, progress }: OperationContext,
): Promise<RenderOperations['find_speech']['result']> {
  const steps = 1000;
  return (await load.findSpeech()).findSpeech(file, limits, signal, (share) => {
    progress({ done: Math.floor(share * steps), total: steps });
  });
}
