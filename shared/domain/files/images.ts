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

/** The reasons why an image has no thumbnail. */
export type RenderFailure = 'undecodable' | 'timeout';

/** The error of an image that has not become a thumbnail. A timeout may be temporary, because the machine was busy. */
export class RenderError extends Error {
  readonly failure: RenderFailure;

  constructor(failure: RenderFailure, cause: Error) {
    super(cause.message, { cause });
    this.failure = failure;
  }
}

/** The message of sharp's error after a timeout: `timeout: 3% complete`. The error has no code. */
const TIMEOUT_MESSAGE = /^timeout: /m;

/**
 * Returns the thumbnail of an image: 200 × 200 pixels, upright, in the format of the image, without its metadata (EXIF
 * may contain a location). Throws a `RenderError` if the image cannot be decoded, or if this takes more than 20 s.
 */
export const renderThumbnail = async (path: string): Promise<Buffer> => {
  const library = await loadSharp();
  return library(path, { limitInputPixels: config.MAX_IMAGE_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'cover' })
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .toBuffer()
    .catch((error: Error) => {
      throw new RenderError(TIMEOUT_MESSAGE.test(error.message) ? 'timeout' : 'undecodable', error);
    });
};
