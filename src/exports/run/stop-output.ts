import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { EndExport } from './end-export.ts';

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
