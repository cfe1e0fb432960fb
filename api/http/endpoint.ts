/** The declaration of an endpoint, from which its route, types, validation, authorization and API docs are derived. */
import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Actor, Role } from './auth/authenticate.ts';
import type { AcceptedUpload, ListUpload, Upload } from './request/accepted-upload.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The access of a caller that stays connected after its call. */
export interface CallerAccess {
  /** The value of the `Authorization` header. */
  authorization: string;
  /** Authenticates the caller again. Throws 401 if its credentials are no longer valid. */
  authenticate(): Promise<Actor>;
  /** Returns the actor with its current role in a project. Throws 401 or 403 if it has no access. */
  actorIn(project: string): Promise<Actor>;
  /**
   * Counts a call of the connected caller and waits until the pace of the caller allows it. Throws 429 if a rate limit
   * is exceeded.
   */
  countCall(actor: Actor): Promise<void>;
}

/** The argument of a handler: validated input and the actor, without access to the connection. */
export interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  actor: Actor;
  /** The project in the path; empty if the path has none. */
  project: string;
  /** The uploaded file of an endpoint with `uploads`; deleted when the handler returns. */
  upload?: Upload;
  /** The caller's IP address. */
  ip: string;
  /** The `User-Agent` header. */
  userAgent: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** Authenticates and authorizes the call again, for long responses. Throws 401 or 403 if access has been lost. */
  reauthorize(): Promise<Actor>;
  /** The caller's credentials, for connections that outlast the call. */
  access: CallerAccess;
}

/** A response of server-sent events. The `frames` are already in the format of the protocol and are sent unchanged. */
export class EventStream {
  readonly frames: AsyncIterable<string>;
  constructor(frames: AsyncIterable<string>) {
    this.frames = frames;
  }
}

/** The acceptance of a WebSocket; `onOpen` is called when the handshake is complete. */
export class SocketUpgrade {
  readonly onOpen: (socket: WebSocket) => void;
  constructor(onOpen: (socket: WebSocket) => void) {
    this.onOpen = onOpen;
  }
}

/**
 * A response of any length that is sent while it is generated, until the caller disconnects. With a `name` it is a file
 * attachment. Its media type is the `downloads` or `alternative` of the endpoint.
 */
export class Download {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly name?: string;
  /** The content of the style element of an HTML page. The browser blocks any other style. */
  readonly styles?: string;
  constructor(pieces: AsyncIterable<string | Uint8Array>, name?: string, styles?: string) {
    this.pieces = pieces;
    this.name = name;
    this.styles = styles;
  }
}

/**
 * A page of a list: an array, or records that are read while they are sent. The header `X-Next-Cursor` holds the cursor
 * of the next page.
 */
export class Listing {
  readonly items: unknown[] | AsyncIterable<unknown>;
  readonly nextCursor: string | null;
  constructor(items: unknown[] | AsyncIterable<unknown>, nextCursor: string | null) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}

/** A stored file. It is sent with an `ETag`, and supports range requests. */
export class FileContent {
  readonly name: string;
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
  readonly etag: string;
  readonly modifiedAt: Date;
  /** Whether a browser must save the file instead of showing it. */
  readonly isAttachment: boolean;
  /** Opens the bytes, or those from `start` to `end` (inclusive). */
  readonly open: (range?: { start: number; end: number }) => Promise<Readable>;

  constructor(file: Omit<FileContent, 'constructor'>) {
    this.name = file.name;
    this.type = file.type;
    this.size = file.size;
    this.etag = file.etag;
    this.modifiedAt = file.modifiedAt;
    this.isAttachment = file.isAttachment;
    this.open = file.open;
  }
}

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;
type OptionalSchema = z.ZodType | undefined;
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** An endpoint as a resource declares it, usually in a file named `endpoints.ts` or `…-endpoints.ts`. */
export interface EndpointDeclaration<
  Path extends string,
  Query extends OptionalSchema,
  Body extends OptionalSchema,
  Reply extends z.ZodType,
> {
  method: Method;
  /** Path of the route; the parameter of the project is always `:project_id`. */
  path: Path;
  /**
   * Minimum role. `none`: no credentials required. `any`: valid credentials, but no membership required.
   * `instance-admin`: instance administrators only, on paths without a project.
   */
  role: Role;
  /** The programs of the project that may also call the endpoint: `all`, or only `subscriptions`; none by default. */
  programs?: 'all' | 'subscriptions';
  /** Also serves disabled projects, which other endpoints reject. */
  allowDisabledProject?: boolean;
  /** A short description for the documentation. */
  summary: string;
  query?: Query;
  body?: Body;
  reply: Reply;
  /** The status of a successful response; 200 by default. */
  status?: 201;
  /** Other methods and paths of this endpoint, which deployed clients use. */
  aliases?: { method?: Method; path?: string }[];
  /**
   * Error message for each required parameter. If the parameter is absent, the response is 400 instead of 422, because
   * deployed clients rely on this status.
   */
  missingParameterErrors?: Record<string, string>;
  /** Status codes in addition to the common ones, with their meaning, for the documentation. */
  errors?: Record<number, string>;
  /**
   * The record that the endpoint changes, and the path parameter that holds its id. Enables `If-Match`. `project` is
   * the `id_project` of the record if the path has no project.
   */
  record?: { collection: string; parameter?: string; project?: string };
  /** `max-age` of the response in seconds. After this time, clients revalidate the response with its `ETag`. */
  cacheSeconds?: number;
  /** The response header that repeats the `secret` field of the reply, because deployed clients read it. */
  secretHeader?: string;
  /** `bulk` limits the body to BULK_BODY_LIMIT instead of JSON_BODY_LIMIT. */
  bodySize?: 'normal' | 'bulk';
  /** Accepts a file instead of a JSON body: in a form field, or as the body. */
  uploads?: AcceptedUpload;
  /** Accepts a JSON body, or a form whose file becomes a list in the body. */
  listUpload?: ListUpload;
  /** The rate limit of a call: `token` by default; `signin` for sign-in attempts (SIGNIN_LIMIT_POINTS). */
  limit?: 'token' | 'signin';
  /** The points of the rate limit that a call costs; 1 by default. */
  points?: number;
  /**
   * A function: responds with server-sent events if the function returns true for the body. `only`: always responds
   * with them, and resumes after `Last-Event-ID`.
   */
  streams?: 'only' | ((body: SchemaOutput<Body>) => boolean);
  /** Opens a WebSocket: returns a `SocketUpgrade`. Accepts credentials in the URL. */
  sockets?: true;
  /** Returns a `Listing`. */
  lists?: true;
  /** Long poll: waits for up to `wait` seconds (query parameter) and meanwhile occupies a stream slot of the caller. */
  waits?: true;
  /** Responds with text or a file of this media type, or with a `FileContent`; `reply` must be a string schema. */
  downloads?: string;
  /** Responds with a `Download` of this media type if the query requests it. */
  alternative?: string;
  handle(
    call: Call<PathParams<Path>, SchemaOutput<Query>, SchemaOutput<Body>>,
  ): Promise<z.input<Reply> | EventStream | SocketUpgrade | Download | Listing | FileContent>;
}

/** A declared endpoint without its type parameters. */
export interface Endpoint
  extends Omit<EndpointDeclaration<string, OptionalSchema, OptionalSchema, z.ZodType>, 'handle'> {
  handle(call: Call<Record<string, string>, unknown, unknown>): Promise<unknown>;
}

/** Declares an endpoint, and infers the types of its handler. */
export const endpoint = <
  Path extends string,
  Reply extends z.ZodType,
  Query extends OptionalSchema = undefined,
  Body extends OptionalSchema = undefined,
>(
  declaration: EndpointDeclaration<Path, Query, Body, Reply>,
): Endpoint => declaration as unknown as Endpoint;

/** The route of the endpoint, then those of its aliases. */
export const routesOf = ({ method, path, aliases = [] }: Endpoint): { method: Method; path: string }[] => [
  { method, path },
  ...aliases.map((alias) => ({ method: alias.method ?? method, path: alias.path ?? path })),
];
