/** Decides when a failing SMTP server is reported to the admins of its project. */
import { MailCircuit } from '../../models/mail-circuit.ts';
import { currentTime } from '../../time/clock.ts';
import { circuitKey } from './server-circuit.ts';

const DAY_MS = 86_400_000;
/**
 * Number of failures after which a server is reported. Permanent errors (a failed sign-in or a forbidden server
 * address) are reported immediately.
 */
const FAILURES_UNTIL_REPORT = 3;
const LASTING_ERRORS = /^(EAUTH|ETARGET)\b/;

/** The report to the admins of a project about the project's server. */
export interface ServerReport {
  error: string;
  failures: number;
  failingSince: Date;
}

/**
 * Returns the report about a project's failing server, at most once a day; null if there is nothing to report. Of
 * several concurrent callers, only one receives the report.
 */
export const claimReport = async (id_project: string): Promise<ServerReport | null> => {
  const now = currentTime();
  const isLasting = { $or: [{ failures: { $gte: FAILURES_UNTIL_REPORT } }, { error: LASTING_ERRORS }] };
  const isUnreported = { $or: [{ reportedAt: null }, { reportedAt: { $lt: new Date(now.getTime() - DAY_MS) } }] };
  const filter = { ...circuitKey(id_project), $and: [isLasting, isUnreported] };
  const found = await MailCircuit.findOneAndUpdate(filter, { $set: { reportedAt: now } }).lean();
  return found && { error: found.error ?? '', failures: found.failures, failingSince: found.failingSince ?? now };
};
