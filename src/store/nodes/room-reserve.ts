/** Enough for SQLite's writes while exports are deleted: its log reaches 4 MiB before it starts over. */
export const RESERVE_BYTES = 8 * 2 ** 20;

/** Reserved space on the disk of the records, so that deletes work on a full disk. (H27) */
export interface RoomReserve {
  /** How much of it is not reserved now. */
  readonly missingBytes: number;
  /** Releases the space. */
  giveUp(): Promise<void>;
  /** Reserves the space again. Does nothing if less than the same amount would stay free. */
  takeBack(): Promise<void>;
}
