/** Checks of API processes and workers: whether they are running, their versions and clocks, and maintenance mode. */
import { type FleetProcess, listProcesses } from '../domain/operations/heartbeats.ts';
import { QUEUE_NAMES } from '../jobs.ts';
import { readControls } from '../process/controls.ts';
import { type Check, error, type Finding, formatSeconds, warning } from './check.ts';

const MAX_CLOCK_DIFFERENCE_MS = 2000;
const MAX_LATE_MS = 3000;
/** The relay is not a queue, but the `--queues` option of a worker selects it by this name. */
const RELAY = 'relay';

const describe = ({ kind, host, pid }: FleetProcess): string =>
  `${kind === 'api' ? 'API' : 'Worker'} ${pid} on ${host}`;

const findStateOf = (each: FleetProcess): Finding[] => [
  ...(each.isLost
    ? [
        warning(
          `${describe(each)} has sent no heartbeat for ${formatSeconds(each.silentMs / 1000)}: it was killed, is hanging, or cannot reach MongoDB`,
          'Look at its log and restart it. Other workers take over its work; its record expires after ten minutes.',
        ),
      ]
    : []),
  ...(!each.isLost && Math.abs(each.clockAheadMs) > MAX_CLOCK_DIFFERENCE_MS
    ? [
        error(
          `The clock of ${each.host} differs from that of MongoDB by ${formatSeconds(Math.abs(each.clockAheadMs) / 1000)}`,
          'Synchronize the clocks of all hosts with an NTP client such as chrony.',
        ),
      ]
    : []),
  ...(each.lateMs > MAX_LATE_MS
    ? [
        warning(
          `${describe(each)} was blocked for ${formatSeconds(each.lateMs / 1000)}`,
          'Give it more CPU, or start more processes; /metrics shows nodejs_eventloop_lag_p99_seconds.',
        ),
      ]
    : []),
];

const findMissingWorkers = (alive: FleetProcess[]): Finding[] => {
  const served = new Set(alive.flatMap(({ queues }) => queues));
  const missing = [...QUEUE_NAMES, RELAY].filter((name) => !served.has(name));
  if (!missing.length) return [];
  return [
    error(
      `No worker runs the ${missing.length === 1 ? 'queue' : 'queues'} ${missing.join(', ')}`,
      `npm run workers -- --queues ${missing.join(',')}`,
    ),
  ];
};

const findVersions = (alive: FleetProcess[]): Finding[] => {
  const versions = [...new Set(alive.map(({ version }) => version))];
  if (versions.length < 2) return [];
  return [
    warning(
      `Several versions are running: ${versions.join(', ')}`,
      'Complete the upgrade: restart the older processes.',
    ),
  ];
};

const checkProcesses = async (): Promise<Finding[]> => {
  const processes = await listProcesses();
  const alive = processes.filter(({ isLost }) => !isLost);
  const noApi = alive.some(({ kind }) => kind === 'api') ? [] : [error('No API process is running', 'npm run api')];
  return [...noApi, ...findMissingWorkers(alive), ...findVersions(alive), ...processes.flatMap(findStateOf)];
};

const checkMaintenance = async (): Promise<Finding[]> => {
  const { maintenance, logLevel } = await readControls();
  return [
    ...(maintenance
      ? [
          warning(
            `Maintenance has been on since ${maintenance.since.toISOString()}: the API refuses calls`,
            'npm run cli -- maintenance off',
          ),
        ]
      : []),
    ...(logLevel
      ? [warning(`The log level of all processes is set to ${logLevel}`, 'npm run cli -- log-level default')]
      : []),
  ];
};

export const processChecks: Check[] = [
  { name: 'processes', needs: ['mongodb'], run: checkProcesses },
  { name: 'maintenance', needs: ['mongodb'], run: checkMaintenance },
];
