/**
 * Renders templates: Liquid in messages, Handlebars in emails. Their authors are not trusted, so a template is rendered
 * in a thread that is terminated if it exceeds a time or memory limit.
 */
import { runExclusive } from '../concurrency/keyed-mutex.ts';
import { ThreadPool } from '../concurrency/thread-pool.ts';
import { AppError, invalidField } from '../errors.ts';
import type { RenderTask } from './thread.ts';

const MAX_CHARACTERS = 32_000;
const MAX_MAIL_CHARACTERS = 500_000;
/** A project uses one thread at a time, so that its templates do not block the templates of other projects. */
const THREAD_COUNT = 2;
/** Limit on the CPU time of one template. */
const TIMEOUT_SECONDS = 0.5;
const WALL_CLOCK_FACTOR = 40;
const MEMORY_MIB = 64;

const pool = new ThreadPool<RenderTask, string>({
  file: new URL('./thread.ts', import.meta.url),
  threads: THREAD_COUNT,
  timeoutSeconds: TIMEOUT_SECONDS,
  wallClockFactor: WALL_CLOCK_FACTOR,
  memoryMib: MEMORY_MIB,
  errors: {
    timeout: (seconds) =>
      new AppError(422, 'TEMPLATE_INVALID', `The template takes more than ${seconds} s; make it simpler`),
    memory: (mib) => new AppError(422, 'TEMPLATE_INVALID', `The template takes more than ${mib} MiB; make it simpler`),
    stopped: () => new Error('The template thread was stopped'),
  },
});

/** Renders the templates of a project one after the other. */
const runInTurn = (task: RenderTask, project: string): Promise<string> =>
  runExclusive(`templates ${project}`, () => pool.run(task));

/**
 * Renders a template of a message with JSON values. Throws a 422 for the field `text` if the template is invalid or
 * exceeds a limit.
 */
export const renderTemplate = async (
  template: string,
  values: Record<string, unknown>,
  project = '',
): Promise<string> => {
  const task = { template, values: JSON.stringify(values), maxCharacters: MAX_CHARACTERS, syntax: 'liquid' } as const;
  try {
    return await runInTurn(task, project);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField('text', error.message, 'template');
  }
};

/** A rendered part of an email. */
export interface RenderedMail {
  text: string;
  html?: string;
}

/**
 * Renders the Handlebars template of an email's HTML, or of its subject, which is plain text. Throws an `AppError` if
 * the template is invalid or exceeds a limit.
 */
export const renderMailTemplate = async (
  template: string,
  values: object,
  { project, syntax }: { project: string; syntax: 'mail-html' | 'mail-subject' },
): Promise<RenderedMail> => {
  const task = { template, values: JSON.stringify(values), maxCharacters: MAX_MAIL_CHARACTERS, syntax };
  return JSON.parse(await runInTurn(task, project)) as RenderedMail;
};
