import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { Admitted, ProjectSource } from '../../exports/api/submission.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { isJson, readJsonBytes } from '../multipart/read-json-body.ts';
import { type ReceivedForm, requireForm } from '../multipart/read-multipart.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { readProjectId, unknownProject } from './project-address.ts';
import { type FormKind, receiveForm } from './receive-form.ts';

/** A form, and the project that it was made of. */
interface RequestForm extends ReceivedForm {
  readonly source: ProjectSource | null;
  /** Identifies the request in place of its texts; null: they do. (C9) */
  readonly requestHash: string | null;
}

/** How an address takes its form. */
export interface FormTaker {
  /** What the address is, without its last step. */
  readonly base: string;
  /** Refuses a body of another type before it is sent. */
  require(contentType: string | undefined): void;
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    admitted: Admitted,
    context: RouteContext,
    kind?: FormKind,
  ): Promise<RequestForm>;
}

/** Documents that are sent with the request. */
export const SENT_DOCUMENTS: FormTaker = {
  base: '/video',
  require: requireForm,
  take: async (...received) => ({ ...withDisposal(await receiveForm(...received)), source: null, requestHash: null }),
};

/** A stored project with values. (C84) */
export const STORED_PROJECT: FormTaker = {
  base: '/projects/:project_id',
  require: requireJson,
  take: async (request, reply, admitted, context, kind) => {
    const { api: _api, projects, metrics, config, documents, closing } = context;
    const { project_id } = request.params as { readonly project_id: string };
    const id = readProjectId(project_id);
    const tenant = request.tenant!;
    using _counted = metrics.countUpload();
    using ended = new FirstSignal(clientGone(reply), closing);
    using held = new DisposableStack();
    const memory = held.use(documents.lease(tenant));
    const body = await readJsonBytes(request.raw, {
      memory,
      signal: ended.signal,
      maxBytes: config.limits.maxJsonBytes,
      patience: config.limits,
      onReading: () => {
        if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
      },
      onReceived: (bytes) => admitted.arrived(bytes),
    });
    const plainFields = [...(kind?.plainFields ?? [])];
    const form = await projects.form(tenant, { id, body, plainFields }, ended.signal);
    if (form === null) throw unknownProject();
    const kept = held.move();
    const dispose = async () => kept.dispose();
    return { ...form, uploads: new Map(), [Symbol.asyncDispose]: dispose };
  },
};

/** @throws `request.not_json` (415) */
function requireJson(contentType: string | undefined): void {
  if (isJson(contentType)) return;
  const message = 'The request must be application/json: an object with values.';
  throw new ExportError('unsupported', 'request.not_json', message);
}

function withDisposal(form: ReceivedForm): ReceivedForm {
  return { texts: form.texts, uploads: form.uploads, [Symbol.asyncDispose]: () => form[Symbol.asyncDispose]() };
}
