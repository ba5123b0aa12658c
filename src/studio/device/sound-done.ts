import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import type { DeviceFault } from '../export/device-messages.ts';

/** From `device-sound-worker` to `device-worker`. */
export type SoundDone = { readonly sound: PacketIndex<Blob> } | { readonly fault: DeviceFault };
