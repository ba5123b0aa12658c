import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { RoomReserve } from '../../store/nodes/room-reserve.ts';
import type { Admitted, Announcement } from '../exports-api.ts';
import { type DiskReserve, diskRoom } from './disk-room.ts';

/** How much is let in. */
export interface AdmissionPolicy extends DiskReserve {
  /** Exports of one tenant that may wait: nobody can fill the queue for everyone else. (C33) */
  readonly maxWaiting: number;
  /** Most waiting exports of all tenants. */
  readonly maxWaitingInAll: number;
  /** Requests whose bodies may arrive at once, in all and of one tenant. */
  readonly maxUploads: number;
  readonly maxTenantUploads: number;
}

interface AdmissionPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findByIdempotencyKey' | 'countWaiting'>;
  readonly local: Pick<LocalFiles, 'room'>;
  readonly reserve: Pick<RoomReserve, 'missingBytes'> | null;
  readonly policy: AdmissionPolicy;
}

/** More creates than are ever between the question how many wait and their end, at all nodes together. */
const UNDER_WAY_AT_ONCE = 500;

/** A body of unknown length is let go on for so long before the disk is asked again. */
const UNANNOUNCED_STEP_BYTES = 16 * 2 ** 20;

/**
 * Decides who comes in, before anybody pays for it with an upload: by the queue, by the room on the disk less what others
 * have announced, and by how many uploads are under way.
 */
export class Admission {
  readonly #ports: AdmissionPorts;
  readonly #inside = new Set<Visit>();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  /** See ExportsApi. */
  async admit(announced: Announcement): Promise<Admitted> {
    const known = await this.#isKnown(announced);
    const waiting = known || !announced.creates ? null : await this.#waiting(announced.tenant);
    const room = known ? null : await this.#room();
    // No await from here on: a concurrent request must see this one counted.
    if (!known) this.#requireFewUploads(announced.tenant);
    if (waiting !== null) this.#requireQueue(waiting);
    this.#requireDisk(room, announced.bytes ?? 0);
    const visit = new Visit(announced, known, {
      leave: () => this.#inside.delete(visit),
      // One that never said how much it brings is measured by what it leaves.
      requireRoom: async () => this.#requireDisk(await this.#room(), 0),
    });
    this.#inside.add(visit);
    return visit;
  }

  /** For a request that is all here. @throws `queue.full`, `disk.full` */
  async requireRoom(tenant: string): Promise<void> {
    this.#requireQueue(await this.#waiting(tenant));
    this.#requireDisk(await this.#room(), 0);
  }

  /** For so many bytes that are about to come from elsewhere. @throws `disk.full` */
  async requireDisk(bytes: number): Promise<void> {
    this.#requireDisk(await this.#room(), bytes);
  }

  /**
   * Whether so many wait already that those who are just being recorded, at all nodes, could be too many together: then they
   * must be counted one after the other, for all tenants together. (C33)
   */
  async isNearlyFull(tenant: string): Promise<boolean> {
    const { all } = await this.#waiting(tenant);
    return all + UNDER_WAY_AT_ONCE >= this.#ports.policy.maxWaitingInAll;
  }

  /**
   * For an export that is just being recorded, counted with the others: of all that were let in while there was room for one more,
   * at whatever node, as many are kept as there was room for. To be asked with the tenant locked, and all of them where
   * it is nearly full. @throws `queue.full` (C33)
   */
  async requirePlace(tenant: string, tx: Transaction): Promise<void> {
    const { own, all } = await this.#ports.records.countWaiting(tenant, tx);
    this.#requireQueue({ own: own - 1, all: all - 1 });
  }

  /** Whatever content comes with a known key, no further export is made of it. (C9) */
  async #isKnown({ tenant, idempotencyKey }: Announcement): Promise<boolean> {
    if (idempotencyKey === null) return false;
    const { records, database } = this.#ports;
    return (await records.findByIdempotencyKey(tenant, idempotencyKey, database)) !== null;
  }

  #waiting(tenant: string): ReturnType<ExportRecords['countWaiting']> {
    return this.#ports.records.countWaiting(tenant, this.#ports.database);
  }

  #room(): ReturnType<typeof diskRoom> {
    return diskRoom(this.#ports);
  }

  #requireFewUploads(tenant: string): void {
    const { maxUploads, maxTenantUploads } = this.#ports.policy;
    const own = [...this.#inside].filter((visit) => visit.tenant === tenant).length;
    if (this.#inside.size < maxUploads && own < maxTenantUploads) return;
    const most = own < maxTenantUploads ? maxUploads : maxTenantUploads;
    throw new ExportError(
      'unavailable',
      'upload.too_many',
      `${most} uploads are already in progress. Try again later.`,
    );
  }

  /** Those still arriving are not counted: a handful of clients that dawdle would close the queue to everyone. */
  #requireQueue({ own, all }: { readonly own: number; readonly all: number }): void {
    const { maxWaiting, maxWaitingInAll } = this.#ports.policy;
    if (own < maxWaiting && all < maxWaitingInAll) return;
    const which = own < maxWaiting ? `${all} exports` : `${own} exports of yours`;
    throw new ExportError('unavailable', 'queue.full', `${which} are waiting already. Try again later.`);
  }

  #requireDisk(room: Awaited<ReturnType<typeof diskRoom>>, bytes: number): void {
    const reserved = [...this.#inside].reduce((sum, visit) => sum + visit.outstandingBytes, 0);
    if (room === null || room.freeBytes - reserved - bytes >= room.neededBytes) return;
    const message = 'The disk has no space for another export. Try again later.';
    throw new ExportError('unavailable', 'disk.full', message);
  }
}

/** What an admitted request can ask of the admission. */
interface Door {
  leave(): void;
  requireRoom(): Promise<void>;
}

/** Someone who was let in, and what is kept free for them. */
class Visit implements Admitted {
  readonly known: boolean;
  readonly tenant: string;
  /** Announced and not yet on the disk. */
  outstandingBytes: number;
  readonly #isAnnounced: boolean;
  readonly #door: Door;
  #unaskedBytes = 0;

  constructor({ tenant, bytes }: Announcement, known: boolean, door: Door) {
    this.tenant = tenant;
    this.known = known;
    // Of a known key's content nothing is kept.
    this.outstandingBytes = known ? 0 : (bytes ?? 0);
    this.#isAnnounced = known || bytes !== null;
    this.#door = door;
  }

  async arrived(bytes: number): Promise<void> {
    this.outstandingBytes = Math.max(0, this.outstandingBytes - bytes);
    if (this.#isAnnounced) return;
    this.#unaskedBytes += bytes;
    if (this.#unaskedBytes < UNANNOUNCED_STEP_BYTES) return;
    this.#unaskedBytes = 0;
    await this.#door.requireRoom();
  }

  [Symbol.dispose](): void {
    this.#door.leave();
  }
}
