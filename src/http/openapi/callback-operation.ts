import { requestHeader } from './parts.ts';

interface CallbackParts {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** In which order events arrive. */
  readonly order: string;
  readonly content: object;
  /** What `410` ends. */
  readonly gone: string;
}

/** A request of the service to an address of the client. (C37) */
export function callbackOperation({ operationId, tag, summary, order, content, gone }: CallbackParts): object {
  const always = (name: string, description: string, example: string) => {
    return { ...requestHeader(name, description, example), required: true };
  };
  const id = 'The same for every try of an event, so that a receiver can recognize repetitions.';
  return {
    operationId,
    tags: [tag],
    summary,
    description: `Signed and retried as Standard Webhooks defines. ${order} The service follows no redirects.`,
    security: [],
    parameters: [
      always('webhook-id', id, 'msg_1'),
      always('webhook-timestamp', 'Seconds since 1970.', '1767355200'),
      requestHeader(
        'webhook-signature',
        '`v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in Base64, one for each valid secret.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    ],
    requestBody: { required: true, content },
    responses: {
      '2XX': { description: 'Received: the service does not send it again.' },
      410: { description: gone },
      default: { description: 'The service tries again, up to 17.6 hours after the first try.' },
    },
  };
}
