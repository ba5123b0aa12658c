import type { ExportsApi, Validation } from '../exports-api.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';

interface RequestCheckPorts {
  readonly planner: Pick<Planner, 'check' | 'outline' | 'describe'>;
  readonly media: MediaCheck;
}

/** Judges requests without keeping anything. */
export class RequestCheck {
  readonly #ports: RequestCheckPorts;

  constructor(ports: RequestCheckPorts) {
    this.#ports = ports;
  }

  /** The early answer, before the first file; see ExportsApi. */
  async checkDocuments(...[tenant, texts, signal]: Parameters<ExportsApi['checkDocuments']>): Promise<void> {
    await this.#ports.planner.check(tenant, { texts }, signal);
  }

  /** What a request would become. (C30) */
  async validate(
    { tenant, texts, uploads }: Parameters<ExportsApi['validate']>[0],
    signal: AbortSignal,
  ): Promise<Validation> {
    const { planner, media } = this.#ports;
    const names = uploads === null ? null : [...uploads.keys()];
    const { settings, warnings, fields } = await planner.outline(tenant, { texts, uploads: names }, signal);
    if (uploads === null || names === null) return { settings, warnings, durationSeconds: null, plan: null };
    const found = await media.lookInto(tenant, fields, uploads, signal);
    return { settings, ...(await planner.describe(tenant, { texts, uploads: names, found }, signal)) };
  }
}
