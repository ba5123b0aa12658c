import { errorCodes } from '../error-codes.ts';
import { type JsonSchema, reference } from '../replies.ts';
import { code, object, path, text } from './schema-parts.ts';

/** Errors and failures. */
export function problemSchemas(): Record<string, JsonSchema> {
  return {
    ErrorCode: {
      type: 'string',
      enum: errorCodes(),
      description:
        'The codes of this release; /docs/errors explains each. A code keeps its meaning. A later release can add codes: treat ' +
        'one that you do not know by the status of its response.',
    },
    Issue: {
      ...object({ path: text, code, message: text }),
      description: 'One error or warning; `path` is a JSON Pointer into the request.',
    },
    Problem: {
      ...object(
        {
          type: path,
          title: text,
          status: { type: 'integer' },
          detail: text,
          ok: { const: false },
          code,
          errors: { type: 'array', items: reference('Issue') },
          warnings: {
            type: 'array',
            items: reference('Issue'),
            description: 'The warnings, if there are any: a misspelt field can be the reason for a missing one.',
          },
        },
        ['type', 'title', 'status', 'detail', 'ok', 'code', 'errors'],
      ),
      description: 'RFC 9457. Lists all errors at once.',
    },
    Failure: {
      ...object({ code, detail: text, errors: { type: 'array', items: reference('Issue') } }),
      description: 'The reason of the failure.',
    },
  };
}
