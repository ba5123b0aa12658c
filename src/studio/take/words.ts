import type { RecorderFault } from './record/recorder-messages.ts';

/** Why there is no picture or sound, before anything is recorded. */
export type DeviceFault = 'refused' | 'not_secure' | 'no_device' | 'in_use' | 'unsupported' | 'failed';

export const DEVICE_WORDS: Readonly<Record<DeviceFault, string>> = {
  refused: 'This page may not use the camera or the microphone. Allow it in the address bar, then try again.',
  not_secure: 'Browsers give cameras and microphones to secure pages alone. Open this page by https or localhost.',
  no_device: 'No such device is connected. Connect one, then try again.',
  in_use: 'Another program is using the camera or the microphone. Close it, then try again.',
  unsupported: 'This browser cannot record.',
  failed: 'The camera or the microphone did not start.',
};

/** Why a recording has ended by itself. Each keeps what was recorded. */
export const RECORDER_WORDS: Readonly<Record<RecorderFault, string>> = {
  no_encoder: 'This browser has no encoder for this picture or sound, so nothing was recorded.',
  no_picture: 'The camera gave no picture, so nothing was recorded.',
  no_storage: 'This browser keeps no files for this page, so nothing was recorded. A private window does not.',
  disk_full: 'The disk is full. The take ends here; what was recorded is kept.',
  picture_ended: 'The camera or the screen is gone. The take ends here; what was recorded is kept.',
  sound_ended: 'The microphone is gone. The take ends here; what was recorded is kept.',
  file_full: 'The file is as large as the service takes. The take ends here; record the next one at its end.',
  failed: 'The recorder failed. The take ends here; what was recorded is kept.',
};

export const WORDS = {
  title: 'Set up a take',
  subtitle: 'Talk and rank. When you stop, the video is on your timeline.',
  looks: 'The video will look like this',
  back: 'Back to editing',
  stays: 'Stays in this browser',
  staysMore:
    'Nothing is sent until you export, keep the project on the service, or choose “Render while I edit”. If the browser closes, at most the last seconds are lost.',
  behind: 'This computer is slow: pictures are left out. A smaller picture helps.',
  hidden: 'The page is in the background. The recording goes on; the picture may jerk.',
  keeping: 'Keeping the take …',
  nothing: 'Nothing was recorded.',
} as const;
