/**
 * Runs the checks of the installation. Each check is a function in the file of its subject, such as queue-checks.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, error, type Finding, type Service } from './check.ts';
import { contentChecks } from './content-checks.ts';
import { databaseChecks } from './database-checks.ts';
import { eventChecks } from './event-checks.ts';
import { fileChecks } from './file-checks.ts';
import { processChecks } from './process-checks.ts';
import { queueChecks } from './queue-checks.ts';
import { serviceChecks } from './service-checks.ts';

const CHECK_TIMEOUT_MS = 30_000;
const SLOW_CHECK_TIMEOUT_MS = 3_600_000;

/** All checks, in the order in which their results are shown. */
export const CHECKS: Check[] = [
  ...serviceChecks,
  ...databaseChecks,
  ...processChecks,
  ...eventChecks,
  ...queueChecks,
  ...contentChecks,
  ...fileChecks,
];

/** The result of a check. A check is skipped if a service that it needs does not answer. */
export interface CheckResult {
  name: string;
  state: 'ok' | 'wrong' | 'skipped';
  findings: Finding[];
}

const rejectAfter = async (ms: number): Promise<never> => {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`no result within ${ms / 1000} s`);
};

const runCheck = async ({ name, run, isSlow }: Check): Promise<CheckResult> => {
  try {
    const findings = await Promise.race([run(), rejectAfter(isSlow ? SLOW_CHECK_TIMEOUT_MS : CHECK_TIMEOUT_MS)]);
    return { name, state: findings.length ? 'wrong' : 'ok', findings };
  } catch (failure) {
    const problem = `The check failed: ${(failure as Error).message}`;
    return {
      name,
      state: 'wrong',
      findings: [error(problem, 'See the results of the service checks above, and the logs of the processes.')],
    };
  }
};

/** Runs the checks whose services are available; slow checks only if `all` is true. */
export const runChecks = ({
  down = [],
  all = false,
}: {
  down?: Service[];
  all?: boolean;
} = {}): Promise<CheckResult[]> =>
  Promise.all(
    CHECKS.filter(({ isSlow }) => all || !isSlow).map(
      (check): Promise<CheckResult> =>
        check.needs.some((service) => down.includes(service))
          ? Promise.resolve({ name: check.name, state: 'skipped', findings: [] })
          : runCheck(check),
    ),
  );
