import { itemsOf } from '../document/board-commands.ts';
import { mediaOf, type Project } from '../document/project.ts';
import { mediaFile, thumbFile } from '../media/media-store.ts';

const WIDTH = 320;
const HEIGHT = 180;
const MAX_ROWS = 7;

/** A thumbnail of the board, for lists of projects; null if this browser cannot draw it. */
export async function drawPicture(project: Project): Promise<Blob | null> {
  const context = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d');
  if (context === null) return null;
  context.fillStyle = '#15171c';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const rows = project.tier_list.rows.slice(0, MAX_ROWS);
  const height = HEIGHT / Math.max(4, rows.length);
  for (const [index, { id, label, color }] of rows.entries()) {
    const top = index * height;
    context.fillStyle = color ?? '#8a8f98';
    context.fillRect(0, top + 1, height, height - 2);
    context.fillStyle = '#15171c';
    context.font = `700 ${Math.round(height * 0.42)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText((label ?? '').slice(0, 3), height / 2, top + height / 2, height - 4);
    const max = Math.floor((WIDTH - height) / height);
    for (const [at, item] of itemsOf(project.tier_list, id).slice(0, max).entries()) {
      const left = height * (at + 1) + 2;
      const picture = await pictureOf(project, item.file_field);
      if (picture === null) {
        context.fillStyle = '#2b2f38';
        context.fillRect(left, top + 2, height - 4, height - 4);
      } else cover(context, picture, left, top + 2, height - 4);
      picture?.close();
    }
  }
  return context.canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
}

async function pictureOf(project: Project, field: string | undefined): Promise<ImageBitmap | null> {
  const hash = field === undefined ? undefined : mediaOf(project, field)?.hash;
  if (hash === undefined) return null;
  const file = (await thumbFile(hash)) ?? (await mediaFile(hash));
  return file === null ? null : createImageBitmap(file).catch(() => null);
}

function cover(context: OffscreenCanvasRenderingContext2D, picture: ImageBitmap, x: number, y: number, side: number) {
  const shorter = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - shorter) / 2, (picture.height - shorter) / 2];
  context.drawImage(picture, left, top, shorter, shorter, x, y, side, side);
}
