import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportView, isFinal } from '../../exports/api/export-view.ts';
import { exportMetadata } from './export-metadata.ts';
import { unknownExport } from './problem.ts';
import { replyFailure } from './reply-problem.ts';

/**
 * The response for an output that is not available after the wait: why it failed; or, if the client set a time limit,
 * that it is not ready; otherwise a redirect to the same address. (C27)
 *
 * @param waited the seconds that the client requested; null if it did not.
 * @param own whether the client has the key of the export's tenant. Without it, the response shows only the progress.
 * (C27)
 * @throws `export.unknown`
 */
export function replyUnready(
  view: ExportView,
  { preset, waited, address, own }: { preset: string; waited: number | null; address: string; own: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = [...view.outputs, ...view.shorts].find((candidate) => candidate.preset === preset);
  const failure = asked?.failure ?? view.failure;
  if (failure !== null && asked?.state === 'failed') return replyFailure(failure, request, reply);
  // It was completed a moment ago, and deleted since.
  if (asked === undefined || isFinal(asked.state)) throw unknownExport();
  if (waited === null) return reply.code(307).header('location', address).send();
  reply.headers({ 'retry-after': '2', 'preference-applied': `wait=${waited}` });
  const { state, progress } = exportMetadata(view);
  return reply.code(202).send(own ? exportMetadata(view) : { ok: true, state, progress });
}
