import type { Export, PublishingKit, ThumbnailLooks } from '../../../packages/client/src/client.ts';
import { captionsText } from '../../plan/captions-text.ts';
import { type Published, publishingKit } from '../../plan/publishing-kit.ts';
import { secondsOf } from '../../time.ts';
import type { WantedThumbnail } from '../../timeline/wanted-fields.ts';
import type { Project } from '../document/project.ts';
import { startWorker, studioConfig } from '../kit/assets.ts';
import { drawSvg } from '../media/draw-svg.ts';
import { plannedFrom } from '../media/planned-from.ts';
import { typedFile } from '../media/typed-file.ts';
import { type PackedPlan, unpacked } from '../session/packed-plan.ts';
import { service } from '../session/service.ts';
import type { FromThumbnails, ToThumbnails } from './publish-messages.ts';

type FileQuestion = Extract<FromThumbnails, { readonly ask: number }>;
type Kit = Pick<PublishingKit, 'title' | 'description' | 'tags' | 'captions'>;

/** A finished video, and who knows the texts and draws the thumbnails to publish it with: the service, or this browser. */
export interface PublishSource {
  /** The name of its files, without an ending. */
  readonly name: string;
  readonly seconds: number;
  readonly isPortrait: boolean;
  kit(signal: AbortSignal): Promise<Kit>;
  /** @throws if the style cannot be drawn. */
  thumbnail(looks: ThumbnailLooks, signal: AbortSignal): Promise<Blob>;
  close(): void;
}

/** An export of the service. */
export function publishedByService({ export_id: id, duration, settings }: Export): PublishSource {
  return {
    name: settings.file_name.replace(/\.mp4$/i, ''),
    seconds: duration ?? 0,
    isPortrait: settings.height > settings.width,
    kit: (signal) => service.publishingKit(id, { signal }),
    thumbnail: async (looks, signal) => (await service.exportThumbnail(id, { ...looks, signal })).picture,
    close: () => {},
  };
}

/** A video that this browser rendered. Nothing leaves the browser. */
export function publishedHere(project: Project, packed: PackedPlan, name: string): PublishSource {
  const plan = unpacked(packed);
  const drawing = new ThumbnailDrawing(project);
  let captions: string | null = null;
  return {
    name,
    seconds: secondsOf(plan.totalFrames, plan.rate),
    isPortrait: plan.canvas.height > plan.canvas.width,
    async kit(signal) {
      const published = await drawing.published;
      signal.throwIfAborted();
      const { title, description, tags, hasCaptions } = publishingKit(plan, published);
      if (hasCaptions) captions ??= URL.createObjectURL(new Blob([captionsText(plan, 'srt')]));
      return { title, description, tags: [...tags], captions };
    },
    thumbnail: ({ style = 'question', text = null, items = null, orientation = null }) =>
      drawing.draw({ style, text, items, orientation }),
    close() {
      drawing.close();
      if (captions !== null) URL.revokeObjectURL(captions);
    },
  };
}

/** The worker that draws the thumbnails of a project. */
class ThumbnailDrawing {
  readonly published: Promise<Published>;
  readonly #worker = startWorker('thumbnail-worker');
  readonly #drawn = new Map<number, (picture: Blob | null) => void>();
  readonly #ended = Promise.withResolvers<never>();
  #draws = 0;

  constructor(project: Project) {
    this.#ended.promise.catch(() => {});
    this.#worker.onerror = ({ message }) => this.#ended.reject(new Error(message));
    const opened = Promise.withResolvers<Published>();
    this.#worker.onmessage = async ({ data }: MessageEvent<FromThumbnails>) => {
      if (data.kind === 'opened') opened.resolve(data.published);
      else if (data.kind === 'drawn') {
        this.#drawn.get(data.draw)?.(data.picture);
        this.#drawn.delete(data.draw);
      } else {
        // A file that cannot be read is a missing one.
        const found = await foundFor(data, project).catch(() => null);
        this.#tell({ kind: 'found', ask: data.ask, found }, found instanceof ImageBitmap ? [found] : []);
      }
    };
    this.published = Promise.race([opened.promise, this.#ended.promise]);
    this.published.catch(() => {});
    this.#open(project).catch((error) => this.#ended.reject(error));
  }

  /** @throws if the style cannot be drawn. */
  async draw(looks: WantedThumbnail): Promise<Blob> {
    await this.published;
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    this.#draws += 1;
    this.#drawn.set(this.#draws, resolve);
    this.#tell({ kind: 'draw', draw: this.#draws, looks });
    const picture = await Promise.race([promise, this.#ended.promise]);
    if (picture === null) throw new Error('not drawn');
    return picture;
  }

  close(): void {
    this.#worker.terminate();
    this.#ended.reject(new Error('closed'));
  }

  async #open(project: Project): Promise<void> {
    const { presets, limits } = studioConfig;
    this.#tell({ kind: 'open', order: { ...(await plannedFrom(project)), presets, limits } });
  }

  #tell(message: ToThumbnails, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

/** The file that the worker asks for, or the drawing as a picture; null if it is not here. */
async function foundFor(asked: FileQuestion, project: Project): Promise<Blob | ImageBitmap | null> {
  const file = await typedFile(asked.hash, project);
  return asked.kind === 'ask_file' ? file : drawSvg(asked.hash, file, asked.maxPx);
}
