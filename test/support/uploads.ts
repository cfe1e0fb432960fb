/** Uploads of files as forms, and images to upload. */
import sharp from 'sharp';
import { request } from 'undici';
import { storages } from '#shared/storage/storages.ts';
import { type Caller, call, anApi, type Reply } from './api.ts';

/** A file of a form. */
export interface SentFile {
  name?: string;
  type?: string;
  bytes: Buffer | string;
  /** The form field; `file` by default. */
  field?: string;
}

const escapeFileName = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '').replaceAll('\n', '');

/**
 * A multipart body with one file. It is built by hand, so that the type and the file name are sent as given, except
 * that quotes in the name are encoded and line breaks are removed.
 */
export const multipart = ({ name = 'a.txt', type = 'text/plain', bytes, field = 'file' }: SentFile) => {
  const boundary = 'support-chat-boundary';
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${escapeFileName(name)}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
};

/** Uploads a file to a path of the API of this process, or of the API at `url`. */
export const uploadFile = async (
  caller: Caller | undefined,
  path: string,
  { method = 'POST', url, ...file }: SentFile & { method?: 'POST' | 'PUT'; url?: string },
): Promise<Reply> => {
  const { body, headers } = multipart(file);
  const auth: Record<string, string> = caller ? { authorization: caller.authorization } : {};
  return call(method, (url ?? (await anApi())) + path, { body, headers: { ...headers, ...auth } });
};

const BLUE = { r: 30, g: 60, b: 200 };

/** An image of one color. */
export const anImage = (format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png', { width = 300, height = 200 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: BLUE } })
    .toFormat(format)
    .toBuffer();

/** A JPEG with noise (so that it does not compress well), an EXIF orientation and the EXIF text `secret place`. */
export const aPhoto = async ({ width = 400, height = 300, orientation = 6 } = {}) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: BLUE, noise } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .withMetadata({ orientation })
    .jpeg({ quality: 85 })
    .toBuffer();
};

/** A form with an image in the `file` field, for tests of every endpoint. */
export const imageForm = async (color = BLUE): Promise<FormData> => {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: color } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
  return form;
};

/** Requests a path of this process's API with the given headers; returns the status, headers and bytes. */
export const readBytes = async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const { statusCode: status, headers: received, body } = await request((await anApi()) + path, { method, headers });
  return { status, headers: received, bytes: Buffer.from(await body.arrayBuffer()) };
};

/** The file keys that begin with a prefix, from all storages. */
export const storedKeys = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for (const storage of storages) for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
};
