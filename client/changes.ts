/** Follows the changes of a project. */
import { ApiError } from './api-error.ts';
import type { ListReply } from './call.ts';

const WAIT_SECONDS = 25;

/** A change of a record, or a `gap`: a notice that changes before its cursor may be missing. List the records again. */
export interface Change {
  /** Position in the log. Pass it as `after` to continue with the next change. */
  cursor: string;
  /** Id of the change, the same in repeated deliveries. Absent for a gap. */
  id?: string;
  /** For example `message.create`, or `gap`. */
  event: string;
  createdAt?: string;
  payload?: unknown;
}

interface ChangesPage {
  changes: Change[];
  next: string;
}
type ReadChanges = (query: Record<string, unknown>) => Promise<ListReply>;

/** Returns a page of changes. If the API reports that changes may be missing, returns a page with a gap instead. */
const readPage = async (read: () => Promise<ListReply>): Promise<ChangesPage> => {
  try {
    return (await read()).reply as ChangesPage;
  } catch (error) {
    if (!(error instanceof ApiError && error.next)) throw error;
    return { changes: [{ cursor: error.next, event: 'gap' }], next: error.next };
  }
};

/** Yields changes until the signal is aborted. */
export async function* followChanges(
  read: ReadChanges,
  { after, signal }: { after?: string | undefined; signal?: AbortSignal | undefined },
): AsyncGenerator<Change> {
  let cursor = after;
  try {
    while (!signal?.aborted) {
      const query = cursor === undefined ? {} : { after: cursor, wait: WAIT_SECONDS };
      const { changes, next } = await readPage(() => read(query));
      yield* changes;
      cursor = next;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
