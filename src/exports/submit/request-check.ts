import type { ExportsApi } from '../api/exports-api.ts';
import { readFormFields, type Validation } from '../api/submission.ts';
import type { ContentFile } from '../media/media-facts-keeper.ts';
import { requireKinds } from '../media/media-kind.ts';
import type { RequestFiles } from '../media/request-files.ts';
import { type FormPolicy, formFaults, readWantedPresets, requireSelected } from './form-faults.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import type { ProbedRequest } from './planning.ts';
import type { RequestRules } from './read-request.ts';
import { withSubtitleFiles } from './read-subtitles.ts';

/** A request whose files are probed. */
interface PaintableRequest extends ProbedRequest {
  readonly tenant: string;
  /** Those that it mentions, by field. */
  readonly files: ReadonlyMap<string, ContentFile>;
}

/** Some warnings only a painter has: pictures that cannot be decoded, letters that no font has. (C90) */
export interface PaintedCheck {
  /** Paints a frame of a strict request. @throws ExportError with all its warnings; every error of a render. */
  requireNoWarnings(request: PaintableRequest, signal: AbortSignal): Promise<void>;
}

interface RequestCheckPorts {
  readonly planner: Pick<Planner, 'hash' | 'check' | 'outline' | 'describe'>;
  readonly files: RequestFiles;
  readonly painted: PaintedCheck;
  readonly check: MediaCheck;
  readonly rules: Pick<RequestRules, 'json' | 'presets'>;
  readonly policy: FormPolicy;
}

/** Checks requests without storing anything. */
export class RequestCheck {
  readonly #ports: RequestCheckPorts;

  constructor(ports: RequestCheckPorts) {
    this.#ports = ports;
  }

  /** The early check, before the first file; see ExportsApi. */
  async checkDocuments(...[tenant, texts, signal]: Parameters<ExportsApi['checkDocuments']>): Promise<void> {
    const { planner, files } = this.#ports;
    await files.withReferenceErrors(tenant, texts, planner.check(tenant, { texts }, signal), signal);
  }

  /** See ExportsApi. */
  hashOf({ tenant, texts, uploads }: Parameters<ExportsApi['hashOf']>[0], signal: AbortSignal): Promise<string> {
    const files = new Map([...uploads].map(([field, { sha256 }]) => [field, sha256]));
    return this.#ports.planner.hash(tenant, { texts, files }, signal);
  }

  /** The result of validating a request. (C30) */
  async validate(
    { tenant, texts, uploads }: Parameters<ExportsApi['validate']>[0],
    signal: AbortSignal,
  ): Promise<Validation> {
    const { planner, files, painted, check, rules, policy } = this.#ports;
    const sent = readFormFields(texts);
    const faults = formFaults(sent, policy, rules.presets);
    await using gathered = await files.gather(tenant, texts, uploads, faults, signal);
    const request = { texts, uploads: gathered.fields, filesOptional: true };
    const outline = await gathered.withReferenceErrors(
      planner.outline(tenant, { ...request, completes: true }, signal),
    );
    requireSelected(readWantedPresets(sent.presets, rules.presets), outline.settings);
    await gathered.fetch(outline, signal);
    const { settings, completed, fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const isThere = (field: string) => gathered.files.has(field);
    const { found } = await check.probe(tenant, fields.filter(isThere), gathered.files, signal);
    requireKinds(texts, found);
    const named = new Set([...fields, ...subtitleFiles.map(({ field }) => field)]);
    const described = await planner.describe(tenant, { ...request, texts: whole, found }, signal);
    const unchecked = [...named].filter((field) => !isThere(field));
    if (unchecked.length === 0) {
      const mentioned = new Map(fields.map((field) => [field, gathered.files.get(field)!]));
      await painted.requireNoWarnings(
        { tenant, texts: whole, uploads: gathered.fields, files: mentioned, found },
        signal,
      );
    }
    return { settings, timelineData: completed, ...described, unchecked };
  }
}
