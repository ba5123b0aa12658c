import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { videoRequest } from '../document/service-requests.ts';
import { projectId } from '../keeping/autosave.ts';
import { studioConfig } from '../kit/assets.ts';
import { mediaFile } from '../media/media-store.ts';
import { mayBeSent, maySend } from '../session/may-send.ts';
import { quietService, uploadMedia } from '../session/service.ts';
import { decided, exported, planned, project, readOnly, rendered, undoLabel } from '../session/session.ts';

/** A draft is sent after this time without an edit. */
const QUIET_MS = 3000;
const LOOK_EVERY_MS = 2000;
/** A draft expires ten minutes after the last request for it. */
const KEEP_EVERY_MS = 5 * 60_000;

let running = new AbortController();

/** Sends the project as a draft after each pause in the edits. (C79) */
export function startDrafting(): void {
  effect(() => {
    // A project without an edit is probably only viewed.
    const wanted =
      studioConfig.service?.drafts === true && maySend.value !== false && !readOnly.value && undoLabel.value !== null;
    const sent = decided.value;
    const isRight =
      planned.value.of === project.value && planned.value.errors.length === 0 && planned.value.plans.size > 0;
    const id = projectId.value;
    running.abort();
    running = new AbortController();
    if (!wanted) rendered.value = [];
    if (!wanted || !isRight || sent.studio.coming !== undefined) return;
    const { signal } = running;
    const timer = setTimeout(() => void draft(id, sent, signal), QUIET_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

async function draft(id: string, sent: Project, signal: AbortSignal): Promise<void> {
  try {
    // If the service requires a key, nothing is asked before an export has given it.
    const hasKey = !studioConfig.service?.needsKey || exported.peek() !== null;
    // The question is about files: without one there is nothing to ask.
    if (maySend.peek() === null && (!hasKey || usedFiles(sent).size === 0)) return;
    if (!mayBeSent()) return;
    await sendMedia(sent, signal);
    const { media, ...documents } = videoRequest(sent);
    const media_refs = Object.fromEntries(Object.entries(media).map(([field, one]) => [field, one.media]));
    await quietService.drafts.put(id, { ...documents, media_refs }, { signal });
    await follow(id, signal);
  } catch (error) {
    if (signal.aborted || error instanceof TiercutError) return;
    throw error;
  }
}

/** Shows what is rendered until the draft is complete, then keeps it alive. */
async function follow(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { state, ranges } = await quietService.drafts.get(id, { signal });
    rendered.value = ranges;
    if (state === 'failed') return;
    await pause(state === 'ready' ? KEEP_EVERY_MS : LOOK_EVERY_MS, signal);
  }
}

/** The hashes of the files that the video needs. */
function usedFiles(sent: Project): ReadonlySet<string> {
  return new Set([...usedFields(sent)].flatMap((field) => sent.studio.media[field]?.hash ?? []));
}

async function sendMedia(sent: Project, signal: AbortSignal): Promise<void> {
  const hashes = usedFiles(sent);
  const known = await quietService.known([...hashes], { signal });
  for (const hash of hashes) {
    const file = await mediaFile(hash);
    if (file !== null) await uploadMedia(hash, file, { signal, known });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
