/** A transcript as PDF, made in a thread that is ended when it takes too long. */
import { AppError } from '#shared/errors.ts';
import { inLine } from '#shared/in-line.ts';
import { ThreadPool } from '#shared/threads/pool.ts';
import type { Line } from './lines.ts';

const MOST_CHARS = 300_000;
const REST = 'What was said after this is in the text version.';
/** A project has one of them at most, so that another project's documents do not wait for it. */
const THREADS = 2;
/** Seconds of work for one document. */
const TIMEOUT = 10;
const MEMORY = 256;

const tooMuch = (what: string) =>
  new AppError(422, 'PDF', `Making the PDF takes more than ${what}; read the text version, messages.txt`);

const pool = new ThreadPool<Line[], Uint8Array>({
  file: new URL('./pdf-thread.ts', import.meta.url),
  ...{ threads: THREADS, timeout: TIMEOUT, memory: MEMORY },
  errors: {
    timeout: (seconds) => tooMuch(`${seconds} s`),
    memory: (mib) => tooMuch(`${mib} MiB`),
    stopped: () => new Error('The thread for PDFs was stopped'),
  },
});

/** The lines as far as a document of a reasonable length goes; the last words of a cut one say so. */
const fitting = async (lines: AsyncIterable<Line>): Promise<Line[]> => {
  const all: Line[] = [];
  let left = MOST_CHARS;
  for await (const line of lines) {
    left -= line.text.length;
    all.push(left < 0 ? { ...line, text: REST } : line);
    if (left < 0) break;
  }
  return all;
};

/** The lines as a PDF. The documents of one project are made one after the other. */
export async function* pdf(lines: AsyncIterable<Line>, project = ''): AsyncGenerator<Uint8Array> {
  yield await inLine(`pdf ${project}`, async () => pool.run(await fitting(lines)));
}
