import { makeThumbnail } from '#shared/domain/files/thumbnails.ts';
import type { Processor } from '#shared/jobs.ts';

/** Makes the thumbnail of an image, unless the thumbnail exists or the image was removed. */
const makeThumbnailJob: Processor<'files.make-thumbnail'> = ({ id_project, file }) =>
  makeThumbnail({ id_project, _id: file });
export default makeThumbnailJob;
