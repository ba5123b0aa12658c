/** The request as a command that can be pasted into a shell: it needs nothing beside it, since the media are there. */
export function curlCommand(origin: string, fields: Readonly<Record<string, string>>, needsKey: boolean): string {
  const lines = [
    `curl -s ${quoted(`${origin}/video/exports`)}`,
    ...(needsKey ? [`  -H "Authorization: Bearer $TIERCUT_KEY"`] : []),
    `  -H 'Prefer: respond-async'`,
    ...Object.entries(fields).map(([name, text]) => `  --form-string ${quoted(`${name}=${text}`)}`),
  ];
  return lines.join(' \\\n');
}

/** In single quotes nothing means anything to a shell, but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
