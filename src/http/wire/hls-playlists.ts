import type { StreamFacts, StreamTrack, StreamView } from '../../exports/streams-api.ts';

/** Addresses in playlists are relative: they hold under whatever name or alias the first one was asked for. */
const TRACK_PLAYLIST: Readonly<Record<StreamTrack, string>> = { video: 'video/index.m3u8', audio: 'audio/index.m3u8' };

/** `EXT-X-MAP` for segments that are no MPEG-TS needs it. */
const VERSION = 7;

/**
 * Players would begin near the end of what is there, as with a broadcast; this is a film from its beginning. It stands in
 * the playlists of the tracks alone: libavformat takes a multivariant one that has it for a track's, and plays all twice.
 */
const FROM_THE_START = '#EXT-X-START:TIME-OFFSET=0,PRECISE=YES';

/** The playlist of an output: its picture, and the sound that goes with it. (C49, RFC 8216) */
export function multivariantPlaylist(facts: StreamFacts): string {
  const { codecs, width, height, rate, peakBitRate, averageBitRate } = facts;
  const stream = [
    `BANDWIDTH=${peakBitRate}`,
    ...(averageBitRate === null ? [] : [`AVERAGE-BANDWIDTH=${averageBitRate}`]),
    `CODECS="${codecs.join(',')}"`,
    `RESOLUTION=${width}x${height}`,
    `FRAME-RATE=${(rate.num / rate.den).toFixed(3)}`,
    'AUDIO="sound"',
    'CLOSED-CAPTIONS=NONE',
  ];
  const sound = 'TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"';
  return lines(
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA:${sound},URI="${TRACK_PLAYLIST.audio}"`,
    `#EXT-X-STREAM-INF:${stream.join(',')}`,
    TRACK_PLAYLIST.video,
  );
}

/**
 * The playlist of a track: an event that grows, until `EXT-X-ENDLIST` makes it a video like any other. Its type stays: what
 * was told once may not be told otherwise (RFC 8216, 6.2.1).
 */
export function mediaPlaylist({ ended, targetSeconds, tracks }: StreamView, track: StreamTrack): string {
  const { init, segments } = tracks[track];
  return lines(
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
    FROM_THE_START,
    `#EXT-X-MAP:URI="${init}"`,
    ...segments.flatMap(({ name, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, name]),
    ...(ended ? ['#EXT-X-ENDLIST'] : []),
  );
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
