import { DEFAULT_TIMELINE_LIMITS } from '../../timeline/limits.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { HLS_SCRIPT_PATH } from './hls-script.ts';
import { html } from './html.ts';
import { STUDIO_ASSETS, type StudioFiles } from './studio-files.ts';

/**
 * The studio's page: a root, its script and its style, and its configuration in attributes.
 *
 * @param captionLanguages those of the installed speech models. (C77)
 */
export function studioPage(
  { presets, limits, shownLimits, apiKeys }: HttpConfig,
  captionLanguages: readonly string[],
  { entries }: StudioFiles,
): string {
  const assets = Object.fromEntries(
    Object.entries(entries)
      .filter(([name, file]) => file.endsWith('.js') || name === 'late')
      .map(([name, file]) => [name, `${STUDIO_ASSETS}/${file}`]),
  );
  // Anyone can read what a page contains: these fields and no others.
  const shown = Object.fromEntries(
    Object.keys(DEFAULT_TIMELINE_LIMITS).map((name) => [name, limits[name as 'maxItems']]),
  );
  const config = {
    presets,
    limits: shown,
    fileLimits: { maxFileBytes: limits.maxFileBytes, maxImageFileBytes: limits.maxImageFileBytes },
    needsKey: apiKeys.length > 0,
    drafts: shownLimits.max_drafts !== 0,
    captionLanguages,
    hls: HLS_SCRIPT_PATH,
    watch: '/assets/watch.js',
  };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<title>Tiercut Studio</title>
<link rel="stylesheet" href="${STUDIO_ASSETS}/${entries.studio}">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<script src="${assets.main}" type="module"></script>
</head>
<body>
<div id="studio" data-assets="${JSON.stringify(assets)}" data-config="${JSON.stringify(config)}">
<noscript><p>The studio needs JavaScript. Without it, <a href="/docs">the API</a> makes videos from JSON and files.</p></noscript>
</div>
</body>
</html>
`.text;
}
