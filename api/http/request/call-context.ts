/** The implementation of `Call` on a Koa context. */
import type { Context } from 'koa';
import type { Actor } from '../auth/actor.ts';
import { reauthorize } from '../auth/authorize.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { Upload } from './upload.ts';

/** The validated input and the authorized actor of a call. */
interface CallInput {
  query: unknown;
  body: unknown;
  actor: Actor;
  project: string;
  upload?: Upload;
}

/**
 * The argument of a handler. A class, not an object literal: V8 keeps the getters of a literal, and with them the whole
 * request, in memory until the next full garbage collection.
 */
export class CallContext implements Call<Record<string, string>, unknown, unknown> {
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor;
  readonly project: string;
  readonly upload?: Upload;
  readonly #ctx: Context;
  readonly #endpoint: Endpoint;

  constructor(ctx: Context, endpoint: Endpoint, { query, body, actor, project, upload }: CallInput) {
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

  /** Created on access, because most handlers do not use it. */
  get signal(): AbortSignal {
    const { res } = this.#ctx;
    const disconnected = new AbortController();
    res.once('close', () => {
      if (!res.writableFinished) disconnected.abort();
    });
    if (res.destroyed) disconnected.abort();
    return disconnected.signal;
  }

  get reauthorize(): () => Promise<Actor> {
    return () => reauthorize(this.#ctx, this.#endpoint, this.project);
  }
}
