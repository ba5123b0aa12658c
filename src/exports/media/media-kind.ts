import type { Issue } from '../../errors.ts';
import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { FactsOrError } from '../../plan/resolve-facts.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readNotes } from '../../timeline/project/project-notes.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';

type FieldKind = NonNullable<TemplateField['kind']>;

/** What decides whether a file is of a kind. */
interface Found {
  readonly kind: MediaFacts['kind'];
  readonly hasSound: boolean;
}

const IS: Readonly<Record<FieldKind, (found: Found) => boolean>> = {
  picture: ({ kind }) => kind === 'still' || kind === 'animation' || kind === 'drawing',
  video: ({ kind }) => kind === 'video' || kind === 'animation',
  sound: ({ hasSound }) => hasSound,
};

const WORDS: Readonly<Record<MediaFacts['kind'], string>> = {
  video: 'a video',
  animation: 'an animated picture',
  still: 'a picture',
  drawing: 'a drawing (SVG)',
  audio: 'a sound',
  font: 'a font',
  unreadable: 'not readable',
};

/** A medium that is put into a field of a template. */
interface FilledMedium {
  readonly field: string;
  /** null: any kind. */
  readonly kind: FieldKind | null;
  readonly path: string;
}

/** The error of a medium that is of another kind than its field asks for; null if it is right. (C83) */
export function kindFault({ field, kind, path }: FilledMedium, found: Found): Issue | null {
  if (kind === null || IS[kind](found)) return null;
  const sound = found.kind === 'video' && kind === 'sound' ? ' without sound' : '';
  const message = `${shownText(field)} must be a ${kind}; the file is ${WORDS[found.kind]}${sound}.`;
  return { path, code: 'media.kind', message };
}

/**
 * Requires that the files of the fields of a template are of the kinds that these ask for. (C84)
 *
 * @throws ExportError with all errors, each at its value.
 */
export function requireKinds(texts: ReadonlyMap<string, unknown>, found: ReadonlyMap<string, FactsOrError>): void {
  const { kinds, places } = readNotes(texts);
  const issues = new IssueList();
  for (const [field, kind] of Object.entries(kinds)) {
    const facts = found.get(field);
    // A file that cannot be used has its own error.
    if (facts === undefined || 'error' in facts) continue;
    const fault = kindFault({ field, kind, path: places[field] ?? '' }, { kind: facts.kind, hasSound: facts.sound });
    if (fault !== null) issues.error(fault.path, fault.code, fault.message);
  }
  issues.throwIfFailed();
}
