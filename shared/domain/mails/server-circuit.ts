/**
 * Circuit breakers of projects' own SMTP servers. After a failure of the server (not of a single email), all emails
 * of the project wait until a later time. Emails of other projects are not delayed.
 */
import { MailCircuit } from '../../models/mail-circuit.ts';
import { enqueue } from '../../queue/queue.ts';
import { backoffMs } from '../../time/backoff.ts';
import { currentTime } from '../../time/clock.ts';
import { postponeMails, resumeMails } from './mail-queue.ts';

const DELAYS = { baseMs: 15_000, maxMs: 1_800_000 };

/** Returns the key of a project's circuit. */
export const circuitKey = (id_project: string) => ({ _id: id_project, id_project });

/**
 * Returns whether the circuit of a project's server is open (the last attempt failed because of the server), and the
 * time until which the project's emails wait.
 */
export const readCircuit = async (id_project: string): Promise<{ isCircuitOpen: boolean; retryAt?: Date }> => {
  const found = await MailCircuit.findOne(circuitKey(id_project), { retryAt: 1 }).lean();
  return { isCircuitOpen: found !== null, retryAt: found?.retryAt ?? undefined };
};

/**
 * Records a failure of a project's server and postpones the project's emails. Emails that fail at the same time count
 * as one failure.
 */
export const recordServerFailure = async (id_project: string, error: string): Promise<void> => {
  const now = currentTime();
  const isNew = { $lte: [{ $ifNull: ['$retryAt', now] }, now] };
  const circuit = await MailCircuit.findOneAndUpdate(
    circuitKey(id_project),
    [
      {
        $set: {
          failures: { $add: [{ $ifNull: ['$failures', 0] }, { $cond: [isNew, 1, 0] }] },
          failingSince: { $ifNull: ['$failingSince', now] },
          error,
        },
      },
    ],
    { upsert: true, returnDocument: 'after', updatePipeline: true, setDefaultsOnInsert: false },
  )
    .orFail()
    .lean();
  const retryAt = new Date(now.getTime() + backoffMs(circuit.failures, DELAYS));
  await MailCircuit.updateOne(circuitKey(id_project), { $max: { retryAt } });
  await postponeMails(id_project, retryAt);
};

/** Resumes sending a project's emails, because its server works again or an admin has changed its settings. */
export const closeCircuit = async (id_project: string): Promise<void> => {
  const { deletedCount } = await MailCircuit.deleteOne(circuitKey(id_project));
  if (!deletedCount) return;
  await resumeMails(id_project);
  await enqueue('project-mails.send', { id_project });
};
