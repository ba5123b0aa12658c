import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { LISTED_FONTS, webFonts } from '../../../paint/fonts/web-fonts.ts';
import { WORD_FILES } from '../../../paint/fonts/word-files.ts';
import { type CaptionModelName, MODEL_FILES } from '../../../speech/models/caption-models.ts';
import { STUDIO_POLICY } from '../../server/cross-origin.ts';
import { DocsSite } from '../docs/docs-site.ts';
import { type Html, html } from '../html.ts';
import { loadStudio, type StudioHost, type StudioSpeech, studioText } from '../studio-page.ts';

/** Pictures and styles of all pages. */
const PAGES = join(import.meta.dirname, '..');

const SPEECH = join(PAGES, '..', '..', 'speech');
/** Licenses by the name of what is under them, besides those that came with the model: packages do not have them. */
const SPEECH_LICENSES: Readonly<Record<string, string>> = {
  'LICENSE-onnxruntime-web': join(SPEECH, 'models', 'LICENSE-onnxruntime-web'),
  'LICENSE-silero-vad': join(SPEECH, 'LICENSE'),
};

/** A file of a static studio: its path in the folder, and its bytes or the file to copy. */
export interface StaticFile {
  readonly path: string;
  readonly content: string | Uint8Array | { readonly copyOf: string };
}

/** A speech model that is installed on this machine. */
export interface InstalledSpeech {
  readonly name: CaptionModelName;
  readonly folder: string;
}

/** The pages of the documentation that are about the studio, by their address. */
const HELP: Readonly<Record<string, string>> = {
  '/docs/start/studio': 'studio',
  '/docs/guides/static-studio': 'static-studio',
  '/docs/guides/take': 'take',
  '/docs/guides/captions': 'captions',
  '/docs/guides/weekly': 'weekly',
  '/docs/guides/facecam': 'facecam',
  '/docs/guides/themes': 'themes',
  '/docs/guides/shorts': 'shorts',
  '/docs/guides/publish': 'publish',
};

/**
 * The policy of the service's page, as far as a page can set it itself: `frame-ancestors` must be a header. Its workers
 * have none, because a worker takes its policy from the headers of its program.
 */
const POLICY = STUDIO_POLICY.split('; ')
  .filter((rule) => !rule.startsWith('frame-ancestors'))
  .join('; ');

/**
 * The studio as files for any static host: the page, its programs, the fonts of videos and help. Addresses are relative, so any
 * folder of a host can have them. All files but the pages never change under their name. (C97)
 */
export async function staticStudio(
  { presets, limits }: Pick<StudioHost, 'presets' | 'limits'>,
  model: InstalledSpeech | null,
): Promise<StaticFile[]> {
  const studio = await loadStudio();
  const programs = [...studio.files].map(([name, { bytes }]) => ({ path: `studio/${name}`, content: bytes }));
  const samples = LISTED_FONTS.map(({ sample }) => ({
    path: `font-samples/${sample}`,
    content: { copyOf: join(PAGES, 'font-samples', sample) },
  }));
  const words = await Promise.all(
    [...WORD_FILES].map(async ([script, file]) => ({
      path: `words/${script}`,
      content: gunzipSync(await readFile(file)),
    })),
  );
  const fonts = await webFonts();
  const list = fonts.map(({ family, name, bytes, coverage }) => ({ family, url: `../fonts/${name}`, bytes, coverage }));
  const pictures = ['icon.svg', 'style.css'].map((name) => ({
    path: name,
    content: { copyOf: join(PAGES, name) },
  }));
  const assets: StaticFile[] = [
    ...[...programs, ...samples, ...words, ...pictures],
    { path: 'fonts.json', content: JSON.stringify({ fonts: list }) },
  ];
  const folder = `assets-${await hashOf(assets)}/`;
  const speech = model && (await speechFiles(model));
  const host: StudioHost = {
    ...{ presets, limits },
    ...{ assets: folder, home: './' },
    docs: { studio: 'help/studio.html', captions: 'help/captions.html', check: 'check.html' },
    service: null,
    speech: speech?.model ?? null,
    head: html`<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
`,
    without: html`It works in this browser alone.`,
  };
  return [
    { path: 'index.html', content: studioText(host, studio) },
    { path: 'check.html', content: studioText(host, studio, 'check') },
    ...helpPages(`../${folder}`),
    ...assets.map(({ path, content }) => ({ path: folder + path, content })),
    // A new release of the page keeps them, so browsers do not fetch them again.
    ...fonts.map(({ name, path }) => ({ path: `fonts/${name}`, content: { copyOf: path } })),
    ...(speech?.copies ?? []),
  ];
}

/** The files of a model, named by their content. Programs end in `.js`, whose type every host knows. */
async function speechFiles({ name, folder }: InstalledSpeech) {
  const copies: StaticFile[] = [];
  const files: Record<string, string> = {};
  let bytes = 0;
  for (const [part, file] of Object.entries(MODEL_FILES)) {
    const content = await readFile(join(folder, file));
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const path = `captions/${part}.${hash}${extname(file).replace('.mjs', '.js')}`;
    files[part] = path;
    bytes += content.length;
    copies.push({ path, content: { copyOf: join(folder, file) } });
  }
  const ofModel = (await readdir(folder)).filter((each) => each.startsWith('LICENSE'));
  const licenses = { ...Object.fromEntries(ofModel.map((file) => [file, join(folder, file)])), ...SPEECH_LICENSES };
  for (const [file, copyOf] of Object.entries(licenses))
    copies.push({ path: `captions/${file}.txt`, content: { copyOf } });
  return { copies, model: { name, bytes, files: files as StudioSpeech['files'] } };
}

/** Of paths and bytes: a name that a later release cannot have with other content. */
async function hashOf(files: readonly StaticFile[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, content } of files) {
    const bytes = typeof content === 'object' && 'copyOf' in content ? await readFile(content.copyOf) : content;
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param assets their folder, as an address. */
function helpPages(assets: string): StaticFile[] {
  const site = new DocsSite();
  const pictures = new Map<string, string>();
  const pages = Object.entries(HELP).map(([address, name]): StaticFile => {
    const { title, body } = site.article(address)!;
    const here = linkedHere(body.text, (picture) => {
      const file = site.picture(picture)?.file;
      if (file !== undefined) pictures.set(basename(picture), file);
      return basename(picture);
    });
    return { path: `help/${name}.html`, content: helpPage(assets, title, here) };
  });
  const copies = [...pictures].map(([name, copyOf]) => ({ path: `help/${name}`, content: { copyOf } }));
  return [...pages, ...copies];
}

/** Links and pictures of the documentation as those of this folder. A link to a page that is not here becomes its words. */
function linkedHere(text: string, picture: (address: string) => string): string {
  // A link contains no other.
  let isDropped = false;
  return text
    .replaceAll(/<a href="([^"]*)">|<\/a>/g, (tag, link: string | undefined) => {
      if (link === undefined) {
        const end = isDropped ? '' : tag;
        isDropped = false;
        return end;
      }
      if (!link.startsWith('/docs')) return tag;
      const [address, ...anchor] = link.split(/(?=#)/);
      const file = HELP[address!];
      isDropped = file === undefined;
      return isDropped ? '' : `<a href="${file}.html${anchor.join('')}">`;
    })
    .replaceAll(/ src="(\/docs[^"]*)"/g, (_, address: string) => ` src="${picture(address)}"`);
}

function helpPage(assets: string, title: string, body: string): string {
  const article: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} – Tiercut</title>
<link rel="stylesheet" href="${assets}style.css">
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
</head>
<body>
<header><a class="brand" href="../"><img src="${assets}icon.svg" alt="" width="28" height="28">Tiercut</a></header>
<main id="main"><article>`;
  return `${article.text}${body}</article></main>
</body>
</html>
`;
}
