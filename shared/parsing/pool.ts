/** Where the rest of the system has untrusted bytes read: off its own thread, within bounds, first come first served. */
import { isMarkedAsUntransferable } from 'node:worker_threads';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { ThreadPool } from '#shared/threads/pool.ts';
import type { PageInput, ParsedPage, ParsedSitemap, Task, Tasks, TextInput } from './protocol.ts';

export type { Chunk } from './chunks.ts';
export type { PageInput, ParsedPage, ParsedSitemap, TextInput } from './protocol.ts';

const defaults = {
  threads: 1,
  timeout: config.PARSE_TIMEOUT,
  memory: config.PARSE_MEMORY,
  chunkTokens: config.CHUNK_TOKENS,
  sitemapBytes: config.SITEMAP_MAX_BYTES,
  sitemapUrls: config.SITEMAP_MAX_URLS,
};

const tooMuch = (code: string, what: string) =>
  new AppError(422, code, `Reading the source took more than ${what}; link a smaller or simpler page.`);

const errors = {
  timeout: (seconds: number) => tooMuch('PARSE_TIMEOUT', `${seconds} s`),
  memory: (mib: number) => tooMuch('PARSE_MEMORY', `${mib} MiB`),
  /** Not the source's fault: an ordinary error, so that a job tries again. */
  stopped: () => Object.assign(new Error('The parsing thread was stopped'), { code: 'PARSE_STOPPED' }),
};

/**
 * Threads that read pages, texts and sitemaps; none starts before the first task, and an idle one keeps no process alive.
 * A source that takes too long or too much fails alone, with `PARSE_TIMEOUT` or `PARSE_MEMORY`. Bodies given to it are gone for the caller.
 */
export class ParsingPool {
  readonly #pool: ThreadPool<Task, ParsedPage | ParsedSitemap>;

  constructor(options: Partial<typeof defaults> = {}) {
    const { threads, timeout, memory, ...data } = { ...defaults, ...options };
    const file = new URL('./thread.ts', import.meta.url);
    this.#pool = new ThreadPool({ file, data, threads, timeout, memory, errors });
  }

  /** The chunks of a fetched page; also throws `NOT_TEXT` and `NO_TEXT`. */
  parsePage(input: PageInput): Promise<ParsedPage> {
    const body = movable(input.body);
    return this.#run<'page'>({ name: 'page', input: { ...input, body } }, [body.buffer]);
  }

  /** The chunks of a Markdown or plain text; none for an empty one. */
  parseText(input: TextInput): Promise<ParsedPage> {
    return this.#run<'text'>({ name: 'text', input }, []);
  }

  /** The addresses of a sitemap file; throws what `sitemap.ts` does, and the reason of the signal. */
  parseSitemap(body: Uint8Array, signal?: AbortSignal): Promise<ParsedSitemap> {
    const own = movable(body);
    return this.#run<'sitemap'>({ name: 'sitemap', input: own }, [own.buffer], signal);
  }

  /** The same for a sitemap in a file. */
  parseSitemapFile(path: string, signal?: AbortSignal): Promise<ParsedSitemap> {
    return this.#run<'sitemap-file'>({ name: 'sitemap-file', input: path }, [], signal);
  }

  /** End all threads; tasks not done fail with `PARSE_STOPPED`. The pool can be used again. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run<Name extends keyof Tasks>(task: Task, transfer: ArrayBuffer[], signal?: AbortSignal) {
    return (await this.#pool.run(task, transfer, signal)) as Tasks[Name]['output'];
  }
}

/** Bytes that own their memory and so can move to another thread uncopied; a part of a larger buffer is copied. */
function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const moves = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !isMarkedAsUntransferable(buffer);
  return moves ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** The pool of this process. */
export const parsing = new ParsingPool();
