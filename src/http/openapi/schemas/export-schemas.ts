import { LONGEST_EXTERNAL_ID } from '../../../exports/api/submission.ts';
import { type JsonSchema, reference } from '../replies.ts';
import { exportId, object, ok, type PerPreset, path, share, text, warnings } from './schema-parts.ts';

/** An export, and the result of validating a request. */
export function exportSchemas(names: readonly string[], perPreset: PerPreset): Record<string, JsonSchema> {
  return {
    ResolvedSettings: object({
      preset: { type: 'string', enum: names, description: 'The selected preset.' },
      width: { type: 'integer', description: 'Of the selected preset, in pixels.' },
      height: { type: 'integer', description: 'Of the selected preset, in pixels.' },
      fps: { type: 'number', description: 'Frames a second.' },
      quality: { ...text, description: 'As in `Settings`.' },
      encoder_preset: { ...text, description: 'The preset of x264.' },
      audio_bitrate: { type: 'number', description: 'In kbit/s.' },
      file_name: { ...text, description: 'The file name of the selected preset.' },
    }),
    Export: object(
      {
        ok: { type: 'boolean', description: '`false` if the export has failed or was deleted.' },
        export_id: exportId,
        download_url: { ...path, description: 'The entry of `downloads` for the selected preset.' },
        downloads: { ...perPreset(path), description: 'The address of each video. A download waits for the render.' },
        settings: reference('ResolvedSettings'),
        external_id: {
          type: ['string', 'null'],
          maxLength: LONGEST_EXTERNAL_ID,
          description: 'Your id of the export, from the request.',
        },
        title: { type: 'string', description: 'The title of the tier list.' },
        state: reference('ExportState'),
        phase: {
          const: 'fetching',
          description: 'While files are fetched from `media_urls`; absent otherwise.',
        },
        fetching: {
          ...object({
            files: { type: 'integer', description: 'Number of files to fetch.' },
            fetched: { type: 'integer', description: 'Number of fetched files.' },
            bytes: { type: 'integer', description: 'Number of fetched bytes.' },
          }),
          description: 'Present together with `phase`.',
        },
        progress: share,
        duration: { type: ['number', 'null'], description: 'Seconds; null while files are fetched.' },
        outputs: { ...perPreset(reference('Output')), description: 'The state of each preset.' },
        shorts: {
          type: 'array',
          items: reference('Short'),
          description: 'In the order of their reveals; none without `settings.shorts`.',
        },
        hls: { ...perPreset(path), description: 'Where to watch each output while it renders.' },
        warnings,
        error: reference('Failure'),
        created_at: { type: 'string', format: 'date-time', description: 'When the service accepted the export.' },
        expires_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When the service deletes the export; null until it ends.',
        },
        links: {
          ...object({
            self: { ...path, description: 'This metadata.' },
            events: { ...path, description: 'State and progress as Server-Sent Events.' },
            poster: { ...path, description: 'A JPEG of the finished board.' },
            chapters: { ...path, description: 'The reveals as chapters, one on each line.' },
            captions: { ...path, description: 'All subtitles as WebVTT.' },
            captions_srt: { ...path, description: 'All subtitles as SubRip.' },
            page: { ...path, description: 'A page that plays the video, for browsers.' },
          }),
          description: 'The other addresses of the export.',
        },
      },
      [
        ...['ok', 'export_id', 'download_url', 'downloads', 'settings', 'external_id', 'title', 'state', 'progress'],
        ...['duration', 'outputs', 'shorts', 'hls', 'warnings', 'created_at', 'expires_at', 'links'],
      ],
    ),
    UnreadyOutput: {
      anyOf: [reference('Export'), object({ ok, state: reference('ExportState'), progress: share })],
      description: 'The metadata, with a key of the tenant; the progress without.',
    },
    ProgressEvent: {
      ...object({
        export_id: exportId,
        state: reference('ExportState'),
        progress: share,
        outputs: { ...perPreset(reference('Output')), description: 'The state of each preset.' },
        shorts: { type: 'array', items: reference('Short'), description: 'The state of each short.' },
      }),
      description: 'The fields of `Export` that change while it renders.',
    },
    ExportList: object({
      ok,
      exports: { type: 'array', items: reference('Export'), description: 'Newest first.' },
      next: { type: ['string', 'null'], description: 'The `cursor` of the next page; null if there is none.' },
      warnings,
    }),
    Validation: object({
      ok,
      settings: reference('ResolvedSettings'),
      duration: {
        type: ['number', 'null'],
        description: 'Length in seconds; null if it depends on a file that was not sent.',
      },
      warnings,
      timeline_data: {
        anyOf: [reference('TimelineData'), { type: 'null' }],
        description: 'The timeline with what `auto` adds to it; null without `auto`.',
      },
      plan: {
        type: ['string', 'null'],
        description: 'What would be rendered, as text; null if a length depends on a file that was not sent.',
      },
      plan_json: {
        type: ['object', 'null'],
        description: 'The same plan as JSON, for tools. Its structure can change.',
      },
      unchecked: {
        type: 'array',
        items: text,
        description: 'The form fields of files that the request names but does not send.',
      },
    }),
  };
}
