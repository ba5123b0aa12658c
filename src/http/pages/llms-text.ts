import type { HttpConfig } from '../server/http-config.ts';

/** `/llms.txt`: what an agent needs to know about the service, on one page. (C75, llmstxt.org) */
export function llmsText({ presets, apiKeys }: Pick<HttpConfig, 'presets' | 'apiKeys'>): string {
  const lines = presets.map(({ name, width, height, aliases }) => {
    return `- \`${[name, ...aliases].join('`, `')}\`: ${width}×${height}`;
  });
  const key =
    apiKeys.length === 0
      ? 'This deployment needs no API key.'
      : 'Send an API key as `Authorization: Bearer <key>` with every request.';
  return `# Tiercut

> Renders tier-list videos ("ranking every X from S to F"): a tier list, a timeline and media files become an MP4 in three presets.

${key} Errors are \`application/problem+json\`: \`code\` is stable, \`errors\` lists every fault with a JSON Pointer and what is allowed.

The shortest request is a form with two JSON fields and a file for each \`file_field\`. \`{"auto": {}}\` generates the timeline:

    curl -F 'tier_list={"title":"Snacks","rows":[{"id":"s","label":"S","item_ids":["chips"]}],"items":[{"id":"chips","name":"Chips","file_field":"chips"}]}' \\
      -F 'timeline_data={"auto":{}}' -F chips=@chips.png -H 'Prefer: respond-async' "$TIERCUT/video/exports"

\`$TIERCUT\` is the URL of this service. A request without files can be one JSON object with the same fields, with media in \`media_refs\` or \`media_urls\`.

1. \`POST /video/exports/validate\` takes the same form and returns errors or warnings. Files are optional.
2. \`POST /video/frames\` with \`at\` (seconds) returns one frame as a picture. Look at it before you render.
3. \`POST /video/exports\` with \`Prefer: respond-async\` returns \`202\` and \`links.self\`.
4. \`GET <links.self>\` with \`Prefer: wait=60\` returns when the state changes. \`completed\` and \`failed\` are final.
5. \`GET <links.self>/download/<preset>\` returns the MP4.

\`POST /video/captions\` transcribes the speech of a file or of the voice in a video, with the time of each word, for \`subtitles\` with \`words\`. \`GET /video/captions/languages\` lists the languages.

Send media once with \`PUT /media/<sha256>\`, and refer to them in the form field \`media_refs\`. To have a finished video sent to an object store, name a pre-signed address in \`destinations\`: \`{"landscape": "https://…"}\`.

## Presets

${lines.join('\n')}

## Reference

- [OpenAPI](/openapi.json): every request, field, default and response
- [Documentation](/docs): guides and reference
- [Error codes](/docs/errors): every code and what to do about it
- [Limits](/limits): sizes and counts of this deployment
- [Fonts](/fonts): the fonts that a request can name

## Optional

- \`/mcp\` is a Model Context Protocol server (Streamable HTTP, the same key) with tools to validate, show frames, render, follow, cancel, list and transcribe, and for templates. \`tiercut mcp\` is the same over stdin and stdout; it also reads and writes files.
- Every page of the documentation is Markdown too, such as [the documents](/docs/reference/timeline.md)
- [JSON Schema of a project](/schemas/project.json)
`;
}
