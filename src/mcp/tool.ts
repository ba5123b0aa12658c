import {
  type Issue as ClientIssue,
  type Download,
  type MediaSource,
  type TiercutClient,
  TiercutError,
  type VideoRequest,
} from '../../packages/client/src/client.ts';
import type { Connection } from '../../packages/client/src/connection.ts';
import { ExportError, type Issue } from '../errors.ts';
import type { JsonSchema } from './check-arguments.ts';

/** A part of a tool's result. */
type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** The result of a tool. A failure is a result too, which the agent can read and act on. */
export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

/** What a tool does to the world, for programs that ask a person before they call it. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** The documents of a request and its media, or the path of a project file. */
export interface SentDocuments {
  readonly file?: string;
  readonly tier_list?: VideoRequest['tier_list'];
  readonly timeline_data?: VideoRequest['timeline_data'];
  readonly settings?: VideoRequest['settings'];
  readonly media?: Readonly<Record<string, string>>;
}

/** Files of the machine of the agent. A service has none of them. */
export interface AgentFiles {
  /** The documents of a project file, and of the call, with the media of both. */
  request(sent: SentDocuments): Promise<VideoRequest>;
  /** A file to upload. */
  source(path: string): Promise<MediaSource>;
  /** Refuses a path that no video may be written to. */
  requireTarget(path: string, overwrite: boolean): Promise<void>;
  save(
    path: string,
    video: Download,
    options: { readonly overwrite: boolean; readonly signal: AbortSignal },
  ): Promise<void>;
}

/** What a tool works with. */
export interface ToolPlace {
  readonly client: TiercutClient;
  /** For addresses that the client has no method for. */
  readonly connection: Connection;
  /** null: the agent is on another machine. */
  readonly files: AgentFiles | null;
}

/** What one call of a tool works with. */
export interface ToolCall extends ToolPlace {
  readonly signal: AbortSignal;
}

/** A tool. The schema of its arguments is both listed and checked. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolHints;
  /** @param sent checked against the schema */
  run(sent: never, call: ToolCall): Promise<ToolResult>;
}

/** A result that is JSON. */
export function jsonResult(value: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** The codes of what a request lacks. */
const MISSING = new Set(['field.required', 'value.required', 'media.not_uploaded', 'reference.unknown']);

/** An expected failure as a result: its code, its message, and all errors, first what is missing. */
export function failureResult(error: unknown): ToolResult | null {
  const shown = shownFailure(error);
  return shown && { ...jsonResult(shown), isError: true };
}

function shownFailure(error: unknown): object | null {
  if (error instanceof TiercutError) {
    const { code, message, errors, warnings, retryAfterSeconds } = error;
    const retry = retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds };
    return { code, detail: message, errors: missingFirst(errors), warnings, ...retry };
  }
  if (!(error instanceof ExportError)) return null;
  const { code, message, issues, warnings } = error;
  return { code, detail: message, errors: missingFirst(issues), warnings };
}

function missingFirst<T extends Issue | ClientIssue>(issues: readonly T[]): readonly T[] {
  return issues.toSorted((a, b) => Number(MISSING.has(b.code)) - Number(MISSING.has(a.code)));
}
