/** The parameters of our AAC-LC: samples in a packet, and channels. */
export const AAC_FRAME_SAMPLES = 1024;
export const AAC_CHANNELS = 2;
