import { AppError } from '#shared/errors.ts';
import type { Question, Row, Space } from './chunk-index.ts';

const OBJECT_ID = /^[0-9a-f]{24}$/;
const CHUNK_ID = /^[0-9a-f]{16,64}$/;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const MAX_DIMENSION = 65_535;

const refuse = (what: string): never => {
  throw new AppError(400, 'INVALID_ID', `${what} is not valid`);
};

const every = (pattern: RegExp, values: string[], what: string) => {
  // `$` alone would let a newline at the end pass into a path or a filter.
  for (const value of values)
    if (typeof value !== 'string' || value.includes('\n') || !pattern.test(value)) refuse(what);
};

/** Throws 400 unless the project is a plain id: it becomes part of a path. */
export const checkProject = (project: string) => every(OBJECT_ID, [project], 'The project');

/** Throws 400 unless all parts of the space are plain: they become part of a path. */
export function checkSpace({ project, namespace, dimension }: Space): void {
  checkProject(project);
  every(OBJECT_ID, [namespace], 'The namespace');
  if (dimension === null) return;
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) refuse('The dimension');
}

/** Throws 400 unless the attempts are plain: they become part of a filter, and LanceDB's filters have no parameters. */
export const checkAttempts = (attempts: string[]) => every(ULID, attempts, 'An attempt');

function checkVector(vector: Float32Array, dimension: number | null): void {
  if (vector.length !== dimension) refuse(`A vector of ${vector.length} numbers in a space of ${dimension}`);
  if (!vector.every(Number.isFinite)) refuse('A vector with a number that is none');
}

/** Throws 400 unless ids are plain and vectors fit the space. */
export function checkRows({ dimension }: Space, rows: Row[]): void {
  every(
    CHUNK_ID,
    rows.map((row) => row.id),
    'A chunk',
  );
  every(
    OBJECT_ID,
    rows.map((row) => row.content),
    'A content',
  );
  checkAttempts(rows.map((row) => row.attempt));
  for (const { vector } of rows) if (vector) checkVector(vector, dimension);
}

/** Throws 400 unless the contents are plain and the vector fits the space. */
export function checkQuestion({ dimension }: Space, { vector, limit, contents = [] }: Question): void {
  every(OBJECT_ID, contents, 'A content');
  if (vector && dimension !== null) checkVector(vector, dimension);
  if (!Number.isInteger(limit) || limit < 1) refuse('The limit');
}
