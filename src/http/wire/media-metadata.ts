import type { MediaView, ReceivedSoFar } from '../../exports/api/media-api.ts';

/** Content as clients see it. (C38) */
export function mediaMetadata({ sha256, bytes, description, expiresAtMs }: MediaView) {
  const { kind, container, durationSeconds, width, height, rate, variableRate, alpha, videoCodec, sound } = description;
  return {
    ok: true,
    media: sha256,
    bytes,
    facts: {
      kind,
      container,
      duration: durationSeconds,
      width,
      height,
      fps: rate === null ? null : Math.round((1000 * rate.num) / rate.den) / 1000,
      variable_fps: variableRate,
      alpha,
      codec: videoCodec,
      sound: sound && { codec: sound.codec, channels: sound.channels, sample_rate: sound.sampleRate },
      problems: description.problems,
    },
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  } as const;
}

/** An unfinished upload. */
export function unfinishedMetadata(sha256: string, { received, bytes }: ReceivedSoFar) {
  return { ok: true, media: sha256, bytes, received } as const;
}

/** The same as headers of any response. */
export function offsetHeaders({ received, bytes }: ReceivedSoFar): Readonly<Record<string, string>> {
  return { 'upload-offset': String(received), 'upload-length': String(bytes) };
}
