import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type Job, type JobQueue, singleJob } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { DestinationRecords } from '../../store/records/destination-records.ts';
import {
  type ExportEvent,
  isTerminal,
  type OutputRecord,
  type RecordedError,
} from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { FetchRecords } from '../../store/records/fetch-records.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { EventLog } from '../event-log.ts';
import type { OutputWork } from './output-work.ts';

interface EndExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'setState' | 'fail' | 'setExpiry'>;
  readonly outputs: Pick<OutputRecords, 'fail' | 'complete'>;
  readonly jobs: Pick<JobQueue, 'enqueue' | 'cancel' | 'drop'>;
  readonly fetches: Pick<FetchRecords, 'end'>;
  readonly destinations: Pick<DestinationRecords, 'waits' | 'giveUpFailed'>;
  readonly eventLog: Pick<EventLog, 'record'>;
  readonly work: Pick<OutputWork, 'releaseParts'>;
  /** How long an ended export is kept. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** How exports and their outputs end. */
export class EndExport {
  readonly #ports: EndExportPorts;

  constructor(ports: EndExportPorts) {
    this.#ports = ports;
  }

  /** Ends an export as completed, failed or cancelled. Its retention starts, and its event is recorded. (C35, C37) */
  async finish(
    id: string,
    how: 'completed' | 'cancelled' | { readonly error: RecordedError; readonly alone?: boolean },
    tx: Transaction,
  ): Promise<void> {
    const { records, fetches, jobs, eventLog, now, retentionMs } = this.#ports;
    const record = await records.find(id, tx);
    if (typeof how === 'string') await records.setState(id, how, tx);
    else await records.fail(id, how.error, tx, how.alone);
    const unsent = typeof how === 'string' ? [] : await this.#giveUpDestinations(id, tx);
    await fetches.end(id, tx);
    if (record !== null) await jobs.drop([singleJob('fetch', record)], tx);
    await records.setExpiry(id, now() + (record?.retentionMs ?? retentionMs), tx);
    const lost = typeof how === 'string' || how.alone === true ? [] : (record?.outputs.filter(isUnderWay) ?? []);
    const failures = lost.map(({ preset }) => ({ type: 'output.failed', preset }) as const);
    const end = typeof how === 'string' ? (`export.${how}` as const) : 'export.failed';
    await eventLog.record(id, [...failures, ...unsent, { type: end, preset: null }], tx);
  }

  /** The MP4 of an output is in the blob store. If its preset is selected, the export is completed. (C12, C68) */
  async complete(
    id: string,
    preset: string,
    made: Parameters<OutputRecords['complete']>[2],
    tx: Transaction,
  ): Promise<void> {
    const { records, outputs, destinations, jobs, eventLog } = this.#ports;
    await outputs.complete(id, preset, made, tx);
    const record = await records.find(id, tx);
    if (record !== null && (await destinations.waits({ exportId: id, preset }, tx)))
      await jobs.enqueue([singleJob('destination', record, { preset })], tx);
    const isShort = record?.outputs.some((output) => output.preset === preset && output.short !== null);
    await eventLog.record(id, [{ type: isShort ? 'short.completed' : 'output.completed', preset }], tx);
    if (record?.selectedPreset === preset) await this.finish(id, 'completed', tx);
  }

  /**
   * Records that a job failed permanently: its output fails, and the whole export too if its preset is selected. (C34)
   * The rendered parts stay pinned; call `releaseParts` after the commit.
   */
  async giveUp(
    { exportId, presets }: Pick<Job, 'exportId' | 'presets'>,
    error: RecordedError,
    tx: Transaction,
  ): Promise<void> {
    const { records, jobs } = this.#ports;
    const record = await records.find(exportId, tx);
    if (record === null) return;
    const isForAll = presets.length === 0 || presets.includes(record.selectedPreset);
    if (isForAll && !isTerminal(record.state)) {
      await this.finish(exportId, { error }, tx);
      await jobs.cancel(exportId, null, tx);
      return;
    }
    for (const { preset, state } of record.outputs) {
      if (!(presets.length === 0 || presets.includes(preset)) || !isUnderWay({ state })) continue;
      await this.#fail(exportId, preset, error, tx);
      await jobs.cancel(exportId, preset, tx);
    }
  }

  /**
   * Ends an unfinished output by request. The others continue, even if the export fails because of it; but an export
   * whose files are still being fetched ends completely. (C29, C66)
   */
  async stop(id: string, preset: string, tx: Transaction): Promise<void> {
    const { records, jobs } = this.#ports;
    const record = await records.find(id, tx);
    const output = record?.outputs.find((each) => each.preset === preset);
    if (record === null || output === undefined) return;
    const isFetching = record.fetching !== null;
    if (!isUnderWay(output) && !(isFetching && output.state === 'waiting')) return;
    const error = recordedError(outputStopped());
    await this.#fail(id, preset, error, tx);
    await jobs.cancel(id, preset, tx);
    if (record.selectedPreset === preset) await this.finish(id, { error, alone: !isFetching }, tx);
  }

  async #fail(id: string, preset: string, error: RecordedError, tx: Transaction): Promise<void> {
    const { outputs, eventLog } = this.#ports;
    await outputs.fail(id, preset, error, tx);
    const unsent = await this.#giveUpDestinations(id, tx);
    await eventLog.record(id, [{ type: 'output.failed', preset }, ...unsent], tx);
  }

  /** Fails the destinations of failed outputs, and returns the events. */
  async #giveUpDestinations(id: string, tx: Transaction): Promise<Pick<ExportEvent, 'type' | 'preset'>[]> {
    const presets = await this.#ports.destinations.giveUpFailed(id, NO_OUTPUT, tx);
    return presets.map((preset) => ({ type: 'destination.failed', preset }));
  }

  /** Unpins the parts of failed outputs in the cache. */
  async releaseParts(exportIds: Iterable<string>): Promise<void> {
    const { records, database, work } = this.#ports;
    for (const id of new Set(exportIds)) {
      const record = await records.find(id, database);
      for (const { preset, state } of record?.outputs ?? []) {
        if (state === 'failed') await work.releaseParts(id, preset);
      }
    }
  }
}

function isUnderWay({ state }: Pick<OutputRecord, 'state'>): boolean {
  return state === 'queued' || state === 'rendering';
}

function outputStopped(): ExportError {
  return new ExportError('cancelled', 'output.stopped', 'The render of this preset was stopped.');
}

/** Why a destination receives nothing. The output has its own error. (C69) */
const NO_OUTPUT: RecordedError = {
  kind: 'invalid',
  code: 'destination.no_output',
  message: 'There is no video to send: its output has failed, or was stopped.',
  issues: [],
};

/** The recorded form of an error: only what the client may read. (C32) */
export function recordedError({ kind, code, message, issues }: ExportError): RecordedError {
  return { kind, code, message, issues };
}

interface StopOutputPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findOfTenant'>;
  readonly ends: Pick<EndExport, 'stop' | 'releaseParts'>;
  readonly changes: Pick<Changes, 'notify'>;
}

/** Ends single outputs by request. */
export class StopOutput {
  readonly #ports: StopOutputPorts;

  constructor(ports: StopOutputPorts) {
    this.#ports = ports;
  }

  /** False if the tenant has no such export. (C29) */
  async stop(tenant: string, id: string, preset: string): Promise<boolean> {
    const { database, records, ends, changes } = this.#ports;
    const record = await records.findOfTenant(tenant, id, database);
    if (record === null || record.state === 'expired' || record.state === 'cancelled') return false;
    await database.transaction((tx) => ends.stop(id, preset, tx), { lockExport: id });
    changes.notify(id);
    await ends.releaseParts([id]);
    return true;
  }
}
