/** More than the database needs for the largest project until it has removed older copies. */
export const RESERVE_BYTES = 8 << 20;
