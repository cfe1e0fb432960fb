import { config } from '#shared/config.ts';
import { noteFailure, step } from '#shared/domain/leads/import-steps.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';
import { stopping } from '../stopping.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;

const stepOrNote = async (which: Parameters<typeof step>[0]): Promise<boolean> => {
  try {
    return await step(which);
  } catch (error) {
    await noteFailure(which);
    throw error;
  }
};

/** Read a file of leads for one slice of time, then queue up again behind the others. */
const importLeads: Processor<'bulk.import-leads'> = async ({ id_project, import: _id }) => {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end && !stopping.aborted) if (!(await stepOrNote({ id_project, _id }))) return;
  await enqueue('bulk.import-leads', { id_project, import: _id });
};
export default importLeads;
