import { IssueList } from '../../timeline/issue-list.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { checkedValues, filledProject, readProject } from '../../timeline/project/fill-project.ts';
import { isWebAddress } from '../../timeline/project/project-media.ts';
import { hashOf } from './episode-table.ts';
import type { EpisodeRow, MediaEntry, Project } from './project.ts';
import { withIds } from './project.ts';
import { fieldAt, known } from './table-faults.ts';
import { writtenProject } from './written-project.ts';

/** A template with the values of a row, as the service fills it in; wrong values and files on the web are left out. (C84) */
export function projectOfRow(project: Project, { values }: EpisodeRow, limits: TimelineLimits): Project {
  const { template, studio } = project;
  if (template === undefined) return project;
  const files = studio.table?.files ?? {};
  const read = readProject(writtenProject(project), new IssueList(), { files: true, limits });
  const shown = shownValues(known(values, read.fields), files);
  const issues = new IssueList();
  checkedValues(read, shown, '', issues);
  const wrong = new Set(issues.errors.map(({ path }) => fieldAt(path)));
  const right = Object.fromEntries(Object.entries(shown).filter(([name]) => !wrong.has(name)));
  const checked = checkedValues(read, right, '', new IssueList());
  const { documents, media } = filledProject(read, checked);
  const places: Record<string, string> = {};
  const entries: Record<string, MediaEntry> = {};
  for (const [field, place] of media) {
    const entry = place.kind === 'stored' ? files[place.sha256] : studio.media[field];
    if (entry === undefined) continue;
    places[field] = place.kind === 'stored' ? `media/${place.sha256}` : (project.media[field] ?? '');
    entries[field] = entry;
  }
  const { auto: _, ...lanes } = documents.timeline_data as Project['timeline_data'] & { readonly auto?: unknown };
  return {
    tier_list: documents.tier_list as Project['tier_list'],
    timeline_data: { ...project.timeline_data, ...withIds(lanes) },
    settings: documents.settings as Project['settings'],
    media: places,
    studio: { ...studio, media: entries },
    template: {
      ...(template.name !== undefined && { name: template.name }),
      // Only those without a file: what plays them is left out.
      fields: template.fields.filter(({ type, name }) => type === 'media' && places[name] === undefined),
      bound: {},
      ...(template.auto !== undefined && { auto: template.auto }),
    },
  };
}

/** Without what the page cannot show: files of the web, and files that this browser does not have. */
function shownValues(values: EpisodeRow['values'], files: Readonly<Record<string, MediaEntry>>): EpisodeRow['values'] {
  const isShown = (place: unknown) => {
    if (typeof place !== 'string' || isWebAddress(place)) return false;
    const hash = hashOf(place);
    return hash !== null && files[hash] !== undefined;
  };
  const shown = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) {
      return [[name, value.map((item) => (isShown(item?.picture) ? item : { ...item, picture: undefined }))]];
    }
    const isPlace = hashOf(value) !== null || (typeof value === 'string' && isWebAddress(value));
    return isPlace && !isShown(value) ? [] : [[name, value]];
  });
  return Object.fromEntries(shown);
}
