import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { documentsOf, type PlannedFrom } from '../document/template.ts';
import { later } from '../kit/later.tsx';
import { mediaFile } from './media-store.ts';

const subtitleFiles = later(() => import('../../timeline/subtitle-file/read-subtitle-file.ts'));

/** Texts of subtitle files, by content hash. */
const subtitleTexts = new Map<string, string>();

/** What a project is planned from: the open one, or one that was exported before. The facts of unused files are left out. */
export async function plannedFrom(of: Project): Promise<PlannedFrom> {
  const facts = new Map(Object.entries({ ...of.studio.coming, ...of.studio.media }));
  const texts = await subtitleTextsOf(of);
  for (const field of texts.keys()) facts.delete(field);
  return { documents: documentsOf(of), facts: mentioned(facts, of), subtitleTexts: texts };
}

/** Leaves out unused files: in the bin they are normal, and the planner would warn about them. */
function mentioned<T>(facts: ReadonlyMap<string, T>, of: Project): Map<string, T> {
  const used = usedFields(of);
  return new Map([...facts].filter(([field]) => used.has(field)));
}

async function subtitleTextsOf({ timeline_data, studio }: Project): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { file_field: field } of timeline_data.subtitle_files) {
    const hash = studio.media[field]?.hash;
    if (hash === undefined) continue;
    const known = subtitleTexts.get(hash) ?? (await readText(hash));
    if (known === null) continue;
    subtitleTexts.set(hash, known);
    texts.set(field, known);
  }
  return texts;
}

async function readText(hash: string): Promise<string | null> {
  const file = await mediaFile(hash);
  if (file === null) return null;
  const { decodeSubtitleFile } = await subtitleFiles();
  return decodeSubtitleFile(new Uint8Array(await file.arrayBuffer()));
}
