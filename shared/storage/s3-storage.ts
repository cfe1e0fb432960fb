/** Files in a bucket of an S3-compatible server. The SDK is loaded on first use, because loading takes 0.3 s. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { ByteRange, FileStorage } from './file-storage.ts';
import { freeWhenPiped } from './free-pieces.ts';

const DEFAULT_REGION = 'us-east-1';
const CONNECTION_TIMEOUT_MS = 5000;
/** Time without data after which a request fails. Longer for writes: a server may be silent while it stores a file. */
const WRITE_IDLE_TIMEOUT_MS = 30_000;
const READ_IDLE_TIMEOUT_MS = 5000;
/** Few attempts, because each attempt to call a hung server lasts until its timeout. */
const MAX_ATTEMPTS = 2;
const MAX_CONNECTIONS = 200;
const ABSENT_NAMES = ['NoSuchKey', 'NotFound'];

const ignore = () => undefined;
/** The SDK logs nothing, because it throws its errors and the callers log them. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The address of a bucket, as in `s3://key:secret@bucket/prefix?endpoint=https://s3.example.com&region=eu-1`. */
interface BucketAddress {
  bucket: string;
  prefix: string;
  endpoint?: string;
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

const parseAddress = (url: string): BucketAddress => {
  const { username, password, hostname, pathname, searchParams } = new URL(url);
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: hostname,
    prefix: prefix && `${prefix}/`,
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? DEFAULT_REGION,
    ...(username && {
      credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    }),
  };
};

/**
 * Returns a handler that reads responses without copying them. The SDK's default handler leaves twice the bytes of a
 * response to garbage collection.
 */
const createReadHandler = async () => {
  const { UndiciHttpHandler } = await import('@smithy/undici-http-handler');
  const timeouts = { headersTimeout: READ_IDLE_TIMEOUT_MS, bodyTimeout: READ_IDLE_TIMEOUT_MS };
  const connect = { timeout: CONNECTION_TIMEOUT_MS };
  return new UndiciHttpHandler({ dispatcher: { ...timeouts, connect, connections: MAX_CONNECTIONS } });
};

/**
 * Options of the SDK's default handler, which uploads files. It calls the method `pipe` of a request body;
 * `freeWhenPiped` replaces this method with one that frees the pieces of the file.
 */
const WRITE_HANDLER = {
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  socketTimeout: WRITE_IDLE_TIMEOUT_MS,
  httpAgent: { maxSockets: MAX_CONNECTIONS },
  httpsAgent: { maxSockets: MAX_CONNECTIONS },
};

const createClients = async ({ endpoint, region, credentials }: BucketAddress) => {
  const sdk = await import('@aws-sdk/client-s3');
  const connect = (requestHandler: S3ClientConfig['requestHandler']) =>
    new sdk.S3Client({
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // Servers other than AWS may not support checksums in trailers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      logger: SILENT,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler,
    });
  return { sdk, reader: connect(await createReadHandler()), writer: connect(WRITE_HANDLER) };
};

/**
 * Whether an error means that a file is absent. If the bucket is missing, `open` rejects with `NoSuchBucket`, but `has`
 * resolves to false, because the answer to HeadObject has no body that could name the reason for a 404.
 */
const isAbsent = (error: unknown): boolean => ABSENT_NAMES.includes((error as Error).name);

/** Error codes of a connection that the server has closed, possibly before it received the call. */
const CLOSED_CODES = ['ECONNRESET', 'EPIPE'];

interface CallError {
  code?: string;
  $metadata?: { clockSkewCorrected?: boolean };
}

/**
 * Makes a call, and makes it again in two cases: the server has refused it because the clock of this host is wrong, and
 * the SDK has adopted the server's time; or the server has closed the connection, as it may do with an idle connection
 * at any time. The SDK itself repeats such calls, but not those whose body is a stream.
 */
const repeatOnce = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const { code = '', $metadata } = error as CallError;
    if (!$metadata?.clockSkewCorrected && !CLOSED_CODES.includes(code)) throw error;
    await work();
  }
};

/** Opens the storage in a bucket, which must exist. `keysPerPage` is the number of files in each page of a list. */
export const openS3Storage = (url: string, keysPerPage = 1000): FileStorage => {
  const address = parseAddress(url);
  const { bucket: Bucket, prefix: root } = address;
  let connection: ReturnType<typeof createClients> | undefined;
  const connect = () => (connection ??= createClients(address));
  const objectOf = (key: string) => ({ Bucket, Key: root + key });

  const has = async (key: string): Promise<boolean> => {
    const { sdk, reader } = await connect();
    try {
      await reader.send(new sdk.HeadObjectCommand(objectOf(key)));
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  };

  return {
    name: `s3://${Bucket}/${root}`,
    async put(key, { path, size, type }, abortSignal) {
      const { sdk, writer } = await connect();
      const put = async (): Promise<void> => {
        const Body = freeWhenPiped(createReadStream(path));
        const object = { ...objectOf(key), Body, ContentLength: size, ContentType: type };
        const sending = writer.send(new sdk.PutObjectCommand(object), { abortSignal });
        await sending.finally(() => Body.destroy());
      };
      await repeatOnce(put);
    },
    async open(key: string, range?: ByteRange) {
      const { sdk, reader } = await connect();
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const { Body } = await reader.send(new sdk.GetObjectCommand({ ...objectOf(key), ...(Range && { Range }) }));
        return Body as Readable;
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    localPath: () => Promise.resolve(null),
    has,
    async delete(key) {
      const { sdk, reader } = await connect();
      await reader.send(new sdk.DeleteObjectCommand(objectOf(key)));
    },
    async *list(prefix) {
      const { sdk, reader } = await connect();
      const pages = sdk.paginateListObjectsV2(
        { client: reader, pageSize: keysPerPage },
        { Bucket, Prefix: root + prefix },
      );
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents)
          yield { key: Key.slice(root.length), size: Size, modifiedAt: LastModified };
    },
  };
};
