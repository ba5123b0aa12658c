import { messageOf } from '../../errors.ts';
import type { Project } from '../document/project.ts';
import { studioConfig } from '../kit/assets.ts';
import { megabytes } from '../kit/shown-values.ts';
import * as texts from '../texts/en/export.ts';
import * as hereTexts from '../texts/en/export-here.ts';
import { DeviceError, type DeviceFault } from './device-messages.ts';
import { MissingFile } from './render-here.ts';

/** Why a video cannot be rendered in this browser, a sentence for each reason. */
export function faultWords(error: unknown, project: Project): readonly string[] {
  if (error instanceof MissingFile) return [texts.missingFile(nameOf(project, error.field))];
  if (error instanceof DeviceError) return error.faults.map((fault) => wordsOf(fault, project));
  return [hereTexts.hereFaultBecause(hereTexts.hereFaults.other, messageOf(error))];
}

function wordsOf({ reason, path, field, bytes, detail }: DeviceFault, project: Project): string {
  if (reason === 'storage') return hereTexts.hereNeedsSpace(megabytes(bytes!));
  if (reason === 'card')
    return hereTexts.hereCardFault(detail ?? '', new URL(studioConfig.docs.check, location.href).href);
  const name = path === undefined ? undefined : fileAt(project, path);
  const about = field === undefined ? name : nameOf(project, field);
  const fault = hereTexts.hereFaults[reason];
  const words = about === undefined ? fault : hereTexts.hereFaultOf(fault, about);
  return detail === undefined ? words : hereTexts.hereFaultBecause(words, detail);
}

/** The name of the file of an entry. */
function fileAt(project: Project, path: string): string {
  const entry = path.split('/').reduce<unknown>((at, key) => (key === '' ? at : (at as never)?.[key]), project);
  const field = (entry as { file_field?: string } | undefined)?.file_field;
  return field === undefined ? path : nameOf(project, field);
}

function nameOf(project: Project, field: string): string {
  return project.studio.media[field]?.name ?? field;
}
