// Shows a video while it is rendered: as a stream from its first finished chunk on, then as the MP4. (C49)

/** Between two looks after a failure of the network. */
const RETRY_MS = 3000;

const HLS_OPTIONS = {
  startPosition: 0,
  // Segments go to the browser as they are: there is nothing for a worker to do, and the page's policy allows none.
  enableWorker: false,
  backBufferLength: 60,
  // A playlist waits for what comes next; the service answers within 8 s.
  playlistLoadPolicy: {
    default: {
      maxTimeToFirstByteMs: 15_000,
      maxLoadTimeMs: 20_000,
      timeoutRetry: { maxNumRetry: 4, retryDelayMs: 0, maxRetryDelayMs: 0 },
      errorRetry: { maxNumRetry: 6, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
    },
  },
};

/** Safari plays HLS by itself, and better: with AirPlay, and on phones in its own player. Others that claim to are young at it. */
function playsHlsItself(video) {
  return CSS.supports('font', '-apple-system-body') && video.canPlayType('application/vnd.apple.mpegurl') !== '';
}

/** The player of a page: in a place that is never made anew, since a video that is moved stops. */
export class Player {
  #place;
  #hls = null;
  /** Of whatever was asked for last: what comes late for something else is dropped. */
  #wish = 0;
  /** The stream that is to become the MP4. */
  #finished = null;

  constructor(place) {
    this.#place = place;
  }

  get #video() {
    return this.#place.querySelector('video');
  }

  /** Shows a preset as soon as something of it can be seen. */
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
    // A browser that lets nothing play by itself leaves it to the viewer.
    if (play) video.play().catch(() => {});
  }

  /**
   * The video is finished: from now on it is the MP4 that is shown, but nobody who watches is disturbed. Where it plays it
   * goes on as it is, to the end or to the first pause.
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

  /** Nothing more will come: what is there may be watched. */
  fail() {
    this.#wish += 1;
    this.#hls?.stopLoad();
  }

  /** Puts the MP4 in the stream's place once it shows the same picture; not where it plays again by then. */
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

  /** Asks for the playlist, which waits until there is something in it. False where there never will be. */
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
      if (fatal && type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
    });
    hls.loadSource(stream);
    hls.attachMedia(video);
    const before = this.#hls;
    this.#hls = hls;
    before?.destroy();
    return true;
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
