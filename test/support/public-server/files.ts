/** The files of a project in GridFS, under the paths of the public server, from which `import` copies a database. */
import { once } from 'node:events';
import { mongo } from 'mongoose';
import sharp from 'sharp';
import { nextId } from './documents.ts';

const DAY_MS = 86_400_000;
const UUID = '6e1f0a52-0000-4000-8000-000000000001';

/** A file in GridFS. */
export interface SourceFile {
  path: string;
  bytes: Buffer;
  /** Whether it must be readable after an import. */
  isImported: boolean;
}

const image = (format: 'png' | 'jpeg'): Promise<Buffer> =>
  sharp({ create: { width: 32, height: 32, channels: 3, background: '#3366ff' } })
    .toFormat(format)
    .toBuffer();

const store = async (bucket: mongo.GridFSBucket, { path, bytes }: SourceFile, metadata: object): Promise<void> => {
  const stream = bucket.openUploadStreamWithId(nextId(), path, { metadata });
  stream.end(bytes);
  await once(stream, 'finish');
};

/** Writes an asset with its thumbnail, a chat file, an avatar, and a file whose content does not match its name. */
export const writeFiles = async (database: mongo.Db, id_project: string, owner: unknown): Promise<SourceFile[]> => {
  const bucket = new mongo.GridFSBucket(database, { bucketName: 'files' });
  const folder = `uploads/projects/${id_project}/files/${UUID}`;
  const [png, jpeg] = [await image('png'), await image('jpeg')];
  const files: SourceFile[] = [
    { path: `${folder}/logo.png`, bytes: png, isImported: true },
    { path: `${folder}/thumbnails_200_200-logo.png`, bytes: png, isImported: false },
    { path: `uploads/users/${String(owner)}/images/photo.jpg`, bytes: jpeg, isImported: true },
    {
      path: `uploads/users/${String(owner)}/files/${UUID}/notes.txt`,
      bytes: Buffer.from('Some notes'),
      isImported: true,
    },
    { path: `${folder}/script.png`, bytes: Buffer.from('<script>x()</script>'), isImported: false },
  ];
  for (const file of files) {
    const expires = file.path.endsWith('.txt') && { expireAt: new Date(Date.now() + DAY_MS) };
    await store(bucket, file, { contentType: 'application/octet-stream', ...expires });
  }
  return files;
};
