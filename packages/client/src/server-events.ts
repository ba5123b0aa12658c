/** One event of a stream. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Reads Server-Sent Events from a body, as the HTML standard says. Leaving the loop closes the stream. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let fields: { id: string | null; event: string; data: string[] } = { id: null, event: '', data: [] };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === '') {
          const { id, event, data } = fields;
          if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
          fields = { id: null, event: '', data: [] };
          continue;
        }
        const colon = line.indexOf(':');
        const name = colon < 0 ? line : line.slice(0, colon);
        const content = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (name === 'data') fields.data.push(content);
        else if (name === 'id') fields.id = content;
        else if (name === 'event') fields.event = content;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
