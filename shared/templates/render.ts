/** Texts with places to be filled in. Their writers are not trusted: each is rendered in a thread that is ended when it takes too long. */
import { AppError, invalidField } from '../errors.ts';
import { inLine } from '../in-line.ts';
import { ThreadPool } from '../threads/pool.ts';
import type { Rendering } from './thread.ts';

const MOST_CHARACTERS = 32_000;
/** A project has one of them at most, so that another project's templates do not wait for it. */
const THREADS = 2;
/** Seconds of work for one template. */
const TIMEOUT = 0.5;
const PATIENCE = 40;
const MEMORY = 64;

const pool = new ThreadPool<Rendering, string>({
  file: new URL('./thread.ts', import.meta.url),
  ...{ threads: THREADS, timeout: TIMEOUT, patience: PATIENCE, memory: MEMORY },
  errors: {
    timeout: (seconds) => new AppError(422, 'TEMPLATE', `The template takes more than ${seconds} s; make it simpler`),
    memory: (mib) => new AppError(422, 'TEMPLATE', `The template takes more than ${mib} MiB; make it simpler`),
    stopped: () => new Error('The thread for templates was stopped'),
  },
});

/**
 * The text that a template makes of plain values; 422, which names `text`, for a template that is broken or goes beyond its limits.
 * The templates of one project are rendered one after the other.
 */
export const render = async (template: string, values: Record<string, unknown>, project = ''): Promise<string> => {
  const task = { template, values: JSON.stringify(values), most: MOST_CHARACTERS };
  try {
    return await inLine(`templates ${project}`, () => pool.run(task));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField('text', error.message, 'template');
  }
};
