import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type ChannelLayout, Frame } from 'node-av/lib';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/** Left and right, in libav's terms. */
export const STEREO_LAYOUT: ChannelLayout = { nbChannels: 2, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x3n };

/** A frame of planar float with its own memory, owned by the caller, and that memory: for mono, twice the same. */
export function planarFrame(layout: ChannelLayout, rate: number, length: number): { frame: Frame; room: Stereo } {
  const frame = new Frame();
  frame.alloc();
  frame.format = AV_SAMPLE_FMT_FLTP;
  frame.channelLayout = layout;
  frame.sampleRate = rate;
  frame.nbSamples = length;
  mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
  const planes = frame.extendedData!.map((plane) => new Float32Array(plane.buffer, plane.byteOffset, length));
  return { frame, room: { left: planes[0]!, right: planes.at(-1)! } };
}

/** The same memory as libav takes it. */
export function channelBytes({ left, right }: Stereo): Buffer[] {
  return [left, right].map((side) => Buffer.from(side.buffer, side.byteOffset, side.byteLength));
}
