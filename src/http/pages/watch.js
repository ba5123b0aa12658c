// Shows a video while it is rendered: as a stream from its first finished chunk on, then as the MP4. (C49)

/** The pause before a retry after a network failure. */
const RETRY_MS = 3000;

const HLS_OPTIONS = {
  startPosition: 0,
  // Segments need no conversion, so a worker has nothing to do, and the page's policy allows none.
  enableWorker: false,
  backBufferLength: 60,
  // A playlist waits for the next segment; the service responds within 8 s.
  playlistLoadPolicy: {
    default: {
      maxTimeToFirstByteMs: 15_000,
      maxLoadTimeMs: 20_000,
      timeoutRetry: { maxNumRetry: 4, retryDelayMs: 0, maxRetryDelayMs: 0 },
      errorRetry: { maxNumRetry: 6, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
    },
  },
};

/** Safari's own HLS is better: it has AirPlay, and its own player on phones. Support in other browsers is recent. */
function playsHlsItself(video) {
  return CSS.supports('font', '-apple-system-body') && video.canPlayType('application/vnd.apple.mpegurl') !== '';
}

/** The player of a page. Its container is never replaced, because a video that is moved stops. */
export class Player {
  #place;
  #hls = null;
  /** Identifies the latest request; late results of earlier ones are dropped. */
  #wish = 0;
  /** The stream that the MP4 will replace. */
  #finished = null;

  constructor(place) {
    this.#place = place;
  }

  get #video() {
    return this.#place.querySelector('video');
  }

  /** Shows a preset as soon as it has a segment. */
  async show({ stream, mp4, done, width, height, poster }, { play }) {
    const wish = ++this.#wish;
    this.#place.dataset.mp4 = mp4;
    if (!done && !(await this.#canBeSeen(stream, wish))) return;
    if (wish !== this.#wish) return;
    const video = document.createElement('video');
    Object.assign(video, { controls: true, playsInline: true, preload: 'auto', width, height });
    video.setAttribute('aria-label', 'The video');
    if (done) Object.assign(video, { src: `${mp4}?inline`, poster });
    else if (playsHlsItself(video)) video.src = stream;
    else if (!(await this.#attach(video, stream, wish))) return;
    this.#stop(this.#video);
    this.#place.replaceChildren(video);
    this.#place.dataset.showing = done ? 'video' : 'stream';
    // If the browser blocks autoplay, the viewer starts the video.
    if (play) video.play().catch(() => {});
  }

  /**
   * Replaces the stream by the finished MP4 without disturbing a viewer: a stream that plays continues to its end or its
   * first pause.
   */
  finish({ mp4, poster }) {
    const video = this.#video;
    if (this.#place.dataset.mp4 !== mp4 || this.#place.dataset.showing !== 'stream') return false;
    if (this.#finished === video) return true;
    this.#finished = video;
    const change = () => {
      if (video.isConnected && (video.paused || video.ended)) this.#change(video, mp4, poster);
    };
    video.addEventListener('pause', change);
    video.addEventListener('ended', change);
    change();
    return true;
  }

  /** No more segments follow; the existing ones can be watched. */
  fail() {
    this.#wish += 1;
    this.#hls?.stopLoad();
  }

  /** Replaces the stream by the MP4 once it shows the same picture, unless the stream plays again. */
  #change(video, mp4, poster) {
    const next = document.createElement('video');
    const { width, height, volume, muted, playbackRate, currentTime } = video;
    Object.assign(next, {
      controls: true,
      playsInline: true,
      preload: 'auto',
      width,
      height,
      volume,
      muted,
      playbackRate,
    });
    next.setAttribute('aria-label', 'The video');
    const place = () => {
      const moved = video.currentTime !== currentTime || !(video.paused || video.ended);
      const elsewhere = document.fullscreenElement === video || document.pictureInPictureElement === video;
      if (!video.isConnected || moved || elsewhere) return;
      const focused = document.activeElement === video;
      video.replaceWith(next);
      this.#place.dataset.showing = 'video';
      this.#stop(video);
      if (focused) next.focus();
    };
    if (currentTime === 0) next.poster = poster;
    next.addEventListener('loadedmetadata', () => {
      next.currentTime = currentTime;
    });
    next.addEventListener('seeked', place, { once: true });
    next.src = `${mp4}?inline`;
  }

  /** Requests the playlist, which waits for its first segment. False if there will never be one. */
  async #canBeSeen(stream, wish) {
    while (wish === this.#wish) {
      const answer = await fetch(stream, { cache: 'no-store' }).catch(() => null);
      if (answer?.ok && answer.status === 200) return true;
      if (answer !== null && answer.status < 500 && answer.status !== 429) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return false;
  }

  async #attach(video, stream, wish) {
    const { default: Hls } = await import(this.#place.dataset.hls);
    if (wish !== this.#wish || !Hls.isSupported()) return false;
    const hls = new Hls(HLS_OPTIONS);
    hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
      if (!fatal) return;
      if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
      // The service restarts or the network is away: hls.js has given up, the viewer has not.
      if (type === Hls.ErrorTypes.NETWORK_ERROR) setTimeout(() => this.#resume(hls, stream, wish), RETRY_MS);
    });
    hls.loadSource(stream);
    hls.attachMedia(video);
    const before = this.#hls;
    this.#hls = hls;
    before?.destroy();
    return true;
  }

  /** Loads on where it stopped; from the start if there is no playlist yet. */
  #resume(hls, stream, wish) {
    if (wish !== this.#wish || this.#hls !== hls) return;
    if (hls.levels.length > 0) hls.startLoad();
    else hls.loadSource(stream);
  }

  #stop(video) {
    if (video === null) return;
    if (this.#hls?.media === video) {
      this.#hls.destroy();
      this.#hls = null;
    }
    video.removeAttribute('src');
    video.load();
  }
}
