import { errorCodes } from '../error-codes.ts';
import { type JsonSchema, reference } from '../replies.ts';
import { code, object, path, text } from './schema-parts.ts';

/** Errors and failures. */
export function problemSchemas(): Record<string, JsonSchema> {
  const errors: JsonSchema = { type: 'array', items: reference('Issue'), description: 'Every error of the request.' };
  return {
    ErrorCode: {
      type: 'string',
      enum: errorCodes(),
      description:
        'The codes of this release; /docs/errors explains each. A code keeps its meaning. A later release can add codes: treat ' +
        'one that you do not know by the status of its response.',
    },
    Issue: {
      ...object({
        path: {
          ...text,
          description: 'A JSON Pointer to the place in the request; for a missing field, to its parent.',
        },
        code,
        message: { ...text, description: 'What is wrong, for people. It can change in any release.' },
      }),
      description: 'One error or warning.',
    },
    Problem: {
      ...object(
        {
          type: { ...path, description: 'The address of the description of `code`.' },
          title: { ...text, description: 'The reason phrase of the status.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          detail: { ...text, description: 'What is wrong, for people.' },
          ok: { const: false, description: 'false: the request failed.' },
          code,
          errors,
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
      ...object({ code, detail: { ...text, description: 'What is wrong, for people.' }, errors }),
      description: 'The reason of the failure.',
    },
  };
}
