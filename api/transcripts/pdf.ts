/** Renders transcripts as PDF in a worker thread with a time and a memory limit. */
import { runExclusive } from '#shared/concurrency/keyed-mutex.ts';
import { ThreadPool } from '#shared/concurrency/thread-pool.ts';
import { AppError } from '#shared/errors.ts';
import type { TranscriptLine } from './transcript-lines.ts';

const MAX_CHARACTERS = 300_000;
const CUT_NOTICE = 'This transcript is truncated; the text version (messages.txt) is longer.';
/** Each project uses at most one of the threads, so that its documents do not delay those of other projects. */
const PDF_THREADS = 2;
/** Time limit for rendering one document. */
const TIMEOUT_SECONDS = 10;
const MEMORY_MIB = 256;

const limitExceeded = (limit: string) =>
  new AppError(422, 'PDF', `The PDF takes more than ${limit} to render; use the text version (messages.txt) instead`);

const pdfPool = new ThreadPool<TranscriptLine[], Uint8Array>({
  file: new URL('./pdf-thread.ts', import.meta.url),
  ...{ threads: PDF_THREADS, timeoutSeconds: TIMEOUT_SECONDS, memoryMib: MEMORY_MIB },
  errors: {
    timeout: (seconds) => limitExceeded(`${seconds} s`),
    memory: (mib) => limitExceeded(`${mib} MiB`),
    stopped: () => new Error('The PDF thread was stopped'),
  },
});

/** Takes lines up to the maximum length of a document. A notice replaces the text of the first line beyond it. */
const takeFitting = async (lines: AsyncIterable<TranscriptLine>): Promise<TranscriptLine[]> => {
  const all: TranscriptLine[] = [];
  let charsLeft = MAX_CHARACTERS;
  for await (const line of lines) {
    charsLeft -= line.text.length;
    all.push(charsLeft < 0 ? { ...line, text: CUT_NOTICE } : line);
    if (charsLeft < 0) break;
  }
  return all;
};

/** Renders the lines as PDF. The documents of one project are rendered one after the other. */
export async function* pdf(lines: AsyncIterable<TranscriptLine>, project = ''): AsyncGenerator<Uint8Array> {
  yield await runExclusive(`pdf ${project}`, async () => pdfPool.run(await takeFitting(lines)));
}
