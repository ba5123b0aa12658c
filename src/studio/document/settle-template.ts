import type { Draft } from 'immer';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import type { Project } from './project.ts';
import { findPlace } from './template.ts';

type ProjectDraft = Draft<Project>;

/**
 * After every change: what was changed where a field stands is its new default, and places that are gone are forgotten.
 */
export function settleTemplate(draft: ProjectDraft): void {
  const { template } = draft;
  if (template === undefined) return;
  for (const [place, name] of Object.entries(template.bound)) {
    const found = findPlace(draft, place);
    const field = fieldNamed(draft, name);
    if (found === null || field === undefined) {
      delete template.bound[place];
      continue;
    }
    const value = found.holder[found.key];
    if (value === undefined || value === field.default) continue;
    if (typeof value === 'object') {
      // Such as a theme that got colours of its own: the field stands for its base.
      delete template.bound[place];
      if (value !== null && 'base' in value) template.bound[`${place}/base`] = name;
    } else if (field.default !== undefined || value !== field.min) {
      if (field.type === 'choice' && !field.options.includes(String(value))) field.options.push(String(value));
      setDefault(draft, name, value);
    }
  }
}

/** Sets the default of a field, and what stands for it in the documents. */
export function setDefault(draft: ProjectDraft, name: string, value: unknown): void {
  const field = fieldNamed(draft, name);
  if (field === undefined) return;
  field.default = value;
  for (const [place, of] of Object.entries(draft.template!.bound)) {
    const found = of === name ? findPlace(draft, place) : null;
    if (found === null) continue;
    if (value === undefined) delete found.holder[found.key];
    else found.holder[found.key] = value;
  }
}

export function fieldNamed({ template }: ProjectDraft, name: string): Draft<TemplateField> | undefined {
  return template?.fields.find((field) => field.name === name);
}
