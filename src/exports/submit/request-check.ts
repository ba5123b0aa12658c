import { MEDIA_REFS } from '../../timeline/media-references.ts';
import { type ExportsApi, readFormFields, type Validation } from '../exports-api.ts';
import { allJudged, type RequestFiles } from '../media/request-files.ts';
import { formFaults } from './form-faults.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import type { RequestRules } from './read-request.ts';
import { withSubtitleFiles } from './read-subtitles.ts';
import type { SubmitPolicy } from './submit-export.ts';

interface RequestCheckPorts {
  readonly planner: Pick<Planner, 'check' | 'outline' | 'describe'>;
  readonly files: RequestFiles;
  readonly check: MediaCheck;
  readonly rules: Pick<RequestRules, 'json'>;
  readonly policy: Pick<SubmitPolicy, 'allowPrivateCallbacks'>;
}

/** Judges requests without keeping anything. */
export class RequestCheck {
  readonly #ports: RequestCheckPorts;

  constructor(ports: RequestCheckPorts) {
    this.#ports = ports;
  }

  /** The early answer, before the first file; see ExportsApi. */
  async checkDocuments(...[tenant, texts, signal]: Parameters<ExportsApi['checkDocuments']>): Promise<void> {
    const { planner, files } = this.#ports;
    await files.judgedEarly(tenant, texts, planner.check(tenant, { texts }, signal));
  }

  /** What a request would become. (C30) */
  async validate(
    { tenant, texts, uploads }: Parameters<ExportsApi['validate']>[0],
    signal: AbortSignal,
  ): Promise<Validation> {
    const { planner, files, check, rules, policy } = this.#ports;
    const faults = formFaults(readFormFields(texts), policy.allowPrivateCallbacks);
    if (uploads === null && !texts.has(MEDIA_REFS)) {
      const outline = planner.outline(tenant, { texts, uploads: null }, signal);
      const { settings, warnings, completed, fields, subtitleFiles } = await allJudged(faults, outline);
      // A request that needs no files is whole as it is.
      const isWhole = fields.length === 0 && subtitleFiles.length === 0;
      if (!isWhole) return { settings, warnings, timelineData: completed, durationSeconds: null, plan: null };
    }
    await using gathered = await files.gather(tenant, texts, uploads ?? new Map(), faults);
    const request = { texts, uploads: gathered.fields };
    const outline = await gathered.judged(planner.outline(tenant, request, signal));
    const { settings, completed, fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const { found } = await check.lookInto(tenant, fields, gathered.files, signal);
    return {
      settings,
      timelineData: completed,
      ...(await planner.describe(tenant, { ...request, texts: whole, found }, signal)),
    };
  }
}
