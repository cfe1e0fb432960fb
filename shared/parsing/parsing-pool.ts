/**
 * Parses untrusted pages, files, texts and sitemaps in separate threads with time and memory limits, in the order of
 * the calls.
 */
import { isMarkedAsUntransferable } from 'node:worker_threads';
import { ThreadPool } from '../concurrency/thread-pool.ts';
import { config } from '../config.ts';
import { AppError } from '../errors.ts';
import type {
  FileInput,
  PageInput,
  ParsedPage,
  ParsedSitemap,
  ParsingTask,
  ParsingTasks,
  TextInput,
} from './parsing-tasks.ts';

export type { Chunk } from './chunks.ts';
export type { FileInput, PageInput, ParsedPage, ParsedSitemap, TextInput } from './parsing-tasks.ts';

const DEFAULT_OPTIONS = {
  threads: 1,
  timeoutSeconds: config.PARSE_TIMEOUT_SECONDS,
  memoryMib: config.PARSE_MEMORY_MIB,
  chunkTokens: config.CHUNK_TOKENS,
  sitemapBytes: config.SITEMAP_MAX_BYTES,
  sitemapUrls: config.SITEMAP_MAX_URLS,
};

const limitError = (code: string, what: string) =>
  new AppError(422, code, `Reading the source took more than ${what}; use a smaller or simpler one.`);

const TASK_ERRORS = {
  timeout: (seconds: number) => limitError('PARSE_TIMEOUT', `${seconds} s`),
  memory: (mib: number) => limitError('PARSE_MEMORY', `${mib} MiB`),
  /** Not an `AppError`, because the source did not cause it and the job can be retried. */
  stopped: () => Object.assign(new Error('The parsing thread was stopped'), { code: 'PARSE_STOPPED' }),
};

/**
 * A pool of parsing threads. A thread is started for its first task, and an idle thread does not keep the process
 * alive. A source that exceeds the time or memory limit fails with `PARSE_TIMEOUT` or `PARSE_MEMORY` and does not
 * affect other sources. Bodies are transferred to the thread, so callers cannot use them afterwards.
 */
export class ParsingPool {
  readonly #pool: ThreadPool<ParsingTask, ParsedPage | ParsedSitemap>;

  constructor(options: Partial<typeof DEFAULT_OPTIONS> = {}) {
    const { threads, timeoutSeconds, memoryMib, ...data } = { ...DEFAULT_OPTIONS, ...options };
    const file = new URL('./parsing-thread.ts', import.meta.url);
    this.#pool = new ThreadPool({ file, data, threads, timeoutSeconds, memoryMib, errors: TASK_ERRORS });
  }

  /** Parses a fetched page into chunks. Also throws `NOT_TEXT`, `NO_TEXT`, `NO_SELECTION` and `BAD_SELECTOR`. */
  parsePage(input: PageInput): Promise<ParsedPage> {
    const body = toTransferable(input.body);
    return this.#run<'page'>({ name: 'page', input: { ...input, body } }, [body.buffer]);
  }

  /** Parses a file into chunks. Also throws `UNREADABLE_FILE`, `NOT_TEXT`, `NO_TEXT`, `BAD_CSV` and `BAD_PATTERN`. */
  parseFile(input: FileInput): Promise<ParsedPage> {
    const body = toTransferable(input.body);
    return this.#run<'file'>({ name: 'file', input: { ...input, body } }, [body.buffer]);
  }

  /** Parses Markdown or plain text into chunks; an empty string has no chunks. */
  parseText(input: TextInput): Promise<ParsedPage> {
    return this.#run<'text'>({ name: 'text', input }, []);
  }

  /** Returns the URLs of a sitemap file. Throws the errors of `sitemap.ts`, and the signal's reason when it aborts. */
  parseSitemap(body: Uint8Array, signal?: AbortSignal): Promise<ParsedSitemap> {
    const bytes = toTransferable(body);
    return this.#run<'sitemap'>({ name: 'sitemap', input: bytes }, [bytes.buffer], signal);
  }

  /** Parses a sitemap in a file on disk, like `parseSitemap`. */
  parseSitemapFile(path: string, signal?: AbortSignal): Promise<ParsedSitemap> {
    return this.#run<'sitemap-file'>({ name: 'sitemap-file', input: path }, [], signal);
  }

  /** Ends all threads; unfinished tasks fail with `PARSE_STOPPED`. The pool can be used again. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run<Name extends keyof ParsingTasks>(task: ParsingTask, transfer: ArrayBuffer[], signal?: AbortSignal) {
    return (await this.#pool.run(task, transfer, signal)) as ParsingTasks[Name]['output'];
  }
}

/** Returns bytes that can be transferred to a thread without copying; a view of a larger buffer is copied. */
function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const canTransfer =
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !isMarkedAsUntransferable(buffer);
  return canTransfer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** The parsing pool of this process. */
export const parsingPool = new ParsingPool();

/** The pool for files. They take longer than pages, and have a separate pool so that pages do not wait for them. */
export const filePool = new ParsingPool({ timeoutSeconds: config.PARSE_FILE_TIMEOUT_SECONDS });
