/** One part of a form, as a test writes it. */
export interface FormPart {
  readonly name: string;
  readonly content: string | Buffer;
  readonly fileName?: string;
  readonly contentType?: string;
}

export const BOUNDARY = 'x-boundary-7';

/** The bytes of a multipart/form-data body with those parts, correct to the last line break. */
export function formBody(parts: readonly FormPart[], boundary = BOUNDARY): Buffer {
  const lines = parts.flatMap(({ name, content, fileName, contentType }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    contentType === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${contentType}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  return Buffer.concat([...lines, `--${boundary}--\r\n`].map((line) => Buffer.from(line)));
}

/** Any lines joined by CRLF, for invalid bodies. */
export function rawBody(...lines: readonly string[]): Buffer {
  return Buffer.from(lines.join('\r\n'));
}

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
