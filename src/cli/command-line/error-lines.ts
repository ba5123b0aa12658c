import type { ExportError } from '../../errors.ts';
import { warningText } from '../terminal.ts';

/** An expected failure for a person: a line for each error, then the warnings. */
export function errorLines({ code, message, issues, warnings }: ExportError): string[] {
  if (code === 'cli.usage') return [message];
  if (issues.length === 0) return [`${code}: ${message}`];
  const errors = issues.map((issue) => `${issue.path || '(request)'} ${issue.code}: ${issue.message}`);
  return [...errors, ...warnings.map(warningText)];
}
