/** Imports questions with their answers from a CSV file. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { AppError, invalidField } from '../../errors.ts';
import { addMany, MAX_CONTENTS_PER_CALL } from './contents.ts';

/** The delimiter in files of deployed clients, which do not specify one. */
const DEFAULT_DELIMITER = ';';
/** Maximum numbers of characters of a question and of its answer. */
const MAX_QUESTION_CHARACTERS = 4096;
const MAX_ANSWER_CHARACTERS = 400_000;

interface FaqFile {
  namespace: string;
  delimiter?: string;
  tags?: string[];
  situated_context?: boolean;
}

interface Row {
  record: string[];
  info: { lines: number };
}

const rowError = (line: number, problem: string) => invalidField('uploadFile', `line ${line} ${problem}`, 'bad_row');

const readRow = ({ record: [question = '', answer = ''], info: { lines } }: Row) => {
  if (!question) throw rowError(lines, 'has no question in its first column');
  if (!answer) throw rowError(lines, 'has no answer in its second column; check the delimiter');
  if (question.length > MAX_QUESTION_CHARACTERS)
    throw rowError(lines, `has a question of over ${MAX_QUESTION_CHARACTERS} characters`);
  if (answer.length > MAX_ANSWER_CHARACTERS)
    throw rowError(lines, `has an answer of over ${MAX_ANSWER_CHARACTERS} characters`);
  return { source: question, name: question.slice(0, 1000), content: `${question}\n${answer}` };
};

const readRows = async (pieces: AsyncIterable<Buffer>, delimiter: string) => {
  const rows: ReturnType<typeof readRow>[] = [];
  const options = { delimiter, bom: true, trim: true, skip_empty_lines: true, relax_column_count: true, info: true };
  const parser = Readable.from(pieces).pipe(parse({ ...options, record_delimiter: ['\r\n', '\n', '\r'] }));
  try {
    for await (const row of parser as AsyncIterable<Row>) {
      if (rows.length === MAX_CONTENTS_PER_CALL)
        throw invalidField('uploadFile', `has more than ${MAX_CONTENTS_PER_CALL} rows`);
      rows.push(readRow(row));
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(400, 'BAD_CSV', (error as Error).message);
  }
  if (!rows.length) throw invalidField('uploadFile', 'contains no rows');
  return rows;
};

/**
 * Adds a FAQ content for each row: the question is in the first column, the answer in the second, and there is no
 * header. The whole file is checked first. Returns the contents. Errors: 400 for malformed CSV, 422 for an invalid row,
 * for a file without rows and for a file with too many.
 */
export const addFaqFile = async (
  id_project: string,
  pieces: AsyncIterable<Buffer>,
  { namespace, delimiter = DEFAULT_DELIMITER, tags, situated_context }: FaqFile,
) => {
  const rows = await readRows(pieces, delimiter);
  return addMany(
    id_project,
    rows.map((row) => ({ ...row, namespace, type: 'faq', tags, situated_context })),
    'csv',
  );
};
