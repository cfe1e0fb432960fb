/** Job → the file of its processor; the compiler demands one for each job of the menu. */
import { type JobName, type Processor, queueOf } from '#shared/jobs.ts';

const files: { [N in JobName]: () => Promise<{ default: Processor<N> }> } = {
  'kb.work-contents': () => import('./kb/work-contents.ts'),
  'bulk.work-contents': () => import('./bulk/work-contents.ts'),
  'bulk.embed-chunks': () => import('./bulk/embed-chunks.ts'),
  'upkeep.sweep-contents': () => import('./upkeep/sweep-contents.ts'),
  'bulk.rebuild-index': () => import('./bulk/rebuild-index.ts'),
};

/** The processor of a job; its file is read when it is first asked for. */
export const processorOf = async (name: JobName): Promise<(payload: unknown) => Promise<void>> => {
  const { default: processor } = await files[name]();
  return processor as (payload: unknown) => Promise<void>;
};

/** Read the files of all jobs of these queues, so that a broken one ends the start and not a job. */
export const loadProcessors = (queues: string[]) =>
  Promise.all((Object.keys(files) as JobName[]).filter((name) => queues.includes(queueOf(name))).map(processorOf));
