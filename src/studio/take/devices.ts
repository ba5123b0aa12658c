import { signal } from '@preact/signals';
import type { DeviceFault, TakeChoices } from './take.ts';

const KEY = 'tiercut.take';
const DEFAULT_CHOICES: TakeChoices = {
  source: 'camera',
  camera: '',
  microphone: '',
  countDown: true,
  mirror: true,
  nextCard: true,
  delays: {},
};

export const choices = signal<TakeChoices>(readChoices());

function readChoices(): TakeChoices {
  try {
    return { ...DEFAULT_CHOICES, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return DEFAULT_CHOICES;
  }
}

export function setChoices(change: Partial<TakeChoices>): void {
  choices.value = { ...choices.value, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(choices.value));
  } catch {
    // Without storage, the user sets them again next time.
  }
}

/** Larger pictures would exceed the recorded bit rate. */
const PICTURE = { width: { ideal: 1920, max: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30, max: 30 } };
/** The export normalizes voices. Processing by the browser would change them and add latency. */
const SOUND = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** The stream of the chosen devices, or why there is none. */
export async function openDevices({ source, camera, microphone }: TakeChoices): Promise<MediaStream | DeviceFault> {
  if (!globalThis.isSecureContext) return 'not_secure';
  const { mediaDevices } = navigator;
  if (mediaDevices?.getUserMedia === undefined) return 'unsupported';
  const chosen = (id: string) => (id === '' ? {} : { deviceId: { ideal: id } });
  const audio = { ...SOUND, ...chosen(microphone) };
  try {
    if (source !== 'screen') {
      const video = source === 'camera' && { ...PICTURE, ...chosen(camera) };
      return await mediaDevices.getUserMedia({ video, audio });
    }
    if (mediaDevices.getDisplayMedia === undefined) return 'unsupported';
    const screen = await mediaDevices.getDisplayMedia({ video: PICTURE }).catch((error) => {
      if (faultOf(error) === 'refused') return null;
      throw error;
    });
    if (screen === null) return 'not_shared';
    try {
      const voice = await mediaDevices.getUserMedia({ audio });
      return new MediaStream([...screen.getVideoTracks(), ...voice.getAudioTracks()]);
    } catch (error) {
      closeDevices(screen);
      throw error;
    }
  } catch (error) {
    return faultOf(error);
  }
}

const FAULTS: Readonly<Record<string, DeviceFault>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'no_device',
  OverconstrainedError: 'no_device',
  NotReadableError: 'in_use',
  AbortError: 'in_use',
};

function faultOf(error: unknown): DeviceFault {
  return (error instanceof DOMException && FAULTS[error.name]) || 'failed';
}

export function closeDevices(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The devices of a kind. Their names are known once the page has permission. */
export async function listDevices(kind: MediaDeviceKind): Promise<readonly MediaDeviceInfo[]> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return all.filter((device) => device.kind === kind && device.deviceId !== '');
}

/** The latency that is set for a track's device. */
export function delayOf(track: MediaStreamTrack | undefined): number {
  return choices.value.delays[track?.getSettings().deviceId ?? ''] ?? 0;
}

const MAX_BITRATE = 4_000_000;
const BITS_PER_PIXEL = 0.065;
const SOUND_BITRATE = 128_000;

/** The video bit rate for a track. */
export function videoBitrate(track: MediaStreamTrack | undefined): number {
  const { width = 1280, height = 720, frameRate = 30 } = track?.getSettings() ?? {};
  return Math.min(MAX_BITRATE, Math.round(width * height * frameRate * BITS_PER_PIXEL));
}

/** Free bytes for this page, and the seconds of recording that fit; null if the browser does not report it. */
export async function roomLeft(
  stream: MediaStream,
): Promise<{ bytes: number; seconds: number; perMinute: number } | null> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (quota === 0) return null;
  const [track] = stream.getVideoTracks();
  const bytesPerSecond = ((track === undefined ? 0 : videoBitrate(track)) + SOUND_BITRATE) / 8;
  const bytes = Math.max(0, quota - usage);
  return { bytes, seconds: bytes / bytesPerSecond, perMinute: bytesPerSecond * 60 };
}
