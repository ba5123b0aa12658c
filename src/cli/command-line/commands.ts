import { CAPTION_MODEL_NAMES } from '../../speech/models/caption-models.ts';
import { ORIENTATIONS, THUMBNAIL_STYLES } from '../../timeline/choices.ts';
import type { CommandSpec, OperandSpec, OptionSpec } from './command-spec.ts';

const project = { name: 'PROJECT.json', takes: { files: ['json'] }, required: true } as const satisfies OperandSpec;
const preset = { value: 'NAME', takes: 'preset', does: 'the preset; default: the preset of the project' } as const;
const mediaUrl = {
  value: 'FIELD=URL',
  takes: 'other',
  many: true,
  does: 'public HTTPS address of a media file of the project',
} as const satisfies OptionSpec;
const values = {
  value: 'VALUES',
  takes: { files: ['json'] },
  does: 'values of the fields of a template: a JSON file, or JSON such as \'{"week": 12}\'',
} as const satisfies OptionSpec;
const facts = {
  value: 'FACTS.json',
  takes: { files: ['json'] },
  does: 'read media facts from a file instead of the media; fetches nothing',
} as const satisfies OptionSpec;
const json = { does: 'print JSON' } as const;
const at = { value: 'SECONDS', takes: 'other', does: 'time in the video' } as const;

/** The output file of a picture, and its formats. */
function picture<const E extends readonly string[]>(...endings: E) {
  const does = `the picture to write: ${endings.map((ending) => `.${ending}`).join(', ')}`;
  return { short: 'o', value: 'FILE', takes: { files: endings }, required: true, does } as const;
}

const video = {
  short: 'o',
  value: 'OUT.mp4',
  takes: { files: ['mp4'] },
  required: true,
  does: 'the video to write; replaces an existing file when the render is complete',
} as const satisfies OptionSpec;

/** Every command, in the order of the help. */
export const COMMANDS = {
  serve: {
    does: 'run the service',
    more: 'Environment variables configure it; "tiercut config" lists them. Ctrl-C stops it.',
    options: { 'no-render': { does: 'do not render; other nodes do ("tiercut work")' } },
    examples: [
      ['serve', 'on http://127.0.0.1:8080, with data in ./data'],
      ['config', 'lists the settings'],
    ],
  },
  work: {
    does: 'run a render node',
    more:
      'All nodes share the database TIERCUT_DATABASE_URL and the files TIERCUT_BLOBS_URL. ' +
      'Ctrl-C returns its jobs to the queue and stops it.',
    options: {},
    examples: [['work', 'as many renders as the cores allow']],
  },
  migrate: {
    does: 'bring the tables of the database to this release',
    more:
      'Creates the tables in PostgreSQL, or changes those of an older release while its nodes run. ' +
      'Run it before the first node of a release starts. On one machine the service does this when it starts.',
    options: {},
    examples: [['migrate', '']],
  },
  render: {
    does: 'render a project',
    more:
      'A project is a JSON file: { "tier_list", "timeline_data", "settings", "media": { "<file_field>": "path" } }, with paths ' +
      'relative to it. A path can also be a public HTTPS address, or "sha256:<digits>" of a file that the service at TIERCUT_URL stores; TIERCUT_PRIVATE_ADDRESSES=on allows other addresses.',
    operand: project,
    options: {
      out: video,
      preset: {
        value: 'NAME',
        takes: 'preset or all',
        does: 'the preset, or "all" to write OUT-<alias>.mp4 for each',
      },
      shorts: { does: 'write a short portrait video of every reveal instead: OUT-short-<n>.mp4' },
      values,
      'media-url': mediaUrl,
      strict: { does: 'treat warnings as errors: render nothing' },
      json: { does: 'print events as JSON Lines' },
    },
    examples: [
      ['render project.json -o out.mp4', ''],
      ['render project.json -o out.mp4 --preset all', 'out-landscape.mp4 and so on'],
      ['render project.json -o out.mp4 --shorts', 'out-short-1.mp4 and so on'],
      [`render template.json -o out.mp4 --values '{"week": 12}'`, 'with values for its fields'],
    ],
  },
  watch: {
    does: 'render a project again whenever it or its media change',
    more:
      'Renders only the chunks that changed and keeps the others on disk. Prints the errors of the project and waits for the next ' +
      'change. Ctrl-C stops it.',
    operand: project,
    options: {
      out: video,
      preset,
      cache: {
        value: 'FOLDER',
        takes: 'folder',
        does: 'folder for rendered chunks; default: .tiercut-cache beside the project. Limited by TIERCUT_CHUNK_CACHE',
      },
      'media-url': mediaUrl,
    },
    examples: [['watch project.json -o out.mp4', 'use it with an editor and a player']],
  },
  batch: {
    does: 'render a video of each row of a table',
    more:
      'The columns of the table are the fields of the project; lines with the same name in the column "video" are one video with ' +
      'several items. All rows are checked before the first is rendered. A run that was stopped continues where it was.',
    operand: project,
    second: { name: 'ROWS.csv', takes: { files: ['csv', 'tsv'] }, required: true },
    options: {
      out: {
        short: 'o',
        value: 'PATTERN',
        takes: 'other',
        required: true,
        does: "the path of each video, such as 'out/{{video}}.mp4'; {{row}} is the number of the row",
      },
      only: { value: 'ROWS', takes: 'other', does: 'only these rows, such as 3 or 2-5' },
      frame: { value: 'N', takes: 'other', does: 'write the frame with this number of each video, as a picture' },
      at: { ...at, does: 'the same with a time in seconds' },
      preset: {
        value: 'NAME',
        takes: 'preset or all',
        does: 'the preset, or "all" to write out/<video>-<alias>.mp4 for each; default: the preset of the project',
      },
      'media-url': {
        ...mediaUrl,
        does: 'public HTTPS address of a media file of the project, for rows without their own',
      },
      jobs: { value: 'N', takes: 'other', does: 'videos at a time; default: as many as the cores allow' },
      cache: {
        value: 'FOLDER',
        takes: 'folder',
        does: 'folder for rendered chunks; default: .tiercut-cache beside the project. Limited by TIERCUT_CHUNK_CACHE',
      },
      strict: { does: 'treat warnings as errors' },
      json: { does: 'print events as JSON Lines' },
    },
    examples: [
      ["batch project.json rows.csv -o 'out/{{video}}.mp4'", ''],
      ["batch project.json rows.csv -o 'out/{{video}}.png' --at 4", 'a picture of each row, in seconds'],
    ],
  },
  frame: {
    does: 'render one frame of a project',
    operand: project,
    options: {
      at: { ...at, required: true },
      out: picture('png', 'jpg', 'jpeg', 'webp'),
      preset,
      values,
      'media-url': mediaUrl,
    },
    examples: [['frame project.json --at 12.5 -o frame.png', 'the same frame as in the video']],
  },
  thumbnail: {
    does: 'draw a thumbnail of a project',
    more: '1280 × 720 or 720 × 1280, less than 2 MB, in the theme of the project.',
    operand: project,
    options: {
      out: picture('jpg', 'jpeg', 'png'),
      style: {
        value: 'STYLE',
        takes: THUMBNAIL_STYLES,
        does: 'question (three items, the default), versus (two), podium (the first three) or board (question marks)',
      },
      text: { value: 'TEXT', takes: 'other', does: 'the text; default: from the title. Empty: none' },
      items: { value: 'ID,ID', takes: 'other', does: 'the ids of its items' },
      orientation: { value: 'NAME', takes: ORIENTATIONS, does: 'landscape or portrait; default: that of the project' },
      values,
      'media-url': mediaUrl,
    },
    examples: [
      ['thumbnail project.json -o thumbnail.jpg', ''],
      ['thumbnail project.json --style versus --text "Who wins?" -o thumbnail.png', ''],
    ],
  },
  publish: {
    does: 'print title, description and tags for a site where you publish the video',
    more: 'The description has the chapters. They fit the limits of YouTube. "tiercut thumbnail" draws the thumbnail.',
    operand: project,
    options: {
      captions: {
        value: 'FILE',
        takes: { files: ['srt', 'vtt'] },
        does: 'write the captions of the video to this file',
      },
      preset,
      values,
      facts,
      'media-url': mediaUrl,
      json,
    },
    examples: [
      ['publish project.json', ''],
      ['publish project.json --captions captions.srt --json', 'title, description, chapters and tags as JSON'],
    ],
  },
  board: {
    does: 'render the board of a project as a picture',
    operand: project,
    options: {
      out: { ...picture('png', 'jpg', 'jpeg', 'webp'), formerly: 'output' },
      at: { ...at, does: 'time in the video; default: its end' },
      preset,
      values,
      facts,
      'media-url': mediaUrl,
    },
    examples: [['board project.json -o board.png', 'the finished board, with transparency']],
  },
  plan: {
    does: 'print the plan of a project',
    operand: project,
    options: {
      preset,
      values,
      facts,
      'media-url': mediaUrl,
      json,
    },
    examples: [
      ['plan project.json --preset portrait', 'frame by frame, as text'],
      ['plan project.json --media-url clip=https://example.com/clip.mp4', ''],
    ],
  },
  studio: {
    does: 'write the studio as files for any static host',
    more:
      'The page needs no service: projects stay in the browser, which also renders the videos. Any web server can serve the folder, ' +
      'also below a path, such as GitHub Pages, S3 or nginx.',
    options: {
      static: { value: 'DIR', takes: 'folder', required: true, does: 'the folder to write' },
      captions: { does: 'add the installed speech model (tiny if it is installed), for captions in the browser' },
      force: { does: 'write into a folder that is not empty; replaces an earlier studio and keeps other files' },
    },
    examples: [
      ['studio --static site', 'then upload the folder site'],
      ['studio --static site --force', 'after an update'],
    ],
  },
  schema: {
    does: 'print the JSON Schema of a project',
    more: 'Editors complete and check a project whose "$schema" names the file.',
    options: {},
    examples: [['schema > project.schema.json', 'then "$schema": "./project.schema.json" in the project']],
  },
  probe: {
    does: 'print the contents of a media file',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: { json },
    examples: [['probe clip.mp4', '']],
  },
  pauses: {
    does: 'find the pauses in speech',
    more: 'Prints the start and end of each pause in seconds.',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: {
      'min-pause': { value: 'SECONDS', takes: 'other', does: 'shortest pause; default: 0.4' },
      padding: { value: 'SECONDS', takes: 'other', does: 'silence to keep beside speech; default: 0.1' },
      json,
    },
    examples: [['pauses voice.mp4 --min-pause 0.6', '']],
  },
  captions: {
    does: 'transcribe speech, with the time of each word',
    more:
      'FILE "install" installs the English speech model base; --model tiny is faster. ' +
      'TIERCUT_WHISPER_MODEL adds other languages.',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: {
      out: {
        short: 'o',
        value: 'FILE',
        takes: { files: ['vtt', 'srt', 'json'] },
        does: 'the file to write; default: prints WebVTT',
      },
      model: {
        value: 'NAME',
        takes: CAPTION_MODEL_NAMES,
        does: 'base or tiny; default: the best installed model, or base for install',
      },
      missing: { does: 'install only what is not installed' },
      service: { does: 'let a running service transcribe (TIERCUT_URL, TIERCUT_KEY)' },
      language: { value: 'CODE', takes: 'other', does: 'the language spoken, such as en; auto if absent' },
      json,
    },
    examples: [
      ['captions install', 'once'],
      ['captions voice.mp4 -o voice.vtt', ''],
    ],
  },
  projects: {
    does: 'list, read, save, export and import projects of a service',
    more:
      'TIERCUT_URL is the URL of the service, TIERCUT_KEY an API key if it needs one. "put" uploads the files of "media" and stores ' +
      'references to them; without --id it creates a project. "export" writes projects with their revisions and media to DIR, a ' +
      'folder each; "import" stores those of DIR, or of a .zip, on the service. Both can be repeated.',
    operand: {
      name: 'ACTION',
      takes: ['list', 'get', 'put', 'delete', 'revisions', 'share', 'links', 'revoke', 'export', 'import'],
      required: true,
    },
    second: { name: 'DIR', takes: 'folder', required: false },
    options: {
      id: { value: 'UUID', takes: 'other', does: 'the project' },
      file: { value: 'FILE', takes: { files: ['json'] }, does: 'the project file that put reads and get writes' },
      revision: { value: 'N', takes: 'other', does: 'for get: an earlier revision' },
      'if-match': { value: 'ETAG', takes: 'other', does: 'for put: the ETag of the revision to overwrite' },
      link: { value: 'ID', takes: 'other', does: 'for revoke: the link' },
      all: { does: 'for export and import: all tenants of TIERCUT_API_KEYS, each in a folder of its own in DIR' },
      json,
    },
    examples: [
      ['projects list', ''],
      ['projects put --file project.json', 'prints id, revision and ETag'],
      ['projects export backup', 'all your projects, with media and revisions'],
      ['projects import backup', 'on another service, or on this one'],
      ['projects share --id 3f2b8c1e-7a40-4d0e-9c55-0b1d2e3f4a5b', 'prints a URL that reads it without a key'],
    ],
  },
  usage: {
    does: 'print the usage of a service by day',
    more:
      'TIERCUT_URL is the URL of the service, TIERCUT_KEY an API key if it needs one. Days are UTC; default: the last 30 days, at ' +
      'most 92.',
    options: {
      from: { value: 'DAY', takes: 'other', does: 'the first day, such as 2026-01-01' },
      to: { value: 'DAY', takes: 'other', does: 'the last day; default: today' },
      json,
    },
    examples: [
      ['usage', ''],
      ['usage --from 2026-01-01 --to 2026-01-31 --json', 'a line of JSON for each day'],
    ],
  },
  mcp: {
    does: 'serve agents over stdin and stdout (Model Context Protocol)',
    more: 'The tools use the service that TIERCUT_URL names, with the key TIERCUT_KEY. They upload files only from the folder of the project file, from the working folder and from allowed folders, and save videos only to the latter two; a folder that contains the home folder must be allowed.',
    options: {
      allow: {
        value: 'DIR',
        takes: 'folder',
        many: true,
        does: 'agents may read and write below this folder; can be repeated',
      },
    },
    examples: [
      ['mcp', 'an agent starts it'],
      ['mcp --allow ~/videos', 'agents may also use the files in ~/videos'],
    ],
  },
  doctor: {
    does: 'check the machine and the configuration',
    more: 'Exits with 1 if something is missing.',
    options: { json },
    examples: [['doctor', '']],
  },
  config: {
    does: 'list every environment variable',
    more: 'A star marks values that differ from the default.',
    options: { json },
    examples: [['config', '']],
  },
  secret: {
    does: 'print a new secret for webhooks',
    more: 'For TIERCUT_WEBHOOK_SECRET or TIERCUT_WEBHOOK_SECRETS. It is 32 random bytes in the notation of Standard Webhooks.',
    options: {},
    examples: [['secret', 'whsec_…']],
  },
  completion: {
    does: 'print the completion script of a shell',
    operand: { name: 'SHELL', takes: ['bash', 'zsh', 'fish'], required: true },
    options: {},
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/tiercut', ''],
      ['completion zsh > ~/.zsh/completions/_tiercut', 'or another folder in $fpath'],
      ['completion fish > ~/.config/fish/completions/tiercut.fish', ''],
    ],
  },
  help: {
    does: 'print the help of a command',
    operand: { name: 'COMMAND', takes: 'command', required: false },
    options: {},
    examples: [['help render', '']],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof COMMANDS;

/** The options of all commands. */
export const COMMON_OPTIONS = {
  help: { short: 'h', does: 'print this help' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
