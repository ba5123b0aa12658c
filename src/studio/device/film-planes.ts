/** The planes of a picture in 4:2:0, eight bits, without gaps between rows. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}
