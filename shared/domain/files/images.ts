/** Image processing. The library sharp is loaded on first use, because loading it takes memory and time. */
import type sharp from 'sharp';
import { config } from '../../config.ts';

const THUMBNAIL_PIXELS = 200;
const DECODE_TIMEOUT_SECONDS = 20;

let loaded: Promise<typeof sharp> | undefined;

const load = async (): Promise<typeof sharp> => {
  const { default: library } = await import('sharp');
  library.cache(false); // each image is read once
  library.concurrency(1); // jobs run in parallel, so one thread per image is enough
  return library;
};

/** Returns sharp; loads it on first use. */
export const loadSharp = (): Promise<typeof sharp> => (loaded ??= load());

/**
 * Returns the thumbnail of an image: 200 × 200 pixels, upright, in the format of the image, without its metadata (EXIF
 * may contain a location). Rejects if the image cannot be decoded.
 */
export const renderThumbnail = async (path: string): Promise<Buffer> => {
  const library = await loadSharp();
  return library(path, { limitInputPixels: config.MAX_IMAGE_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'cover' })
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .toBuffer();
};
