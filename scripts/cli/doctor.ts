/** `npm run cli -- doctor` */
import type { Command } from 'commander';
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { error, type Finding, type Service } from '#shared/doctor/check.ts';
import { type CheckResult, runChecks } from '#shared/doctor/run-checks.ts';
import { closeQueues, connectQueues } from '#shared/queue/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { printable } from './print.ts';

const WRONG = 1;

/** How to connect to each service, and what to do if the service does not answer. */
const SERVICES: { name: Service; label: string; connect: () => Promise<unknown>; advice: string }[] = [
  { name: 'mongodb', label: 'MongoDB', connect: connectMongo, advice: 'Start it with npm start, or set MONGODB_URI.' },
  { name: 'redis', label: 'Redis', connect: connectQueues, advice: 'Start it with npm start, or set REDIS_URL.' },
  {
    name: 'vectors',
    label: 'The vector store',
    connect: () => chunkIndex().ready(),
    advice: 'Start Qdrant and set QDRANT_URL, or make the lancedb folder in DATA_DIR readable and writable.',
  },
];

interface DoctorOptions {
  all?: true;
  json?: true;
}

/** Connects to all services. Returns a result for each that does not answer. */
const connectAll = async (): Promise<{ down: Service[]; results: CheckResult[] }> => {
  const outcomes = await Promise.allSettled(SERVICES.map(({ connect }) => connect()));
  const failed = SERVICES.flatMap((service, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' ? [{ ...service, reason: String(outcome.reason?.message) }] : [];
  });
  const results = failed.map(({ label, reason, advice }): CheckResult => {
    const findings = [error(`${label} does not answer: ${reason}`, advice)];
    return { name: label, state: 'wrong', findings };
  });
  return { down: failed.map(({ name }) => name), results };
};

const LABELS = { error: 'ERROR  ', warning: 'warning' } as const;
const findingLines = ({ level, problem, advice }: Finding): string =>
  `  ${LABELS[level]}  ${printable(problem)}\n           → ${printable(advice)}`;

const printResults = (results: CheckResult[]): void => {
  for (const { name, state, findings } of results) {
    console.log(`${state.padEnd(8)} ${name}`);
    for (const finding of findings) console.log(findingLines(finding));
  }
  const findings = results.flatMap((result) => result.findings);
  const errors = findings.filter(({ level }) => level === 'error').length;
  console.log(`\n${results.length} checks, ${errors} errors, ${findings.length - errors} warnings.`);
};

const examine = async ({ all, json }: DoctorOptions): Promise<void> => {
  try {
    const { down, results } = await connectAll();
    const checked = [...results, ...(await runChecks({ down, all }))];
    if (json) console.log(JSON.stringify({ checks: checked }, null, 2));
    else printResults(checked);
    if (checked.some(({ state }) => state === 'wrong')) process.exitCode = WRONG;
  } finally {
    await Promise.allSettled([closeQueues(), chunkIndex().close(), disconnectMongo()]);
  }
};

/** Adds the `doctor` command. */
export const addDoctorCommand = (program: Command): void => {
  program
    .command('doctor')
    .description(
      'check the installation, and explain each problem and how to fix it; exit code 1 if there are problems',
    )
    .option(
      '--all',
      'also compare files and the index with their records, which takes time in proportion to the number of records',
    )
    .option('--json', 'print JSON')
    .action((options: DoctorOptions) => examine(options));
};
