/** Where the rest of the system has untrusted bytes read: off its own thread, within bounds, first come first served. */
import { isMarkedAsUntransferable } from 'node:worker_threads';
import { config } from '#shared/config.ts';
import { Lane, type LaneOptions, stopped, type Waiting } from './lane.ts';
import type { PageInput, ParsedPage, ParsedSitemap, Task, Tasks, TextInput } from './protocol.ts';

export type { Chunk } from './chunks.ts';
export type { PageInput, ParsedPage, ParsedSitemap, TextInput } from './protocol.ts';

const defaults: LaneOptions & { threads: number } = {
  threads: 1,
  timeout: config.PARSE_TIMEOUT,
  memory: config.PARSE_MEMORY,
  chunkTokens: config.CHUNK_TOKENS,
  sitemapBytes: config.SITEMAP_MAX_BYTES,
  sitemapUrls: config.SITEMAP_MAX_URLS,
};

/**
 * Threads that read pages, texts and sitemaps; none starts before the first task, and an idle one keeps no process alive.
 * A source that takes too long or too much fails alone, with `PARSE_TIMEOUT` or `PARSE_MEMORY`. Bodies given to it are gone for the caller.
 */
export class ParsingPool {
  readonly #lanes: Lane[];
  readonly #queue: Waiting[] = [];

  constructor(options: Partial<typeof defaults> = {}) {
    const { threads, ...rest } = { ...defaults, ...options };
    this.#lanes = Array.from({ length: threads }, () => new Lane(rest, () => this.#next()));
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
  async close(): Promise<void> {
    const left = this.#queue.splice(0);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    for (const { reject } of left) reject(stopped());
  }

  /** An aborted task leaves the queue; one under way is not waited for, and ends within its limits. */
  async #run<Name extends keyof Tasks>(
    task: Task,
    transfer: ArrayBuffer[],
    signal?: AbortSignal,
  ): Promise<Tasks[Name]['output']> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ParsedPage | ParsedSitemap>();
    const waiting = { task, transfer, resolve, reject };
    const leave = () => this.#leave(waiting, signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.push(waiting);
    this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #leave(waiting: Waiting, reason: Error): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.reject(reason);
  }

  #next(): void {
    const lane = this.#lanes.find(({ busy }) => !busy);
    const waiting = lane && this.#queue.shift();
    if (waiting) lane.take(waiting);
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
