import type { Context } from 'koa';
import type { Actor } from './actor.ts';
import { readmit } from './admit.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Upload } from './upload.ts';

/** What was checked before the handler is called. */
interface Checked {
  query: unknown;
  body: unknown;
  actor: Actor;
  project: string;
  upload?: Upload;
}

/**
 * A call, as its handler sees it. A class: V8 keeps every getter that a literal makes with the literal's shape, and
 * with it the whole request, until the next collection of the whole heap.
 */
export class Asked implements Call<Record<string, string>, unknown, unknown> {
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor;
  readonly project: string;
  readonly upload?: Upload;
  readonly #ctx: Context;
  readonly #endpoint: Endpoint;

  constructor(ctx: Context, endpoint: Endpoint, { query, body, actor, project, upload }: Checked) {
    this.query = query;
    this.body = body;
    this.actor = actor;
    this.project = project;
    this.upload = upload;
    this.#ctx = ctx;
    this.#endpoint = endpoint;
  }

  get params(): Record<string, string> {
    return this.#ctx.params;
  }

  get ip(): string {
    return this.#ctx.ip;
  }

  get userAgent(): string {
    return this.#ctx.get('user-agent');
  }

  /** Made for those who ask: most handlers are done before anybody could leave. */
  get signal(): AbortSignal {
    const { res } = this.#ctx;
    const gone = new AbortController();
    res.once('close', () => {
      if (!res.writableFinished) gone.abort();
    });
    if (res.destroyed) gone.abort();
    return gone.signal;
  }

  get admitted(): () => Promise<Actor> {
    return () => readmit(this.#ctx, this.#endpoint, this.project);
  }
}
