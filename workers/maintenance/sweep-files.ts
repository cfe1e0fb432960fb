import { sweepFiles } from '#shared/domain/files/remove-file.ts';
import type { Processor } from '#shared/jobs.ts';
import { deleteStaleFolders } from '#shared/storage/incoming.ts';
import { shutdownSignal } from '../shutdown.ts';

/**
 * Removes expired files, interrupted uploads, and the temporary files of killed processes; completes interrupted
 * deletions; enqueues lost thumbnail jobs again.
 */
const sweepFilesJob: Processor<'maintenance.sweep-files'> = async () => {
  await deleteStaleFolders();
  await sweepFiles(() => shutdownSignal.aborted);
};
export default sweepFilesJob;
