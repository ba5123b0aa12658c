import { signal } from '@preact/signals';
import { forgetLink, showShared } from '../keeping/autosave.ts';
import { readLinkedProject } from '../keeping/files-of-projects.ts';
import { startWorker } from '../kit/assets.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/projects.ts';
import type { LinkOrder, LinkReply } from './link-worker.ts';
import { linkedAddress } from './linked-address.ts';
import { asked } from './sync-state.ts';

/** A larger file, packed or unpacked, is not worth a link, and would fill the memory of a phone. */
const MAX_BYTES = 512 * 2 ** 20;

/** The project file that a link names. */
interface Link {
  readonly url: URL;
  /** Null while the user is asked. */
  readonly fetched: { readonly bytes: number; readonly of: number | null } | null;
  /** Fetches it. Absent once it is being fetched. */
  readonly accept?: () => void;
  readonly cancel: () => void;
}

/** What the dialog about a link shows; null without one. */
export const link = signal<Link | null>(null);

class LinkError extends Error {}

/** Opens the project of a link in the address of the page, now and whenever it changes. (C97) */
export function watchLinks(): void {
  addEventListener('hashchange', () => void openLinked());
  void openLinked();
}

/**
 * Shows the project of a link, read-only: nothing of the user's is replaced, and nothing is stored before they copy it. A file of
 * another site is fetched only if they agree.
 */
async function openLinked(): Promise<void> {
  const found = linkedAddress(location.hash, location.href);
  if (found === null) return;
  if (!(found instanceof URL)) return leaveLink(texts.linkFaults[found]);
  link.peek()?.cancel();
  const ended = new AbortController();
  const shown = { url: found, cancel: () => ended.abort() };
  try {
    if (found.origin !== location.origin)
      await new Promise<void>((accept, refuse) => {
        ended.signal.addEventListener('abort', () => refuse(ended.signal.reason));
        show({ ...shown, fetched: null, accept });
      });
    show({ ...shown, fetched: { bytes: 0, of: null } });
    const file = await fetchLinked(found, ended.signal, (bytes, of) => show({ ...shown, fetched: { bytes, of } }));
    const project = await readLinkedProject(new File([file], fileName(found)), {
      maxBytes: MAX_BYTES,
      signal: ended.signal,
    });
    ended.signal.throwIfAborted();
    show(null);
    if (project === null) return leaveLink(null);
    await showShared(project);
  } catch (error) {
    if (!ended.signal.aborted)
      leaveLink(error instanceof LinkError ? error.message : texts.linkFaults.unreadable(found.host));
    else if (link.peek()?.url === found) leaveLink(null);
  }
}

function show(next: Link | null): void {
  link.value = next;
  asked.value = next === null ? null : 'link';
}

/** Without the link, a reload does not ask again. */
function leaveLink(fault: string | null): void {
  show(null);
  forgetLink();
  if (fault !== null) say(fault, 'bad');
}

/** @throws LinkError; the reason of the signal. */
function fetchLinked(
  { href, host }: URL,
  aborted: AbortSignal,
  onBytes: (bytes: number, of: number | null) => void,
): Promise<Blob> {
  const worker = startWorker('link-worker');
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  const stop = () => reject(aborted.reason);
  aborted.addEventListener('abort', stop);
  worker.onerror = () => reject(new LinkError(texts.linkFaults.unreadable(host)));
  worker.onmessage = ({ data }: MessageEvent<LinkReply>) => {
    if ('file' in data) resolve(data.file);
    else if ('bytes' in data) onBytes(data.bytes, data.of);
    else reject(new LinkError(texts.linkFaults[data.fault](host, data.status || MAX_BYTES / 2 ** 20)));
  };
  worker.postMessage({ address: href, maxBytes: MAX_BYTES } satisfies LinkOrder);
  return promise.finally(() => {
    worker.terminate();
    aborted.removeEventListener('abort', stop);
  });
}

function fileName({ pathname, host }: URL): string {
  return pathname.split('/').findLast((part) => part !== '') ?? host;
}
