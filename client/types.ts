/** Types derived from the operations of the API. */
import type { Operations } from './operations.d.ts';

/** An operation: its method and path, for example `GET /v3/{project_id}/tags`. */
export type Operation = keyof Operations;

/** What an operation returns. */
export type Reply<O extends Operation> = Operations[O]['reply'];

/** What an operation accepts: `path`, `query` and `body`. A file is passed as `FormData` or as bytes. */
export type Input<O extends Operation> = {
  [Part in keyof Operations[O] as Exclude<Part, 'reply'>]: Part extends 'body'
    ? Operations[O][Part] | FormData
    : Operations[O][Part];
};

/** The arguments after the operation. The input may be absent if none of its parts is required. */
export type InputArguments<O extends Operation> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

/** The operations that return a list in pages. */
export type PagedOperation = {
  [O in Operation]: Operations[O] extends { query?: infer Query }
    ? 'page' extends keyof NonNullable<Query>
      ? O
      : 'cursor' extends keyof NonNullable<Query>
        ? O
        : never
    : never;
}[Operation];

/** A record of a list: an element of the reply, or of the array in it. */
export type ListedRecord<O extends Operation> =
  Reply<O> extends (infer Element)[]
    ? Element
    : { [K in keyof Reply<O>]: Reply<O>[K] extends (infer Element)[] ? Element : never }[keyof Reply<O>];
