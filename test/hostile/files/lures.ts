/** The targets of a lure: an address that listens, and a file beside the upload. */
export interface Bait {
  readonly port: number;
  /** An absolute path, and the bare name of the same file in the upload's own folder. */
  readonly file: string;
  readonly name: string;
}

/** Texts that make libavformat open something else when it may choose the demuxer itself, by file name. */
export function lures({ port, file, name }: Bait): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}/segment.ts`;
  const playlist = (target: string) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="${target}"\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`;
  const manifest = (target: string) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period>` +
    `<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation>` +
    `</AdaptationSet></Period></MPD>`;
  return {
    'url.m3u8': playlist(url),
    'file.m3u8': playlist(`file://${file}`),
    'name.m3u8': playlist(name),
    'name.ffconcat': `ffconcat version 1.0\nfile ${name}\n`,
    'file.ffconcat': `ffconcat version 1.0\nfile '${file}'\nfile '${url}'\n`,
    'session.sdp':
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n` +
      `m=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    'url.mpd': manifest(url),
    'file.mpd': manifest(`file://${file}`),
    'list.rtsp': `rtsp://127.0.0.1:${port}/x`,
    'movie.smil': `<smil><body><video src="${url}"/></body></smil>`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${url}"/></svg>`,
    'script.avs': `DirectShowSource("${file}")`,
    'captions.ass': `[Script Info]\n[Fonts]\nfontname: ${file}\n[Events]\nDialogue: 0,0:00:00.00,0:00:09.00,,,,,,,x\n`,
    'table.edl': `mplayer EDL v1\n${file},0,9\n`,
    'pattern%03d.png': `${name}\n`,
  };
}
