import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportView, isFinal } from '../../exports/exports-api.ts';
import { exportMetadata } from './export-metadata.ts';
import { unknownExport } from './problem.ts';
import { replyFailure } from './reply-problem.ts';

/**
 * Answers for an output of which there is nothing to be had, after waiting for it: why it failed; or that it is still to
 * come, if the client set a time limit; otherwise a redirect to the same address. (C27)
 *
 * @param waited so many seconds, as the client had wished; null where it had not.
 * @param own whether the client has the key of the export's tenant. The address alone shows how far it is, no more. (C27)
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
  // Completed a moment ago, and deleted since.
  if (asked === undefined || isFinal(asked.state)) throw unknownExport();
  if (waited === null) return reply.code(307).header('location', address).send();
  reply.headers({ 'retry-after': '2', 'preference-applied': `wait=${waited}` });
  const { state, progress } = exportMetadata(view);
  return reply.code(202).send(own ? exportMetadata(view) : { ok: true, state, progress });
}
