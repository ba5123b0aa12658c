/** Enough for the records of deletes: SQLite's log reaches 4 MiB before it starts over. */
export const RESERVE_BYTES = 8 * 2 ** 20;

/** Reserved space on the disk of the records, so that deletes work with 0 bytes free. (H27) */
export interface RoomReserve {
  /** How much of it is not reserved now. */
  readonly missingBytes: number;
  /** Whether the disk was full at the last `refill`. */
  readonly isFull: boolean;
  /** Runs work that frees space: on a full disk, only such work may write records. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Looks at the disk, and reserves what is missing if as much again stays free. */
  refill(): Promise<void>;
}
