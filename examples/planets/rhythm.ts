/** What everything here moves to: the music, the reveals, the robot's head. */
export const BEATS_PER_MINUTE = 100;

/** At 30 frames a second a beat is 18 frames sharp, and a spotlight (2.94 s) takes almost five beats. */
export const BEAT_SECONDS = 60 / BEATS_PER_MINUTE;

/** Four beats. */
export const BAR_SECONDS = 4 * BEAT_SECONDS;
