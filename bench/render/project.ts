import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchClip } from './media.ts';

/** Six clips of ten seconds over and over, a board 60 % of the time, subtitles: the minute that is compared with others. */
export async function writeProject(folder: string, seconds: number): Promise<string> {
  const media: Record<string, string> = {};
  for (const [n, name] of ['hd1', 'hd2', 'hd3'].entries()) {
    media[name] = await benchClip({ name, width: 1920, height: 1080, seconds: 20, seed: n + 1 });
  }
  return writeProjectOf(folder, media, { seconds, cycle: 10 });
}

/** The same of other clips and lengths: a clip, and a board for 60 % of it, take `cycle` seconds. */
export async function writeProjectOf(
  folder: string,
  media: Readonly<Record<string, string>>,
  { seconds, cycle, settings = {} }: { readonly seconds: number; readonly cycle: number; readonly settings?: object },
): Promise<string> {
  const fields = Object.keys(media);
  const starts = Array.from({ length: Math.ceil(seconds / cycle) }, (_, n) => n * cycle);
  const items = Array.from({ length: 24 }, (_, n) => ({ id: `i${n}`, name: `Item ${n}` }));
  const rows = ['S', 'A', 'B', 'C'].map((label, row) => {
    return { id: label, label, item_ids: items.slice(row * 6, row * 6 + 6).map(({ id }) => id) };
  });
  const board = { duration: 0.6 * cycle, x_percent: 20, y_percent: 10, width_percent: 60, height_percent: 80 };
  const timeline_data = {
    videos: starts.map((start, n) => {
      const duration = Math.min(cycle, seconds - start);
      const file_field = fields[n % fields.length];
      return { file_field, start, duration, trim_start: (Math.floor(n / fields.length) % 2) * cycle };
    }),
    tier_blocks: starts
      .filter((start) => start + cycle <= seconds)
      .map((start) => ({ start: start + 0.4 * cycle, ...board })),
    tier_tiles: items.slice(0, 12).map(({ id }, n) => {
      return { tier_item_id: id, position: (Math.floor(n / 2) + 0.5 + 0.2 * (n % 2)) * cycle };
    }),
    subtitles: Array.from({ length: Math.floor(seconds / (0.4 * cycle)) }, (_, n) => {
      return { text: `What is said in part ${n}`, start: n * 0.4 * cycle, duration: 0.4 * cycle };
    }),
  };
  const project = join(folder, 'project.json');
  await writeFile(project, JSON.stringify({ tier_list: { rows, items }, timeline_data, settings, media }));
  return project;
}
