import type { Issue } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { readFields, type TemplateField } from '../../timeline/project/template-fields.ts';
import { checkDefaults } from '../../timeline/project/template-values.ts';
import * as texts from '../texts/en/series.ts';
import type { Project } from './project.ts';
import { placeholdersOf, usesOf } from './template-uses.ts';
import { writtenField } from './written-project.ts';

/** What is wrong with the fields of a template, by the name of the field: what the service would say. */
export function fieldFaults(project: Project, limits: TimelineLimits): ReadonlyMap<string, string> {
  const { template, tier_list } = project;
  if (template === undefined) return new Map();
  const issues = new IssueList();
  const read = readFields(
    Object.fromEntries(template.fields.map((field) => [field.name, writtenField(field)])),
    issues,
  );
  if (read !== null) checkDefaults(read, { limits, files: true, rows: () => [] }, issues);
  const faults = new Map<string, string>();
  for (const { path, message } of issues.errors) {
    const name = path.split('/')[2]?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (name !== undefined && !faults.has(name)) faults.set(name, message);
  }
  for (const { name, type, max } of template.fields) {
    const count = tier_list.items.length;
    if (type === 'items' && max !== null && count > max) faults.set(name, texts.tooManyItems(count, max));
  }
  return faults;
}

/** The fields that need a value and have none. */
export function missingFields({ template, media, tier_list }: Project): readonly TemplateField[] {
  return (template?.fields ?? []).filter(({ name, type, required, default: usual }) => {
    if (!required) return false;
    if (type === 'media') return media[name] === undefined;
    return type === 'items' ? tier_list.items.length === 0 : usual === undefined || usual === '';
  });
}

/** The fields that nothing uses. */
export function unusedFields(project: Project): ReadonlySet<string> {
  const uses = usesOf(project);
  const names = (project.template?.fields ?? []).map(({ name }) => name);
  return new Set(names.filter((name) => !uses.has(name)));
}

/** The names in placeholders that no field has, each once. */
export function unknownNames(project: Project): readonly string[] {
  if (project.template === undefined) return [];
  const names = new Set(project.template.fields.map(({ name }) => name));
  return [...new Set(placeholdersOf(project).map(({ field }) => field))].filter((name) => !names.has(name));
}

/** What is missing or wrong in the fields of a project that is exported. */
export function fieldIssues(project: Project, limits: TimelineLimits): readonly Issue[] {
  const missing = missingFields(project).map(({ name, label }): Issue => {
    return { path: pointer('/fields', name), code: 'value.required', message: texts.isMissing(label ?? name) };
  });
  const wrong = [...fieldFaults(project, limits)].map(([name, message]): Issue => {
    return { path: pointer('/fields', name), code: 'field.range', message };
  });
  return [...missing, ...wrong];
}
