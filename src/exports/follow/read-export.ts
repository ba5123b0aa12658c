import { buffer } from 'node:stream/consumers';
import { type CaptionFormat, captionsText } from '../../plan/captions-text.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { type PublishingKit, publishingKit } from '../../plan/publishing-kit.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { BlobAddresses, BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import type { Progress } from '../../store/nodes/node-store.ts';
import {
  type DestinationState,
  type ExportListing,
  type ExportRecord,
  isTerminal,
  type OutputRecord,
} from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import { frames, secondsOf } from '../../time.ts';
import { fileEnding, type Presets } from '../../timeline/presets.ts';
import { DOCUMENT_FIELDS } from '../../timeline/request-documents.ts';
import type { ExportList, ExportView, OutputState, OutputView, ShortView } from '../api/export-view.ts';
import type { OpenOutput, Poster } from '../api/open-output.ts';
import type { SentDocuments } from '../api/submission.ts';
import { posterKey } from '../export-keys.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Planner } from '../submit/planner.ts';
import type { Usage } from '../usage.ts';

/** How long a presigned address can start or resume a download. */
const ADDRESS_SECONDS = 3600;

interface ReadExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'findOfTenant' | 'list' | 'valuesOf'>;
  readonly blobs: Pick<BlobStore, 'info' | 'read'>;
  readonly addresses: BlobAddresses | null;
  readonly plans: Pick<PlanStore, 'read' | 'outline' | 'readRequest'>;
  readonly planner: Pick<Planner, 'published'>;
  readonly progress: Progress;
  readonly usage: Pick<Usage, 'countSent'>;
  readonly rules: { readonly presets: Presets };
}

/** Reads the state and the files of an export. */
export class ReadExport {
  readonly #ports: ReadExportPorts;

  constructor(ports: ReadExportPorts) {
    this.#ports = ports;
  }

  async get(tenant: string | null, id: string): Promise<ExportView | null> {
    const { records, database, progress } = this.#ports;
    const record = await (tenant === null
      ? records.find(id, database.committed)
      : records.findOfTenant(tenant, id, database.committed));
    const view = record === null ? null : exportView(record, progress, this.#ports.rules.presets);
    if (view === null || view.project === null) return view;
    const values = await records.valuesOf(id, database.committed);
    return { ...view, project: { ...view.project, values: JSON.parse(values ?? '{}') } };
  }

  async list(tenant: string, listing: ExportListing): Promise<ExportList> {
    const { records, database, progress } = this.#ports;
    // One more than requested shows whether there is a next page.
    const found = await records.list(tenant, { ...listing, limit: listing.limit + 1 }, database);
    const shown = found.slice(0, listing.limit);
    const { presets } = this.#ports.rules;
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      exports: shown.map((record) => exportView(record, progress, presets)).filter((view) => view !== null),
      next: last === undefined ? null : { createdAtMs: last.createdAtMs, id: last.id },
    };
  }

  async output(id: string, preset: string): Promise<OpenOutput | null> {
    const { records, database, blobs, addresses, usage } = this.#ports;
    const record = await records.find(id, database.committed);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output?.state !== 'completed') return null;
    const { bytes, sha256, blob } = output;
    return {
      bytes: bytes!,
      sha256: sha256!,
      fileName: this.#fileName(record, output),
      // The explicit range detects a truncated file.
      stream: async (range = { start: 0, end: bytes! }) =>
        usage.countSent(record.tenant, await blobs.read(blob!, range)),
      address: addresses && ((headers) => addresses.addressOf(blob!, headers, ADDRESS_SECONDS)),
    };
  }

  /** The three downloads of an export go into one folder, so only the selected preset has the plain name. (C73) */
  #fileName({ fileName, selectedPreset }: ExportRecord, { preset, short }: OutputRecord): string {
    if (short !== null) return withEnding(fileName, shortEnding(short.number));
    if (preset === selectedPreset) return fileName;
    return withEnding(fileName, fileEnding(this.#ports.rules.presets, preset));
  }

  async poster(id: string): Promise<Poster | null> {
    const { blobs } = this.#ports;
    const key = posterKey(id);
    if ((await blobs.info(key)) === null) return null;
    const jpeg = await buffer(await blobs.read(key));
    return { jpeg, sha256: sha256(jpeg) };
  }

  async chapters(id: string): Promise<string | null> {
    const { records, database, plans } = this.#ports;
    const record = await records.find(id, database.committed);
    return record === null || record.totalFrames === 0
      ? null
      : chaptersText(await plans.outline(id, record.selectedPreset));
  }

  /** Null until the media of the export are probed, and if the tenant has no such export. (R40) */
  async publishingKit(tenant: string, id: string, signal: AbortSignal): Promise<PublishingKit | null> {
    const { records, database, plans, planner } = this.#ports;
    const record = await records.findOfTenant(tenant, id, database.committed);
    if (record === null || record.totalFrames === 0) return null;
    const outline = await plans.outline(id, record.selectedPreset);
    const uploads = record.uploads.map(({ field }) => field);
    const texts = await plans.readRequest(id);
    return publishingKit(outline, await planner.published(tenant, { texts, uploads }, signal));
  }

  /** See ExportsApi. */
  async documents(tenant: string, id: string): Promise<SentDocuments | null> {
    const { records, database, plans } = this.#ports;
    const record = await records.findOfTenant(tenant, id, database.committed);
    if (record === null || record.state === 'expired' || record.state === 'cancelled') return null;
    const sent = await plans.readRequest(id);
    const texts = DOCUMENT_FIELDS.flatMap((name) => {
      const text = sent.get(name);
      return text === undefined ? [] : [[name, text] as const];
    });
    return { texts: new Map(texts), media: new Map(record.uploads.map(({ field, hash }) => [field, hash])) };
  }

  async captions(id: string, format: CaptionFormat): Promise<string | null> {
    const { records, database, plans } = this.#ports;
    const record = await records.find(id, database.committed);
    if (record === null || record.totalFrames === 0) return null;
    return captionsText(await plans.read(id, record.selectedPreset), format);
  }
}

/** `best-of.mp4` becomes `best-of-portrait.mp4`. */
function withEnding(fileName: string, ending: string): string {
  return fileName.replace(/(\.mp4)?$/i, `-${ending}.mp4`);
}

/** The chapters as a video description has them: `0:00 Intro`, one a line. (C28) */
function chaptersText({ chapters, rate, totalFrames }: Pick<RenderPlan, 'chapters' | 'rate' | 'totalFrames'>): string {
  const withHours = secondsOf(totalFrames, rate) >= 3600;
  return chapters
    .map(({ start, title }) => `${clock(Math.floor(secondsOf(start, rate)), withHours)} ${title}\n`)
    .join('');
}

function clock(seconds: number, withHours: boolean): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, two(seconds % 60)];
  return withHours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The end of a short's file name. (C73) */
function shortEnding(number: number): string {
  return `short-${number}`;
}

/** An export as clients see it; null if it was removed or has expired. (C29, C33) */
export function exportView(
  record: Omit<ExportRecord, 'uploads'>,
  progress: Progress,
  presets: Presets,
): ExportView | null {
  if (record.state === 'expired' || record.state === 'cancelled') return null;
  const isShort = ({ short }: OutputRecord) => short !== null;
  const outputs = record.outputs
    .filter((output) => !isShort(output))
    .map((output) => outputView(record.id, output, fileEnding(presets, output.preset), progress));
  const shorts = record.outputs.filter(isShort).map((output) => shortView(record, output, progress));
  const selected = outputs.find(({ preset }) => preset === record.selectedPreset)!;
  return {
    id: record.id,
    revision: record.revision,
    stateRevision: record.stateRevision,
    settled: isSettled(record),
    state: record.state,
    progress: selected.progress,
    fetching: record.state === 'queued' ? record.fetching : null,
    settings: record.settings,
    // A duration of 0 means that it was never planned.
    durationSeconds: record.totalFrames === 0 ? null : record.durationSeconds,
    outputs,
    shorts,
    warnings: record.warnings,
    createdAtMs: record.createdAtMs,
    expiresAtMs: record.expiresAtMs,
    failure: record.error,
    title: record.title,
    externalId: record.externalId,
    metadata: record.metadata,
    project: record.project,
  };
}

/** An idle output may never be requested. */
function isSettled({ state, outputs }: Pick<ExportRecord, 'state' | 'outputs'>): boolean {
  const isRendered = outputs.every((output) => output.state !== 'queued' && output.state !== 'rendering');
  const isSent = outputs.every(({ destination }) => destination === null || SENT_OR_NOT.has(destination.state));
  return isTerminal(state) && isRendered && isSent;
}

const SENT_OR_NOT: ReadonlySet<DestinationState> = new Set(['sent', 'failed']);

function outputView(id: string, output: OutputRecord, name: string, progress: Progress): OutputView {
  const { preset, width, height, bytes, sha256, destination } = output;
  const state: OutputState = output.state === 'waiting' ? 'idle' : output.state;
  const share = progress.share(id, { ...output, completed: output.state === 'completed' });
  return { preset, name, state, progress: share, width, height, bytes, sha256, failure: output.error, destination };
}

function shortView(
  { id, settings }: Pick<ExportRecord, 'id' | 'settings'>,
  output: OutputRecord,
  progress: Progress,
): ShortView {
  const { number, title, startFrame } = output.short!;
  const seconds = (count: number) => secondsOf(frames(count), settings.rate);
  const times = { startSeconds: seconds(startFrame), durationSeconds: seconds(output.totalFrames) };
  return { ...outputView(id, output, shortEnding(number), progress), number, title, ...times };
}
