/**
 * An S3-compatible server, s3rver, for tests of the S3 storage. The first start installs it with npm into a folder
 * outside the repository, because its old dependencies must not be part of this project.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

const PACKAGE = 's3rver@3.7.1';
const CACHE = join(tmpdir(), 'support-chat-cache');
const LIBRARY = join(CACHE, 's3rver-3.7.1');
const INSTALL_TIMEOUT_MS = 90_000;
/** The value of both the access key id and the secret key that the server accepts. */
const KEY = 'S3RVER';

/** A running server with one bucket. */
export interface S3Server {
  /** The value of FILE_STORAGE for its bucket. */
  storage: string;
  stop(): Promise<void>;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Installs the server. The folder gets its final name when it is complete, so that an incomplete one is never used. */
const install = async (): Promise<void> => {
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, 'fetch-'));
  try {
    await writeFile(join(work, 'package.json'), '{}');
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', PACKAGE];
    await run('npm', options, { cwd: work, timeout: INSTALL_TIMEOUT_MS });
    await rename(work, LIBRARY);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** Starts the server on a free port of the loopback interface. Throws if it cannot be installed or started. */
export const startS3Server = async (): Promise<S3Server> => {
  if (!(await exists(LIBRARY))) await install();
  const data = await aTemporaryFolder('s3-');
  const program = join(LIBRARY, 'node_modules', 's3rver', 'bin', 's3rver.js');
  const options = ['-d', data, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', 'files'];
  // The server encrypts the cursors of long lists with DES, which OpenSSL permits only with its legacy provider.
  const child = spawn(process.execPath, ['--no-deprecation', '--openssl-legacy-provider', program, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit').then((): never => {
    throw new Error(`s3rver exited: ${output}`);
  });
  exited.catch(() => undefined);
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += String(text);
        const port = /listening on [^\n]*?:(\d+)/.exec(output)?.[1];
        if (port) resolve(port);
      });
  });
  const port = await Promise.race([listening, exited]);
  return {
    storage: `s3://${KEY}:${KEY}@files/support?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited.catch(() => undefined);
      await rm(data, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** Starts the server, for tests that can also run without it. Prints the reason if it cannot be started. */
export const startS3ServerIfPossible = async (): Promise<S3Server | undefined> => {
  try {
    return await startS3Server();
  } catch (error) {
    console.log(`      not run on S3: s3rver cannot be started: ${(error as Error).message}`);
    return undefined;
  }
};
