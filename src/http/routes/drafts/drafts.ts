import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../../errors.ts';
import { FirstSignal } from '../../../platform/first-signal.ts';
import { shownText } from '../../../timeline/json/shown-value.ts';
import { requireForm } from '../../multipart/boundary.ts';
import type { RouteContext } from '../../server/route-context.ts';
import { clientGone } from '../../server/wait-within.ts';
import { readClientUuid } from '../projects/project-address.ts';
import { admit, receiveForm } from '../receive-form.ts';

interface DraftRequest {
  readonly Params: { readonly draft_id: string };
}

/** `/video/drafts/<id>`: videos that are rendered while a user edits them. (C79) */
export function draftRoutes(app: FastifyInstance, context: RouteContext): void {
  const { drafts } = context;
  app.put<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    const id = readDraftId(request.params.draft_id);
    requireForm(request.headers['content-type']);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    await drafts.put(id, { tenant: request.tenant!, texts: form.texts, uploads: form.uploads }, ended.signal);
    return reply.code(204).send();
  });

  app.get<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    const draft = await drafts.get(request.tenant!, readDraftId(request.params.draft_id));
    if (draft === null) throw unknownDraft();
    reply.header('cache-control', 'no-store');
    return { ok: true, ...draft };
  });

  app.delete<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    if (!(await drafts.remove(request.tenant!, readDraftId(request.params.draft_id)))) throw unknownDraft();
    return reply.code(204).send();
  });
}

function readDraftId(text: string): string {
  const id = readClientUuid(text);
  if (id !== null) return id;
  const message = `The id of a draft is a UUID that you choose, not ${shownText(text)}.`;
  throw new ExportError('malformed', 'draft.address', message);
}

/** Unknown, deleted, expired and another tenant's look the same. (C33) */
function unknownDraft(): ExportError {
  return new ExportError('missing', 'draft.unknown', 'There is no such draft, or it has expired.');
}
