/** A typed client of the API for browsers, Node and other runtimes with `fetch`. It has no dependencies. */
import { type AnyInput, callOperation, type CallOptions } from './call.ts';
import { type Change, followChanges } from './changes.ts';
import { listRecords } from './pages.ts';
import type { InputArguments, ListedRecord, Operation, PagedOperation, Reply } from './types.ts';

export { ApiError } from './api-error.ts';
export type { Change } from './changes.ts';
export type * from './operations.d.ts';
export type { Input, ListedRecord, Operation, PagedOperation, Reply } from './types.ts';

export type ClientOptions = Pick<CallOptions, 'url'> & Partial<CallOptions>;

const DEFAULTS = { retries: 3, timeoutMs: 60_000 };

export interface Client {
  /** Calls an operation and returns its reply. */
  call<O extends Operation>(operation: O, ...input: InputArguments<O>): Promise<Reply<O>>;
  /** Yields the records of a list, page by page. */
  list<O extends PagedOperation>(operation: O, ...input: InputArguments<O>): AsyncGenerator<ListedRecord<O>>;
  /**
   * Yields the changes of a project in order, after a cursor or from now on, until the signal is aborted. Store the
   * cursor of the last change that you have handled, and pass it after a restart.
   */
  changes(project_id: string, start?: { after?: string; signal?: AbortSignal }): AsyncGenerator<Change>;
  /** Returns a client in which the given options replace those of this client. */
  with(options: Partial<ClientOptions>): Client;
}

/**
 * Creates a client. It repeats calls that fail temporarily; a POST takes effect only once. A POST with a streamed reply
 * is repeated only after 429 or 503 with `Retry-After`, with which the server refuses a call or reports that a database
 * is unavailable.
 */
export const createClient = (given: ClientOptions): Client => {
  const options = { fetch: globalThis.fetch.bind(globalThis), ...DEFAULTS, ...given };
  return {
    call: async <O extends Operation>(operation: O, ...[input]: InputArguments<O>) =>
      (await callOperation(operation, input, options)).reply as Reply<O>,

    list: <O extends PagedOperation>(operation: O, ...[input]: InputArguments<O>) =>
      listRecords(
        (query) => callOperation(operation, { ...(input as AnyInput), query }, options),
        (input as AnyInput | undefined)?.query,
      ) as AsyncGenerator<ListedRecord<O>>,

    changes: (project_id, { after, signal } = {}) =>
      followChanges(
        (query) =>
          callOperation(
            'GET /v3/{project_id}/changes',
            { path: { project_id }, query },
            { ...options, signal: signal ?? options.signal },
          ),
        { after, signal: signal ?? options.signal },
      ),

    with: (changes) => createClient({ ...given, ...changes }),
  };
};
