/** What an endpoint is: one declaration from which route, types, validation, roles and OpenAPI come. */
import type { z } from 'zod';
import type { Actor, Role } from './actor.ts';
import type { Accepted, Upload } from './upload.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a handler sees: checked values and who asks, never the connection. */
export interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  actor: Actor;
  /** The project of the path; empty where the path has none. */
  project: string;
  /** The file that an endpoint with `uploads` was sent; it is gone with the call. */
  upload?: Upload;
  /** The caller's address. */
  ip: string;
  /** The `User-Agent` it sent. */
  userAgent: string;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** Who asks, asked again, for answers that take long: throws as at the start once the access is lost. */
  admitted(): Promise<Actor>;
}

/** An answer sent as server-sent events, as they go over the wire. */
export class EventStream {
  readonly frames: AsyncIterable<string>;
  constructor(frames: AsyncIterable<string>) {
    this.frames = frames;
  }
}

/** An answer sent as it is made: of any length, and no further once the caller has left. Under its name it is a file to be kept. */
export class Download {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly name?: string;
  constructor(pieces: AsyncIterable<string | Uint8Array>, name?: string) {
    this.pieces = pieces;
    this.name = name;
  }
}

/** A page of a list that is answered as an array: held, or read as it is sent. The header `X-Next-Cursor` names the next page. */
export class Listing {
  readonly items: unknown[] | AsyncIterable<unknown>;
  readonly next: string | null;
  constructor(items: unknown[] | AsyncIterable<unknown>, next: string | null) {
    this.items = items;
    this.next = next;
  }
}

type Input<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type Schema = z.ZodType | undefined;
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** An endpoint as written down in a resource's `endpoints.ts`. */
export interface Declaration<Path extends string, Query extends Schema, Body extends Schema, Reply extends z.ZodType> {
  method: Method;
  /** Route under the server's root; the project's id is always `:project_id`. */
  path: Path;
  /** Least role; `none`: no credentials needed, `any`: valid credentials, no membership. */
  role: Role;
  /** Tokens of the project's bots and webhook subscriptions pass too, or those of subscriptions alone. */
  bots?: boolean | 'subscriptions';
  /** Answers for a project that was closed too, as no other endpoint does. */
  closedToo?: boolean;
  /** One sentence for the documentation. */
  summary: string;
  query?: Query;
  body?: Body;
  reply: Reply;
  /** Other methods and paths of the same endpoint (decisions 2 and 38). */
  aliases?: { method?: Method; path?: string }[];
  /** Names whose absence is 400 with this text instead of 422 (contract's older errors). */
  missing?: Record<string, string>;
  /** Codes beyond the common ones, with what they mean, for the documentation. */
  errors?: Record<number, string>;
  /** The one record that it changes, by the parameter that names it: `If-Match` tells at which versions (decision 43). */
  record?: { in: string; by?: string };
  /** Seconds for which the caller may keep the answer; afterwards it asks whether it still holds (`ETag`, 304). */
  keepFor?: number;
  /** `bulk`: the larger body limit (decision 41). */
  size?: 'normal' | 'bulk';
  /** Takes a file of this type and of at most so many bytes in place of a body, or in a form as `uploadFile`. */
  uploads?: Accepted;
  /** `signin`: the tighter limit of sign-in (decision 29). */
  limit?: 'normal' | 'signin';
  /** Answers server-sent events where the body says `stream: true`; `only`: always, and goes on after `Last-Event-ID`. */
  streams?: true | 'only';
  /** Answers a `Listing`. */
  lists?: true;
  /** Waits for as many seconds as `wait` of its query says: it holds one of the caller's slots meanwhile. */
  waits?: true;
  /** Answers a text or file of this media type; `reply` is a text then. */
  downloads?: string;
  handle(
    call: Call<PathParams<Path>, Input<Query>, Input<Body>>,
  ): Promise<z.input<Reply> | EventStream | Download | Listing>;
}

/** An endpoint as the machine holds it. */
export interface Endpoint extends Omit<Declaration<string, Schema, Schema, z.ZodType>, 'handle'> {
  handle(call: Call<Record<string, string>, unknown, unknown>): Promise<unknown>;
}

/** Declare an endpoint. */
export const endpoint = <
  Path extends string,
  Reply extends z.ZodType,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  declaration: Declaration<Path, Query, Body, Reply>,
): Endpoint => declaration as unknown as Endpoint;

/** The endpoint's own route and its aliases, most specific spelling first. */
export const routesOf = ({ method, path, aliases = [] }: Endpoint): { method: Method; path: string }[] => [
  { method, path },
  ...aliases.map((alias) => ({ method: alias.method ?? method, path: alias.path ?? path })),
];
