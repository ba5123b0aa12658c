/** Enough for what SQLite writes while exports are deleted: its log has 4 MiB before it starts over. */
export const RESERVE_BYTES = 8 * 2 ** 20;

/** Room on the disk of the records that is kept back, so that a full disk can still be emptied. (H27) */
export interface RoomReserve {
  /** What is not kept back now. */
  readonly missingBytes: number;
  /** Leaves the room to the disk. */
  giveUp(): Promise<void>;
  /** Keeps the room back again. Does nothing where less than as much again would stay free. */
  takeBack(): Promise<void>;
}
