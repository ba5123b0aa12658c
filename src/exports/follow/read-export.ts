import { buffer } from 'node:stream/consumers';
import { sha256 } from '../../platform/sha256.ts';
import type { BlobAddresses, BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import type { ExportListing, ExportRecord, OutputRecord } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Progress } from '../../store/nodes/progress.ts';
import { fileEnding, type Presets } from '../../timeline/presets.ts';
import type { ExportList, ExportView } from '../api/export-view.ts';
import type { CaptionFormat, OpenOutput, Poster } from '../api/open-output.ts';
import { posterKey } from '../export-keys.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Usage } from '../usage.ts';
import { captionsText } from './captions-text.ts';
import { chaptersText } from './chapters-text.ts';
import { exportView } from './export-view.ts';

/** How long a presigned address can start or resume a download. */
const ADDRESS_SECONDS = 3600;

interface ReadExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'findOfTenant' | 'list'>;
  readonly blobs: Pick<BlobStore, 'info' | 'read'>;
  readonly addresses: BlobAddresses | null;
  readonly plans: Pick<PlanStore, 'read' | 'outline'>;
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
    return record === null ? null : exportView(record, progress);
  }

  async list(tenant: string, listing: ExportListing): Promise<ExportList> {
    const { records, database, progress } = this.#ports;
    // One more than requested shows whether there is a next page.
    const found = await records.list(tenant, { ...listing, limit: listing.limit + 1 }, database);
    const shown = found.slice(0, listing.limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      exports: shown.map((record) => exportView(record, progress)).filter((view) => view !== null),
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
    if (short !== null) return withEnding(fileName, `short-${short.number}`);
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
