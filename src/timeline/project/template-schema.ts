import { FIELD_MEMBERS, TEMPLATE_TYPES } from './template-fields.ts';

/** A field of a template as JSON Schema. (C83) */
export function templateFieldSchema(): Readonly<Record<string, unknown>> {
  const members = Object.entries(FIELD_MEMBERS).map(([name, { schema, text }]) => {
    return [name, { ...schema, description: text }];
  });
  return {
    type: 'object',
    description: 'What may be put in place of `{{name}}`.',
    required: ['type'],
    properties: {
      type: { type: 'string', enum: [...TEMPLATE_TYPES], description: 'What a value is.' },
      ...Object.fromEntries(members),
    },
  };
}
