import { CAPTION_MODEL_NAMES } from '../../speech/models/caption-models.ts';
import type { CommandSpec, OperandSpec, OptionSpec } from './command-spec.ts';

const project = { name: 'PROJECT.json', takes: { files: ['json'] }, required: true } as const satisfies OperandSpec;
const preset = { value: 'NAME', takes: 'preset', does: "the shape; else the project's own" } as const;
const mediaUrl = {
  value: 'FIELD=URL',
  takes: 'other',
  many: true,
  does: 'a file of the project by its public HTTPS address, fetched for this command',
} as const satisfies OptionSpec;
const facts = {
  value: 'FACTS.json',
  takes: { files: ['json'] },
  does: 'media facts from a file instead of the media; nothing is fetched then',
} as const satisfies OptionSpec;
const json = { does: 'for programs: JSON instead of text' } as const;
const at = { value: 'SECONDS', takes: 'other', does: 'the time in the video' } as const;

/** Where a picture goes, and which kinds there are. */
function picture<const E extends readonly string[]>(...endings: E) {
  const does = `the picture to write: ${endings.map((ending) => `.${ending}`).join(', ')}`;
  return { short: 'o', value: 'FILE', takes: { files: endings }, required: true, does } as const;
}

const video = {
  short: 'o',
  value: 'OUT.mp4',
  takes: { files: ['mp4'] },
  required: true,
  does: 'the video to write; what is there already is replaced once the new one is whole',
} as const satisfies OptionSpec;

/** Every command, in the order in which help lists them. */
export const COMMANDS = {
  serve: {
    does: 'run the service',
    more: 'All its settings are variables of the environment; "tiercut config" lists them. Ctrl-C ends it in order.',
    options: { 'no-render': { does: 'only answer; others render ("tiercut work"), and share PostgreSQL and files' } },
    examples: [
      ['serve', 'on http://127.0.0.1:8080, with its files in ./data'],
      ['config', 'what can be set'],
    ],
  },
  work: {
    does: 'render what serving nodes take in',
    more:
      'One node of several: TIERCUT_DATABASE_URL names the PostgreSQL, and TIERCUT_BLOBS_URL the files, that all of them share. ' +
      'Ctrl-C gives back what is being rendered, and ends it.',
    options: {},
    examples: [['work', 'as many at once as the machine has cores for']],
  },
  migrate: {
    does: 'make the tables in PostgreSQL that nodes need',
    more: 'Once, before the first node starts. A database with the tables of another release is refused.',
    options: {},
    examples: [['migrate', '']],
  },
  render: {
    does: 'make the video',
    more:
      'A project is a JSON file: { "tier_list", "timeline_data", "settings", "media": { "<file_field>": "path" } }, with paths ' +
      'relative to it. A path may also be a public HTTPS address; TIERCUT_PRIVATE_ADDRESSES=on allows others.',
    operand: project,
    options: {
      out: video,
      preset: {
        value: 'NAME',
        takes: 'preset or all',
        does: 'the shape, or "all" for a file of each: OUT-<preset>.mp4',
      },
      shorts: { does: 'a short portrait video of every reveal instead of the whole: OUT-short-<n>.mp4' },
      'media-url': mediaUrl,
      json: { does: 'for programs: an event a line, as JSON' },
    },
    examples: [
      ['render project.json -o out.mp4', ''],
      ['render project.json -o out.mp4 --preset all', 'out-preset_one.mp4 and so on'],
      ['render project.json -o out.mp4 --shorts', 'out-short-1.mp4 and so on'],
    ],
  },
  watch: {
    does: 'make the video anew whenever the project or its media change',
    more:
      'Renders only what looks different; the rest is kept on disk from one time to the next. What is wrong with the project is ' +
      'told, and the next change waited for. Ctrl-C ends it.',
    operand: project,
    options: {
      out: video,
      preset,
      cache: {
        value: 'FOLDER',
        takes: 'folder',
        does: 'where rendered pieces are kept; else .tiercut-cache beside the project. Up to TIERCUT_CHUNK_CACHE bytes',
      },
      'media-url': mediaUrl,
    },
    examples: [['watch project.json -o out.mp4', 'beside an editor, and a player that shows out.mp4']],
  },
  frame: {
    does: 'make one frame of it',
    operand: project,
    options: {
      at: { ...at, required: true },
      out: picture('png', 'jpg', 'jpeg', 'webp'),
      preset,
      'media-url': mediaUrl,
    },
    examples: [['frame project.json --at 12.5 -o frame.png', 'exactly as the video will have it']],
  },
  board: {
    does: 'make a picture of the board alone',
    operand: project,
    options: {
      out: { ...picture('png', 'jpg', 'jpeg', 'webp'), formerly: 'output' },
      at: { ...at, does: 'the time in the video; else its end' },
      preset,
      facts,
      'media-url': mediaUrl,
    },
    examples: [['board project.json -o board.png', 'the finished board, with its transparency']],
  },
  plan: {
    does: 'print what will be rendered',
    operand: project,
    options: {
      preset,
      facts,
      'media-url': mediaUrl,
      json,
    },
    examples: [
      ['plan project.json --preset portrait', 'frame by frame, as text'],
      ['plan project.json --media-url clip=https://example.com/clip.mp4', ''],
    ],
  },
  probe: {
    does: 'tell what is in a media file',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: { json },
    examples: [['probe clip.mp4', '']],
  },
  pauses: {
    does: 'find the pauses in speech',
    more: 'Prints start and end of each in seconds.',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: {
      'min-pause': { value: 'SECONDS', takes: 'other', does: 'shorter silence is left alone; 0.4 if absent' },
      padding: { value: 'SECONDS', takes: 'other', does: 'what stays of the silence beside speech; 0.1 if absent' },
      json,
    },
    examples: [['pauses voice.mp4 --min-pause 0.6', '']],
  },
  captions: {
    does: 'write down what is said, with the time of each word',
    more: 'FILE "install" installs a speech model (English): base, which makes fewer errors, or tiny, which is faster.',
    operand: { name: 'FILE', takes: { files: [] }, required: true },
    options: {
      out: {
        short: 'o',
        value: 'FILE',
        takes: { files: ['vtt', 'srt', 'json'] },
        does: 'where to; else WebVTT is printed',
      },
      model: {
        value: 'NAME',
        takes: CAPTION_MODEL_NAMES,
        does: 'base or tiny; else the best one installed, or base to install',
      },
      missing: { does: 'install only what is not installed' },
      service: { does: 'have a running service do it (TIERCUT_URL, TIERCUT_KEY)' },
      language: { value: 'CODE', takes: 'other', does: 'the language for --service, such as en; auto if absent' },
      json,
    },
    examples: [
      ['captions install', 'once'],
      ['captions voice.mp4 -o voice.vtt', ''],
    ],
  },
  projects: {
    does: 'list, read and save projects of a service',
    more:
      'TIERCUT_URL says where the service is, TIERCUT_KEY is an API key if it asks for one. "put" uploads the files of "media" and stores ' +
      'references to them; without --id it makes a new project.',
    operand: {
      name: 'ACTION',
      takes: ['list', 'get', 'put', 'delete', 'revisions', 'share', 'links', 'revoke'],
      required: true,
    },
    options: {
      id: { value: 'UUID', takes: 'other', does: 'the project' },
      file: { value: 'FILE', takes: { files: ['json'] }, does: 'the project file that put reads and get writes' },
      revision: { value: 'N', takes: 'other', does: 'for get: an earlier revision' },
      'if-match': { value: 'ETAG', takes: 'other', does: 'for put: the revision that you overwrite' },
      link: { value: 'ID', takes: 'other', does: 'for revoke: the link' },
      json,
    },
    examples: [
      ['projects list', ''],
      ['projects put --file project.json', 'prints id, revision and ETag'],
      ['projects share --id 3f2b8c1e-7a40-4d0e-9c55-0b1d2e3f4a5b', 'prints an address that reads it without a key'],
    ],
  },
  usage: {
    does: 'show what was used of a service, by day',
    more:
      'TIERCUT_URL says where the service is, TIERCUT_KEY is an API key if it asks for one. Days are UTC; the last 30 if none are given, at ' +
      'most 92.',
    options: {
      from: { value: 'DAY', takes: 'other', does: 'the first day, such as 2026-01-01' },
      to: { value: 'DAY', takes: 'other', does: 'the last day; today if absent' },
      json,
    },
    examples: [
      ['usage', ''],
      ['usage --from 2026-01-01 --to 2026-01-31 --json', 'a line of JSON for each day'],
    ],
  },
  mcp: {
    does: 'serve agents over stdin and stdout (Model Context Protocol)',
    more: 'The tools validate, frame, render, follow and list use the service that TIERCUT_URL names, with the key TIERCUT_KEY.',
    options: {},
    examples: [['mcp', 'to be started by an agent']],
  },
  doctor: {
    does: 'tell what this machine offers',
    more: 'Exit code 1 where something is missing.',
    options: { json },
    examples: [['doctor', '']],
  },
  config: {
    does: 'list every variable',
    more: 'A star marks what is not the default.',
    options: { json },
    examples: [['config', '']],
  },
  completion: {
    does: 'print what makes a shell complete commands',
    operand: { name: 'SHELL', takes: ['bash', 'zsh', 'fish'], required: true },
    options: {},
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/tiercut', ''],
      ['completion zsh > ~/.zsh/completions/_tiercut', 'or any other folder of $fpath'],
      ['completion fish > ~/.config/fish/completions/tiercut.fish', ''],
    ],
  },
  help: {
    does: 'tell how a command is called',
    operand: { name: 'COMMAND', takes: 'command', required: false },
    options: {},
    examples: [['help render', '']],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof COMMANDS;

/** What any command takes. */
export const COMMON_OPTIONS = {
  help: { short: 'h', does: 'tell how the command is called' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
