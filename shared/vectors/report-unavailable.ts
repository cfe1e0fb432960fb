/** Makes a chunk index report every failure of its store as an unavailable index. */
import { AppError } from '../errors.ts';
import { type ChunkIndex, IndexUnavailableError } from './chunk-index.ts';

const toUnavailable = (error: unknown): unknown =>
  error instanceof AppError ? error : new IndexUnavailableError({ cause: error });

const guard =
  <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    try {
      return await call(...args);
    } catch (error) {
      throw toUnavailable(error);
    }
  };

async function* guardEach<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/**
 * Returns an index that throws `IndexUnavailableError` instead of any error that is not an `AppError`. A full disk, an
 * unreadable folder or a wrong API key is not the fault of the content that is being indexed, and a later call may
 * succeed.
 */
export const reportUnavailable = (index: ChunkIndex): ChunkIndex => ({
  name: index.name,
  type: index.type,
  add: guard((space, rows) => index.add(space, rows)),
  addVectors: guard((space, rows) => index.addVectors(space, rows)),
  dropVectors: guard((space) => index.dropVectors(space)),
  removeAttempts: guard((space, attemptIds) => index.removeAttempts(space, attemptIds)),
  drop: guard((space) => index.drop(space)),
  dropProject: guard((project) => index.dropProject(project)),
  search: guard((space, question) => index.search(space, question)),
  countMatches: guard((space, word) => index.countMatches(space, word)),
  entries: (space) => guardEach(index.entries(space)),
  maintain: guard((space) => index.maintain(space)),
  identity: guard(() => index.identity()),
  ready: guard(() => index.ready()),
  close: guard(() => index.close()),
});
