import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { RoomReserve } from '../../store/nodes/node-store.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { Admitted, Announcement } from '../api/submission.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import { type DiskReserve, diskRoom } from './service-status.ts';

/** The limits of admission. */
export interface AdmissionPolicy extends DiskReserve {
  /** How many exports of one tenant may wait, so that no tenant fills the queue for the others. (C91) */
  readonly maxWaiting: number;
  /** How many exports of all tenants may wait. */
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
  readonly quota: Pick<MediaQuota, 'requirePossible'>;
  readonly policy: AdmissionPolicy;
}

/** More than the creates that are ever in progress between the count and the commit, on all nodes together. */
const UNDER_WAY_AT_ONCE = 500;

/** For a body of unknown length, the disk is checked after each of these steps. */
const UNANNOUNCED_STEP_BYTES = 16 * 2 ** 20;

/**
 * Decides whether a request may send its body: by the queue, by the free disk space minus the announced bytes of other
 * requests, and by the number of uploads in progress.
 */
export class Admission {
  readonly #ports: AdmissionPorts;
  readonly #reservations = new Set<Reservation>();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  /** See ExportsApi. */
  async admit(announced: Announcement): Promise<Admitted> {
    const known = await this.#isKnown(announced);
    const waiting = known || !announced.creates ? null : await this.#waiting(announced.tenant);
    const room = known ? null : await this.#room();
    if (!known && announced.creates) await this.#requireQuota(announced.tenant, announced.bytes ?? 0);
    // No await from here on: a concurrent request must see this one counted.
    if (!known) this.#requireFewUploads(announced.tenant);
    if (waiting !== null) this.#requireQueue(waiting);
    this.#requireDisk(room, announced.bytes ?? 0);
    const reservation = new Reservation(announced, known, {
      leave: () => this.#reservations.delete(reservation),
      // A request without an announced length is checked by the space that is left.
      requireRoom: async () => {
        this.#requireDisk(await this.#room(), 0);
        if (announced.creates) await this.#requireQuota(announced.tenant, 0);
      },
    });
    this.#reservations.add(reservation);
    return reservation;
  }

  /** For a request that has arrived completely. @throws `queue.full`, `disk.full` */
  async requireRoom(tenant: string): Promise<void> {
    this.#requireQueue(await this.#waiting(tenant));
    this.#requireDisk(await this.#room(), 0);
  }

  /** For bytes that the service is about to fetch. @throws `disk.full` */
  async requireDisk(bytes: number): Promise<void> {
    this.#requireDisk(await this.#room(), bytes);
  }

  /**
   * Whether the creates in progress on all nodes could exceed the limit together. If so, they must be counted one after
   * the other, across tenants. (H39)
   */
  async isNearlyFull(tenant: string): Promise<boolean> {
    const { all } = await this.#waiting(tenant);
    return all + UNDER_WAY_AT_ONCE >= this.#ports.policy.maxWaitingInAll;
  }

  /**
   * Checks the limit for an export that is being recorded, with itself counted. Concurrent creates on all nodes thus
   * stay within the limit. Call it with the tenant locked, and all tenants if the queue is nearly full.
   * @throws `queue.full` (H39)
   */
  async requirePlace(tenant: string, tx: Transaction): Promise<void> {
    const { own, all } = await this.#ports.records.countWaiting(tenant, tx);
    this.#requireQueue({ own: own - 1, all: all - 1 });
  }

  /** A known key creates no further export, with any content. (C9) */
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
    const own = [...this.#reservations].filter((reservation) => reservation.tenant === tenant).length;
    if (this.#reservations.size < maxUploads && own < maxTenantUploads) return;
    const max = own < maxTenantUploads ? maxUploads : maxTenantUploads;
    throw new ExportError('unavailable', 'upload.too_many', `${max} uploads are already in progress. Try again later.`);
  }

  /** Requests that are still arriving are not counted: a few slow clients would close the queue to all others. */
  #requireQueue({ own, all }: { readonly own: number; readonly all: number }): void {
    const { maxWaiting, maxWaitingInAll } = this.#ports.policy;
    if (own < maxWaiting && all < maxWaitingInAll) return;
    const which = own < maxWaiting ? `${all} exports` : `${own} of your exports`;
    throw new ExportError('unavailable', 'queue.full', `${which} are already queued. Try again later.`);
  }

  /** Bodies that are arriving count in full: their files are stored only when they are complete. */
  async #requireQuota(tenant: string, bytes: number): Promise<void> {
    const { quota, database } = this.#ports;
    const own = [...this.#reservations].filter((one) => one.tenant === tenant && one.creates);
    const arriving = own.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
    await quota.requirePossible(tenant, arriving + bytes, database);
  }

  #requireDisk(room: Awaited<ReturnType<typeof diskRoom>>, bytes: number): void {
    const reserved = [...this.#reservations].reduce((sum, reservation) => sum + reservation.outstandingBytes, 0);
    if (room === null || room.freeBytes - reserved - bytes >= room.neededBytes) return;
    const message = 'The disk has no space for another export. Try again later.';
    throw new ExportError('unavailable', 'disk.full', message);
  }
}

/** What a reservation calls. */
interface ReservationHooks {
  leave(): void;
  requireRoom(): Promise<void>;
}

/** The reservation of an admitted request. */
class Reservation implements Admitted {
  readonly known: boolean;
  readonly tenant: string;
  readonly creates: boolean;
  /** The length of the body: as announced, or as arrived. */
  bodyBytes: number;
  /** Announced bytes that have not arrived. */
  outstandingBytes: number;
  readonly #isAnnounced: boolean;
  readonly #hooks: ReservationHooks;
  #uncheckedBytes = 0;

  constructor({ tenant, bytes, creates }: Announcement, known: boolean, hooks: ReservationHooks) {
    this.tenant = tenant;
    this.known = known;
    this.creates = creates && !known;
    this.bodyBytes = bytes ?? 0;
    // The content of a known key is not kept.
    this.outstandingBytes = known ? 0 : (bytes ?? 0);
    this.#isAnnounced = known || bytes !== null;
    this.#hooks = hooks;
  }

  async arrived(bytes: number): Promise<void> {
    this.outstandingBytes = Math.max(0, this.outstandingBytes - bytes);
    if (this.#isAnnounced) return;
    this.bodyBytes += bytes;
    this.#uncheckedBytes += bytes;
    if (this.#uncheckedBytes < UNANNOUNCED_STEP_BYTES) return;
    this.#uncheckedBytes = 0;
    await this.#hooks.requireRoom();
  }

  [Symbol.dispose](): void {
    this.#hooks.leave();
  }
}
