import { buffer } from 'node:stream/consumers';
import type { ExportedProject, ProjectBody } from '../api/projects-api.ts';
import type { Planner } from '../submit/planner.ts';
import type { Projects } from './keep-projects.ts';

interface FormOfProjectPorts {
  readonly projects: Pick<Projects, 'open' | 'revisions'>;
  readonly planner: Pick<Planner, 'projectForm' | 'projectRevision'>;
}

/**
 * The form of a stored project with the values of a body. The document is read and filled in by a thread. null: there is
 * no such project or revision. (C84)
 *
 * @throws ExportError with all errors of the body and of the project's fields.
 */
export async function formOfProject(
  tenant: string,
  { id, body, plainFields }: ProjectBody,
  { projects, planner }: FormOfProjectPorts,
  signal: AbortSignal,
): Promise<ExportedProject | null> {
  const wanted = await planner.projectRevision(tenant, { body }, signal);
  const found =
    wanted === null
      ? await projects.open(tenant, id)
      : (await projects.revisions(tenant, id))?.find(({ revision }) => revision === wanted);
  if (found === null || found === undefined) return null;
  const document = new Uint8Array(await buffer(await found.stream()));
  const { texts, values, hash } = await planner.projectForm(tenant, { id, document, body, plainFields }, signal);
  return { texts, requestHash: hash, source: { id, revision: found.revision, values } };
}
