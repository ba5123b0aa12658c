import { createHash } from 'node:crypto';
import type { ExportView } from '../../exports/api/export-view.ts';

/** Equal for the same body; it contains the state revision, which says what a client has seen. (C40) */
export function statusTag({ stateRevision }: Pick<ExportView, 'stateRevision'>, body: string): string {
  return `"${stateRevision}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** The newest state among these tags; null if none of them is ours. */
export function seenStateRevision(header: string | undefined): number | null {
  const revisions = [...(header ?? '').matchAll(/"(\d{1,15})\.[\w-]{22}"/g)].map(([, revision]) => Number(revision));
  return revisions.length === 0 ? null : Math.max(...revisions);
}
