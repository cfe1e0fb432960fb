/**
 * Circuit breaking of projects' own SMTP servers: after a failure of the server, not of a single mail, none of the
 * project's mails is sent until a later time. Mails of other projects never wait for it.
 */
import { MailCircuit } from '../../models/mail-circuit.ts';
import { enqueue } from '../../queue/queue.ts';
import { backoffMs } from '../../time/backoff.ts';
import { postponeMails, resumeMails } from './mail-queue.ts';

const DELAYS = { baseMs: 15_000, maxMs: 1_800_000 };

/** Identifies the circuit of a project. */
export const circuitKey = (id_project: string) => ({ _id: id_project, id_project });

/** Whether a project's server failed at the last attempt, and until when none of its mails is sent. */
export const readCircuit = async (id_project: string): Promise<{ isFailing: boolean; retryAt?: Date }> => {
  const found = await MailCircuit.findOne(circuitKey(id_project), { retryAt: 1 }).lean();
  return { isFailing: found !== null, retryAt: found?.retryAt ?? undefined };
};

/**
 * Records a failure of a project's server and postpones the project's mails. Failures of mails that were sent at the
 * same time count as one.
 */
export const recordServerFailure = async (id_project: string, error: string): Promise<void> => {
  const now = new Date();
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

/** Lets a project's mails be sent again at once: its server works, or an admin has changed its settings. */
export const closeCircuit = async (id_project: string): Promise<void> => {
  const { deletedCount } = await MailCircuit.deleteOne(circuitKey(id_project));
  if (!deletedCount) return;
  await resumeMails(id_project);
  await enqueue('project-mails.send', { id_project });
};
