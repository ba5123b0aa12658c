import { ExportError } from '../../errors.ts';
import { CALLBACK_EVENTS, type CallbackEvent } from '../../store/export-record.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';

const FIELD = '/callback_events';
const LIMITS: JsonLimits = { maxBytes: 4096, maxDepth: 2, maxValues: 100 };
const UNLESS_CHOSEN = CALLBACK_EVENTS.slice(0, 3);

/**
 * Reads `callback_events`: the events that a client subscribes to. (C68)
 *
 * @throws ExportError with all errors
 */
export function readCallbackEvents(text: string | null): readonly CallbackEvent[] {
  if (text === null) return UNLESS_CHOSEN;
  const reading = readJson(text, LIMITS);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path: FIELD + path });
  }
  const { value: chosen } = reading;
  if (!Array.isArray(chosen)) {
    const message = `callback_events must be a list, not ${shownValue(chosen)}.`;
    throw new ExportError('invalid', 'field.type', message, { path: FIELD });
  }
  const issues = new IssueList();
  for (const [index, name] of chosen.entries()) {
    if (CALLBACK_EVENTS.some((event) => event === name)) continue;
    const message = `An event must be one of ${CALLBACK_EVENTS.join(', ')}, not ${shownValue(name)}.`;
    issues.error(pointer(FIELD, index), 'field.choice', message);
  }
  issues.throwIfFailed();
  return CALLBACK_EVENTS.filter((event) => chosen.includes(event));
}
