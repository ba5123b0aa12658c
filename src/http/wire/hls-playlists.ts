import type { StreamFacts, StreamTrack, StreamView } from '../../exports/api/streams-api.ts';

/** Addresses in playlists are relative, so they work under every name and alias of the first one. */
const TRACK_PLAYLIST: Readonly<Record<StreamTrack, string>> = { video: 'video/index.m3u8', audio: 'audio/index.m3u8' };

/** Required by `EXT-X-MAP` for segments other than MPEG-TS. */
const VERSION = 7;

/**
 * Without it, players would start near the end, as with a broadcast; this video plays from its start. It is only in the
 * playlists of the tracks: with it, libavformat treats a multivariant playlist as a track's, and plays everything
 * twice.
 */
const FROM_THE_START = '#EXT-X-START:TIME-OFFSET=0,PRECISE=YES';

/** The playlist of an output: its picture and its sound. (C49, RFC 8216) */
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
 * The playlist of a track: an event that grows until `EXT-X-ENDLIST` completes it. Its type stays the same, because a
 * playlist must not change what it has announced (RFC 8216, 6.2.1).
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
