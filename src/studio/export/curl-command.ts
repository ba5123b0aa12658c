/** The request as a shell command. It needs no files, since the service already has the media. */
export function curlCommand(origin: string, fields: Readonly<Record<string, string>>, needsKey: boolean): string {
  const lines = [
    `curl -s ${quoted(`${origin}/video/exports`)}`,
    ...(needsKey ? [`  -H "Authorization: Bearer $TIERCUT_KEY"`] : []),
    `  -H 'Prefer: respond-async'`,
    ...Object.entries(fields).map(([name, text]) => `  --form-string ${quoted(`${name}=${text}`)}`),
  ];
  return lines.join(' \\\n');
}

/** In single quotes a shell interprets nothing but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
