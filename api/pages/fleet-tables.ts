/** The sections of the fleet page, as HTML. All values are escaped. */
import { formatSeconds } from '#shared/doctor/check.ts';
import { type FleetProcess, type RunningJob } from '#shared/domain/operations/heartbeats.ts';
import { titleOf } from '#shared/domain/operations/job-titles.ts';
import { escapeHtml } from '#shared/security/escape-html.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import type { Fleet } from './fleet-data.ts';

const MIB = 2 ** 20;
const MAX_RUNNING_SHOWN = 5;

/** A cell: a string, a number, or HTML that has already been escaped. */
type Cell = string | number | { html: string };

const cellHtml = (cell: Cell): string => (typeof cell === 'object' ? cell.html : escapeHtml(String(cell)));

const rowHtml = ([first = '', ...rest]: Cell[]): string =>
  `<tr><th scope="row">${cellHtml(first)}</th>${rest.map((cell) => `<td>${cellHtml(cell)}</td>`).join('')}</tr>`;

/** Returns a section with a table. The table is focusable, so that it can be scrolled with the keyboard. */
const section = (title: string, header: string[], rows: Cell[][]): string => {
  const id = title.toLowerCase().replaceAll(' ', '-');
  const head = header.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.length
    ? `<table><thead><tr>${head}</tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody></table>`
    : '<p class="empty">None.</p>';
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="${id}">${body}</div></section>`;
};

const timeHtml = (date: Date): { html: string } => {
  const iso = date.toISOString();
  return { html: `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>` };
};

const ageText = (since: Date): string => formatSeconds((currentTimeMs() - since.getTime()) / 1000);

/** The problems, each with advice on how to fix it. */
export const problemsHtml = ({ problems }: Fleet): string => {
  const items = problems.map(
    ({ level, problem, advice }) =>
      `<li class="${level}"><b>${level === 'error' ? 'Error' : 'Warning'}</b> ${escapeHtml(problem)}<span>${escapeHtml(advice)}</span></li>`,
  );
  const list = items.length ? `<ul>${items.join('')}</ul>` : '<p class="empty">Nothing is wrong.</p>';
  return `<section id="problems" aria-labelledby="what-is-wrong"><h2 id="what-is-wrong">What is wrong</h2>${list}</section>`;
};

const queueState = (isPaused: boolean, workers: number): string => {
  if (isPaused) return 'paused';
  return workers ? 'running' : 'no worker';
};

/** The queues, each with the number of workers that run its jobs. */
export const queuesHtml = ({ queues, processes }: Fleet): string =>
  section(
    'Queues',
    ['Queue', 'Waiting', 'Oldest', 'Running', 'Delayed', 'Failed', 'Workers', 'State'],
    queues.map(({ name, counts: { waiting, active, delayed, failed }, oldestAgeSeconds, isPaused }) => {
      const workers = processes.filter((each) => !each.isLost && each.queues.includes(name)).length;
      const link = { html: `<a href="/admin/queues/queue/${encodeURIComponent(name)}">${escapeHtml(name)}</a>` };
      const oldest = waiting ? formatSeconds(oldestAgeSeconds) : '–';
      return [link, waiting, oldest, active, delayed, failed, workers, queueState(isPaused, workers)];
    }),
  );

/** Work that is due and that no worker is doing. */
export const overdueHtml = ({ overdue }: Fleet): string =>
  section(
    'Overdue work',
    ['Work', 'Queue', 'Overdue', 'Oldest'],
    overdue
      .filter(({ count }) => count > 0)
      .map(({ name, queue, count, oldestAgeSeconds }) => [
        ...[name.replace('_', ' '), queue, count, formatSeconds(oldestAgeSeconds)],
      ]),
  );

const runningText = (running: RunningJob[]): string => {
  const texts = running.slice(0, MAX_RUNNING_SHOWN).map(({ job, id_project, since }) => {
    const project = id_project ? ` of project ${id_project}` : '';
    return `${titleOf(job)}${project}, for ${ageText(since)}`;
  });
  const rest = running.length - texts.length;
  return [...texts, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
};

const stateText = ({ isLost, silentMs }: FleetProcess): string =>
  isLost ? `no heartbeat for ${formatSeconds(silentMs / 1000)}` : 'running';

const queuesText = ({ kind, queues, port }: FleetProcess): string =>
  kind === 'api' ? `HTTP on port ${port ?? '?'}` : queues.join(' ');

/** The processes: their heartbeats, versions, and current work. */
export const processesHtml = ({ processes }: Fleet): string =>
  section(
    'Processes',
    ['Process', 'State', 'Version', 'Up for', 'Memory', 'Serves', 'Works on'],
    processes.map((each) => [
      `${each.kind === 'api' ? 'API' : 'Worker'} ${each.pid} on ${each.host}`,
      stateText(each),
      each.version,
      ageText(each.startedAt),
      `${Math.round(each.memoryBytes / MIB)} MiB`,
      queuesText(each),
      runningText(each.running) || '–',
    ]),
  );

/** The latest actions of instance administrators. */
export const actionsHtml = ({ actions }: Fleet): string =>
  section(
    'Actions of administrators',
    ['Time (UTC)', 'By', 'Action', 'On'],
    actions.map(({ createdAt, by, action, target }) => [timeHtml(createdAt), by, action, target ?? '']),
  );
