/** Validates the arguments of the methods of a chunk index: the ids in them become parts of paths and filters. */
import { AppError } from '../errors.ts';
import type { IndexQuery, IndexRow, IndexSpace } from './chunk-index.ts';

const OBJECT_ID = /^[0-9a-f]{24}$/;
const CHUNK_ID = /^[0-9a-f]{16,64}$/;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const MAX_DIMENSION = 65_535;

const rejectArgument = (subject: string): never => {
  throw new AppError(400, 'INVALID_ID', `${subject} is not valid`);
};

const checkEach = (pattern: RegExp, values: string[], subject: string) => {
  for (const value of values) if (typeof value !== 'string' || !pattern.test(value)) rejectArgument(subject);
};

/** Throws 400 unless the project is an object id, because it becomes part of a path. */
export const checkProject = (project: string) => checkEach(OBJECT_ID, [project], 'The project');

/** Throws 400 unless the ids and the vector dimension of a namespace are valid, because they become part of a path. */
export function checkSpace({ project, namespace, dimension }: IndexSpace): void {
  checkProject(project);
  checkEach(OBJECT_ID, [namespace], 'The namespace');
  if (dimension === null) return;
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) rejectArgument('The dimension');
}

/** Throws 400 unless the attempts' ids are ULIDs: LanceDB filters have no parameters and contain the ids as text. */
export const checkAttemptIds = (attemptIds: string[]) => checkEach(ULID, attemptIds, "An attempt's id");

function checkVector(vector: Float32Array, dimension: number | null): void {
  if (vector.length !== dimension)
    rejectArgument(`A vector of dimension ${vector.length} in a namespace of dimension ${dimension}`);
  if (!vector.every(Number.isFinite)) rejectArgument('A vector with a number that is not finite');
}

/** Throws 400 unless the ids are valid and the vectors have the dimension that the namespace requires. */
export function checkRows({ dimension }: IndexSpace, rows: IndexRow[]): void {
  checkEach(
    CHUNK_ID,
    rows.map((row) => row.id),
    'A chunk',
  );
  checkEach(
    OBJECT_ID,
    rows.map((row) => row.content),
    'A content',
  );
  checkAttemptIds(rows.map((row) => row.attemptId));
  for (const { vector } of rows) if (vector) checkVector(vector, dimension);
}

/** Throws 400 unless the ids and the limit are valid and the vector has the dimension that the namespace requires. */
export function checkQuery({ dimension }: IndexSpace, { vector, limit, contents = [] }: IndexQuery): void {
  checkEach(OBJECT_ID, contents, 'A content');
  if (vector && dimension !== null) checkVector(vector, dimension);
  if (!Number.isInteger(limit) || limit < 1) rejectArgument('The limit');
}
