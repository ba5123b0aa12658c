import { type ExportFailure, type ExportView, isFinal, type OutputView } from '../../exports/api/export-view.ts';

/** The address of an export, which is the prefix of all its other addresses. */
export function exportPath(id: string): string {
  return `/video/exports/${id}`;
}

export function downloadPath(id: string, preset: string): string {
  return `${exportPath(id)}/download/${preset}`;
}

/** The address of a short. (C52) */
export function shortPath(id: string, number: number): string {
  return `${exportPath(id)}/shorts/${number}`;
}

/** The address of an output's playlist. (C49) */
function hlsPath(id: string, preset: string): string {
  return `${exportPath(id)}/hls/${preset}/index.m3u8`;
}

/**
 * An export as JSON. (C10)
 * The first five keys are those of the original API; all others are additions that an older client ignores.
 */
export function exportMetadata(view: ExportView) {
  const { id, settings, failure } = view;
  const downloads = Object.fromEntries(view.outputs.map(({ preset }) => [preset, downloadPath(id, preset)]));
  return {
    ok: view.state !== 'failed' && view.state !== 'cancelled',
    export_id: id,
    download_url: downloads[settings.preset]!,
    downloads,
    settings: settingsMetadata(settings),
    external_id: view.externalId,
    title: view.title,
    state: view.state,
    ...fetchingOf(view),
    progress: rounded(view.progress),
    duration: view.durationSeconds,
    outputs: Object.fromEntries(view.outputs.map((output) => [output.preset, outputMetadata(output)])),
    shorts: view.shorts.map((short) => ({
      number: short.number,
      title: short.title,
      download_url: shortPath(id, short.number),
      start: short.startSeconds,
      duration: short.durationSeconds,
      ...outputMetadata(short),
    })),
    hls: Object.fromEntries(view.outputs.map(({ preset }) => [preset, hlsPath(id, preset)])),
    warnings: view.warnings,
    ...errorOf(failure),
    created_at: new Date(view.createdAtMs).toISOString(),
    expires_at: view.expiresAtMs === null ? null : new Date(view.expiresAtMs).toISOString(),
    links: {
      self: exportPath(id),
      events: `${exportPath(id)}/events`,
      poster: `${exportPath(id)}/poster`,
      chapters: `${exportPath(id)}/chapters`,
      captions: `${exportPath(id)}/captions.vtt`,
      captions_srt: `${exportPath(id)}/captions.srt`,
      page: exportPath(id),
    },
  };
}

/** The final state of a removed export: `cancelled` if it was unfinished, else `expired`. (C29, C35) */
export function removedMetadata(view: ExportView) {
  const metadata = exportMetadata(view);
  const removed = <T extends { readonly state: OutputView['state'] }>(one: T) => {
    return { ...one, state: isFinal(one.state) ? ('expired' as const) : ('cancelled' as const) };
  };
  return {
    ...removed(metadata),
    ok: false,
    outputs: Object.fromEntries(Object.entries(metadata.outputs).map(([preset, output]) => [preset, removed(output)])),
    shorts: metadata.shorts.map(removed),
  };
}

function outputMetadata(output: OutputView) {
  const { state, progress, width, height, bytes, sha256, failure, destination } = output;
  const shown = { state, progress: rounded(progress), width, height, bytes, sha256 };
  return { ...shown, ...errorOf(failure), ...destinationOf(destination) };
}

/** The state of sending an output, without its address. (C69) */
function destinationOf(destination: OutputView['destination']) {
  if (destination === null) return {};
  const { state, attempts, error } = destination;
  return { destination: { state, attempts, ...errorOf(error) } };
}

/** The progress before the render. (C66) */
function fetchingOf({ fetching }: ExportView) {
  if (fetching === null) return {};
  const { files, filesDone, bytesDone } = fetching;
  return { phase: 'fetching' as const, fetching: { files, fetched: filesDone, bytes: bytesDone } };
}

/** Why an export, or one of its outputs, failed. (C34) */
function errorOf(failure: ExportFailure | null) {
  return failure === null ? {} : { error: { code: failure.code, detail: failure.message, errors: failure.issues } };
}

export type ExportMetadata = ReturnType<typeof exportMetadata>;

/** The resolved settings. (C10) */
export function settingsMetadata(settings: ExportView['settings']) {
  return {
    preset: settings.preset,
    width: settings.width,
    height: settings.height,
    fps: settings.fps,
    quality: settings.quality,
    encoder_preset: settings.encoderPreset,
    audio_bitrate: settings.audioBitrateKbps,
    file_name: settings.fileName,
  };
}

/** Four digits are a frame in five minutes, and 1 is reached only at the end. */
function rounded(progress: number): number {
  return progress >= 1 ? 1 : Math.floor(progress * 10_000) / 10_000;
}
