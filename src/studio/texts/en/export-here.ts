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
  encoder: 'This browser has no H.264 encoder for this size. A current Chrome or Edge has one.',
  changed: 'The encoder of this browser is not the one that was checked. Export again: it is checked first.',
  sound: 'This browser cannot read or encode the sound.',
  clip: 'This browser does not show a clip exactly as a Tiercut service does.',
  picture: 'This browser cannot show a picture of the board.',
  font: 'A font could not be loaded. Check your connection, then try again.',
  filled:
    'The storage of this browser is full. What is rendered is kept: make space, then export again, and it continues there.',
  denoise: 'Only a Tiercut service reduces noise. Turn it off to export on this device.',
  other: 'The video could not be rendered in this browser.',
};
export const hereCardFault = (detail: string, page: string) =>
  `This browser does not encode the test card as it must be (${detail}). Report it from ${page}`;
export const hereNeedsSpace = (size: string) =>
  `This browser gives the studio too little space: the video needs about ${size}. Delete projects or files that you no longer need.`;
export const hereFaultOf = (fault: string, name: string) => `${fault} It is about ${name}.`;
export const hereFaultBecause = (fault: string, reason: string) => `${fault} The reason: ${reason}`;
export const sizeInPixels = (width: number, height: number) => `${width} × ${height}`;
