import { CodecContext, Dictionary } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { CODEC_WHITELIST, findDecoder } from '../input/find-decoder.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { InputFile } from '../input/open-input.ts';
import { libavCause, mustSucceed } from '../libav/libav-call.ts';

/**
 * Opens the decoder for a file's picture, which the caller then owns. It takes no picture larger than the limits and no
 * codec we did not name, whatever the stream asks for later on.
 *
 * @param threads decoding threads; 0 lets libav take one a core.
 * @throws `media.no_frames` where there is no picture, or none that can be decoded.
 */
export async function openPictureCodec(input: InputFile, limits: MediaLimits, threads = 0): Promise<CodecContext> {
  const decoder = input.video === null ? null : findDecoder(input.video);
  if (input.video === null || decoder === null) {
    throw new ExportError('invalid', 'media.no_frames', 'The file has no picture that can be decoded.');
  }
  const codec = new CodecContext();
  codec.allocContext3(decoder);
  try {
    mustSucceed(codec.parametersToContext(input.video.codecpar), 'avcodec_parameters_to_context');
    codec.pktTimebase = input.video.timeBase;
    codec.threadCount = threads;
    const pixels = input.still || input.animation ? limits.imageMaxPixels : limits.maxWidth * limits.maxHeight;
    using options = Dictionary.fromObject({ codec_whitelist: CODEC_WHITELIST, max_pixels: pixels });
    const opened = await codec.open2(decoder, options);
    if (opened >= 0) return codec;
    throw new ExportError('invalid', 'media.no_frames', 'The file’s picture could not be decoded.', {
      cause: libavCause(opened, 'avcodec_open2'),
    });
  } catch (error) {
    codec.freeContext();
    throw error;
  }
}
