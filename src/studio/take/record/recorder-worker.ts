import { workerScope } from '../../kit/worker-scope.ts';
import type { FromRecorder, ToRecorder } from './recorder-messages.ts';
import { TakeRecorder } from './take-recorder.ts';

const STATE_MS = 250;

let recorder: TakeRecorder | null = null;

function post(message: FromRecorder): void {
  workerScope.postMessage(message);
}

workerScope.onmessage = ({ data }: MessageEvent<ToRecorder>) => {
  switch (data.kind) {
    case 'open':
      recorder = new TakeRecorder(data, post);
      setInterval(() => {
        if (recorder?.isRecording) post({ kind: 'state', state: recorder.state() });
      }, STATE_MS);
      return;
    case 'go':
      void recorder?.go(data.at);
      return;
    case 'pause':
      recorder?.pause(data.at);
      return;
    case 'stop':
      recorder?.stop(data.at);
      return;
    case 'close':
      recorder?.close();
  }
};
