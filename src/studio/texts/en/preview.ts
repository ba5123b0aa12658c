/** The preview: playback, formats, and how close the picture is to the export. */
export const empty = 'Add something to the timeline to see it here.';
export const crashed = (fault: string) => `The preview stopped: ${fault}`;
export const fileFault = (name: string, why: string) => `${name} is not shown here. ${why}`;
export const moreFaults = (count: number) => `There are ${count} more messages.`;
export const closeFaults = 'Close this message';
export const workerNotLoaded = 'a script or a message could not be read. Reload the page.';
export const drawingFailed = 'The drawing cannot be drawn.';
export const drawingTooLong = 'The drawing takes too long to draw.';
export const format = 'Format';

export const toStart = 'Go to the start';
export const toStartHint = 'Go to the start (Home)';
export const toEnd = 'Go to the end';
export const toEndHint = 'Go to the end (End)';
export const play = 'Play';
export const playHint = 'Play (Space)';
export const pause = 'Pause';
export const pauseHint = 'Pause (Space)';
export const repeat = 'Repeat';
export const mute = 'Mute the preview';
export const fullScreen = 'Full screen';

export const playOrPause = 'Play or pause';
export const playBackwards = 'Play backwards; press again to go faster';
export const stop = 'Stop';
export const playFaster = 'Play; press again to go faster';
export const frameBack = 'One frame back';
export const frameForward = 'One frame forward';
export const secondBack = 'One second back';
export const secondForward = 'One second forward';
export const playFromStart = 'Play from the start';

export const exactFrame = 'Exact frame';
export const exactFrameHint = 'The service rendered this frame. The export has the same one.';
export const sameFrame = 'Matches export';
export const sameFrameHint = 'The same frame and layout as in the export. The edges of letters may differ a little.';
export const approximate = 'Approximate';
export const approximateHint = (reasons: readonly string[]) => `Approximate: ${reasons.join('; ')}.`;
export const forExactFrame = (hint: string) => `${hint} Click for the exact frame.`;
export const fetching = 'Loading …';
export const notFetched = 'The frame could not be loaded.';
export const missingFile = (name: string) => `${name} is not in this browser. Drop the file anywhere on the page.`;

/** Reasons why the picture is only approximate. */
export const machineBusy = 'this computer is busy, so the picture is behind the sound';
export const frameLoads = 'the frame is still loading';
export const fontLoads = 'a font is still loading';
export const pictureIsDrawn = 'a picture is still being drawn';
export const fileNotShown = 'this browser cannot show a file';
export const pictureNotShown = 'this browser cannot show a picture';
export const hdrColours = 'HDR colours are approximate';
export const animationTiming = 'the timing of an animation is approximate';
export const notFrameByFrame = 'this browser cannot show a clip frame by frame';

export const pictureFormat = 'This browser cannot show the picture.';
export const noLineBreaks = (script: string, status: number) =>
  `the line-break rules for ${script} could not be loaded (${status})`;
