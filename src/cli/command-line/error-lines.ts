import type { ExportError } from '../../errors.ts';

/** A foreseen failure for a person: a line for each thing that is wrong. */
export function errorLines({ code, message, issues }: ExportError): string[] {
  if (code === 'cli.usage') return [message];
  if (issues.length === 0) return [`${code}: ${message}`];
  return issues.map((issue) => `${issue.path || '(request)'} ${issue.code}: ${issue.message}`);
}
