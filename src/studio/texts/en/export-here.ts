/** Exports that this browser renders: apart from those of the panel, which the first load has. */
export const onDeviceMore =
  'Rendered in this browser. Nothing leaves this device. If this tab closes, the next export continues.';
export const checkingBrowser = 'Checking this browser …';
export const hardwareFound = 'Hardware encoder found.';
export const softwareOnly = 'No hardware encoder for this size: the processor encodes.';
export const aboutSo = (time: string) => `About ${time}.`;
export const exportsWait = (count: number) => (count === 1 ? '1 export waits.' : `${count} exports wait.`);
export const renderingHere = 'Rendering on this device';
export const readyHere = 'Your video is ready';
export const renderedHereMore =
  'Keep this tab open. If it closes, export again, and it continues there. You can keep editing: this export does not change.';
export const downloadHere = 'The files are in this tab until you close it. Download them now.';
export const instead = 'Export on the service instead';
export const hereFaults = {
  encoder: 'This browser has no H.264 encoder for this size. Export on the service, or use a current Chrome or Edge.',
  sound: 'This browser cannot read or encode the sound. Export on the service.',
  clip: 'This browser does not show a clip exactly as the service does. Export on the service.',
  picture: 'This browser cannot show a picture of the board. Export on the service.',
  font: 'A font could not be loaded. Check your connection, then try again.',
  filled:
    'The storage of this browser is full. What is rendered is kept: make space, then export again, and it continues there.',
  denoise: 'Noise reduction is only on the service. Export there, or turn it off.',
  other: 'The video could not be rendered in this browser. Export on the service.',
};
export const hereCardFault = (detail: string) =>
  `This browser does not encode the test card as it must be (${detail}). Export on the service, and report it from /studio/check.`;
export const hereNeedsSpace = (size: string) =>
  `The storage of this browser has too little space: the video needs up to ${size}. Delete projects or files that you no longer need, or export on the service.`;
export const hereFaultOf = (fault: string, name: string) => `${fault} It is about ${name}.`;
export const sizeInPixels = (width: number, height: number) => `${width} × ${height}`;
