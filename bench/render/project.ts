import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchClip } from './media.ts';

/** Six clips of ten seconds over and over, a board 60 % of the time, subtitles: the minute that is compared with others. */
export async function writeProject(folder: string, seconds: number): Promise<string> {
  const fields = ['hd1', 'hd2', 'hd3'];
  const media: Record<string, string> = {};
  for (const [n, name] of fields.entries()) {
    media[name] = await benchClip({ name, width: 1920, height: 1080, seconds: 20, seed: n + 1 });
  }
  const starts = Array.from({ length: Math.ceil(seconds / 10) }, (_, n) => n * 10);
  const items = Array.from({ length: 24 }, (_, n) => ({ id: `i${n}`, name: `Item ${n}` }));
  const rows = ['S', 'A', 'B', 'C'].map((label, row) => {
    return { id: label, label, item_ids: items.slice(row * 6, row * 6 + 6).map(({ id }) => id) };
  });
  const board = { duration: 6, x_percent: 20, y_percent: 10, width_percent: 60, height_percent: 80 };
  const timeline_data = {
    videos: starts.map((start, n) => {
      const duration = Math.min(10, seconds - start);
      return { file_field: fields[n % 3], start, duration, trim_start: (Math.floor(n / 3) % 2) * 10 };
    }),
    tier_blocks: starts.filter((start) => start + 10 <= seconds).map((start) => ({ start: start + 4, ...board })),
    tier_tiles: items.slice(0, 12).map(({ id }, n) => {
      return { tier_item_id: id, position: Math.floor(n / 2) * 10 + 5 + (n % 2) * 2 };
    }),
    subtitles: Array.from({ length: Math.floor(seconds / 4) }, (_, n) => {
      return { text: `What is said in part ${n}`, start: n * 4, duration: 4 };
    }),
  };
  const project = join(folder, 'project.json');
  await writeFile(project, JSON.stringify({ tier_list: { rows, items }, timeline_data, media }));
  return project;
}
