import { messageOf } from '../../../errors.ts';
import { reportRejections, workerScope } from '../../kit/worker-scope.ts';
import { BrowserFonts } from './browser-fonts.ts';
import { Canvases, type FromCanvases, type ToCanvases } from './canvases.ts';
import { MediaFiles } from './media-files.ts';
import { PresetPainters } from './preset-painters.ts';
import { SourceShelf } from './source-shelf.ts';

reportRejections();

const asked = new Map<string, (file: Blob | null) => void>();
const picturing = new Map<number, (bitmap: ImageBitmap | null) => void>();
let asks = 0;

function post(message: FromCanvases): void {
  workerScope.postMessage(message);
}

/** Requests a picture that only the page can make. */
function askPage(message: (ask: number) => FromCanvases): Promise<ImageBitmap | null> {
  const { promise, resolve } = Promise.withResolvers<ImageBitmap | null>();
  asks += 1;
  picturing.set(asks, resolve);
  post(message(asks));
  return promise;
}

const files = new MediaFiles(
  (hash) => {
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    asked.set(hash, resolve);
    post({ kind: 'ask_file', hash });
    return promise;
  },
  (hash, maxPx) => askPage((ask) => ({ kind: 'ask_drawing', ask, hash, maxPx })),
  (hash, error) => post({ kind: 'failed', message: messageOf(error), hash }),
);

const fonts = new BrowserFonts(() => {
  painters.forget();
  canvases.again();
});
const painters = new PresetPainters(files, fonts);
const sources = new SourceShelf(files, (source, hash) => ({
  frame: (micros) => askPage((ask) => ({ kind: 'ask_frame', ask, source, hash, micros })),
  end: () => post({ kind: 'end_source', source }),
}));
const canvases = new Canvases({
  painters,
  sources,
  onShown: (shown) => post({ kind: 'shown', shown }),
  onDone: (number) => post({ kind: 'done', number }),
  onFailed: (message) => post({ kind: 'failed', message }),
});

workerScope.onmessage = ({ data }: MessageEvent<ToCanvases>) => {
  switch (data.kind) {
    case 'attach':
      return canvases.attach(data.place, data.canvas);
    case 'detach':
      return canvases.detach(data.place);
    case 'scale':
      return canvases.scale(data.place, data.scale);
    case 'plans':
      return canvases.setPlans(data.plans, data.presets);
    case 'show':
      return canvases.show(data.order);
    case 'file':
      asked.get(data.hash)?.(data.file);
      asked.delete(data.hash);
      return;
    case 'came':
      // A file that was found before, and is only now stored, changes nothing.
      if (!files.came(data.hash)) return;
      sources.forget(data.hash);
      painters.forget();
      return canvases.again();
    case 'picture':
      picturing.get(data.ask)?.(data.bitmap);
      picturing.delete(data.ask);
  }
};
