import { config } from '#shared/config.ts';
import { waiting } from '#shared/domain/knowledge/attempts.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue.ts';
import { pump } from '../steps/pump.ts';

const HELP_MS = 400;

/** Call as many further slots as contents wait, beside `taken` that this one takes; the number called. */
const callSlots = async (id_project: string, taken: number): Promise<number> => {
  const many = Math.min((await waiting(id_project, config.IMPORT_SLOTS)) - taken, config.IMPORT_SLOTS - 1);
  for (let slot = 1; slot <= many; slot++) await enqueue('bulk.work-contents', { id_project, slot });
  return many;
};

/** What is added while this slot is held up by a slow page need not wait for it. */
const helped = async <T>(id_project: string, work: () => Promise<T>): Promise<T> => {
  const help = () =>
    callSlots(id_project, 0).catch((error: Error) => logger.warn({ err: error.message }, 'no slots called'));
  const calling = setInterval(help, HELP_MS);
  try {
    return await work();
  } finally {
    clearInterval(calling);
  }
};

/** Index a project's waiting contents in its first slot, call more slots where many wait, then queue up again behind the other projects. */
const workContents: Processor<'kb.work-contents'> = async ({ id_project }) => {
  const all = (await callSlots(id_project, 1)) === config.IMPORT_SLOTS - 1;
  const work = () => pump(id_project);
  const again = await (all ? work() : helped(id_project, work));
  if (again !== null) await enqueue('kb.work-contents', { id_project }, again);
};
export default workContents;
