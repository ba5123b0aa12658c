import type { IncomingMessage } from 'node:http';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import { JSON_FIELDS, TEXT_FIELDS, withUnknownMembers } from '../../timeline/request-documents.ts';
import type { BodyPatience } from './body-reader.ts';
import { readJsonBody } from './read-json-body.ts';
import type { ReceivedForm } from './read-multipart.ts';

interface ReadJsonFormOptions {
  readonly limits: BodyPatience & {
    readonly maxJsonBytes: number;
    readonly maxJsonDepth: number;
    readonly maxJsonValues: number;
  };
  /** Additional fields that are texts or numbers. */
  readonly plainFields: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onReading?: () => void;
  readonly onReceived?: (bytes: number) => Promise<void>;
}

const DOCUMENTS: ReadonlySet<string> = new Set(JSON_FIELDS);
const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);
/** Plain fields that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['at', 'frame', 'min_pause', 'padding', 'retention_hours']);
/** How many documents of the maximum size one body may have. */
const MAX_DOCUMENTS = 4;

/**
 * Reads a form that is sent as one JSON object: its fields as members, its documents as objects. The result is the same
 * as for a multipart form. (C67)
 *
 * @throws ExportError with every member of the wrong type, and the errors of `readJsonBody`
 */
export async function readJsonForm(
  request: IncomingMessage,
  { limits, plainFields, signal, ...heard }: ReadJsonFormOptions,
): Promise<ReceivedForm> {
  const json: JsonLimits = {
    maxBytes: MAX_DOCUMENTS * limits.maxJsonBytes,
    maxDepth: limits.maxJsonDepth + 1,
    maxValues: MAX_DOCUMENTS * limits.maxJsonValues,
  };
  const members = await readJsonBody(request, { json, patience: limits, signal, ...heard });
  const issues = new IssueList();
  const texts = new Map<string, string>();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (DOCUMENTS.has(name)) texts.set(name, JSON.stringify(value));
    else if (TEXTS.has(name) || plainFields.has(name)) readPlain(name, value, texts, issues);
    else unknown.push(name);
  }
  issues.throwIfFailed();
  return { texts: withUnknownMembers(texts, unknown), uploads: new Map(), [Symbol.asyncDispose]: async () => {} };
}

function readPlain(name: string, value: unknown, texts: Map<string, string>, issues: IssueList): void {
  const wanted = NUMBERS.has(name) ? 'number' : 'string';
  if (typeof value === wanted) texts.set(name, String(value));
  else {
    const message = `${name} must be a ${wanted}, not ${shownValue(value)}.`;
    issues.error(pointer('', name), 'field.type', message);
  }
}
