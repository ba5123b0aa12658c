import type { FrameRate } from '../../time.ts';
import type { ExportRequest, MediaRef } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import type { Canvas } from '../model/canvas.ts';
import type { MediaFacts, MediaFactsByField } from '../model/media-facts.ts';
import type { PlanSource } from '../model/render-plan.ts';
import type { EntryPlaces } from './entry-places.ts';

/** The inputs of every part of the planner. */
export interface PlanContext {
  readonly request: ExportRequest;
  /** The places of entries in the planned preset. */
  readonly places: EntryPlaces;
  readonly canvas: Canvas;
  readonly rate: FrameRate;
  readonly media: MediaTable;
  readonly issues: IssueList;
}

/** The facts about each upload, and the list of the uploads that the plan uses. */
export class MediaTable {
  readonly #facts: MediaFactsByField;
  readonly #indices = new Map<string, number>();
  readonly #sources: PlanSource[] = [];

  constructor(facts: MediaFactsByField) {
    this.#facts = facts;
  }

  /** The upload's facts. Missing ones are the caller's bug: parsing has made sure the file is there. */
  facts(media: MediaRef): MediaFacts {
    const facts = this.#facts.get(media.field);
    if (facts === undefined) throw new Error(`no facts for the upload at ${media.path}`);
    return facts;
  }

  /** The upload's index in `RenderPlan.sources`, assigned at its first use. */
  use(media: MediaRef): number {
    const known = this.#indices.get(media.field);
    if (known !== undefined) return known;
    const index = this.#sources.length;
    this.#indices.set(media.field, index);
    this.#sources.push({ field: media.field, hash: this.facts(media).hash });
    return index;
  }

  get sources(): readonly PlanSource[] {
    return this.#sources;
  }
}
