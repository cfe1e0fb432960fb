import { config } from '#shared/config.ts';
import { importNextChunk, recordFailure } from '#shared/domain/leads/import/import-steps.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;

const stepOrRecordFailure = async (leadImport: Parameters<typeof importNextChunk>[0]): Promise<boolean> => {
  try {
    return await importNextChunk(leadImport);
  } catch (error) {
    await recordFailure(leadImport);
    throw error;
  }
};

/** Imports rows of a lead file for one time slice. If any remain, enqueues itself again behind the other jobs. */
const importLeadsJob: Processor<'bulk.import-leads'> = async ({ id_project, import: _id }) => {
  const end = performance.now() + TIME_SLICE_MS;
  while (performance.now() < end && !shutdownSignal.aborted)
    if (!(await stepOrRecordFailure({ id_project, _id }))) return;
  await enqueue('bulk.import-leads', { id_project, import: _id });
};
export default importLeadsJob;
