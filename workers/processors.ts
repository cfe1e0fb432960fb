/** Maps each job of the registry to the module of its processor. The compiler requires an entry for every job. */
import { type JobName, type Processor, queueName } from '#shared/jobs.ts';
import type { HandlerLookup } from './listeners/handle-event.ts';
import { forceStopSignal } from './shutdown.ts';

const processorModules: { [N in JobName]: () => Promise<{ default: Processor<N> }> } = {
  'maintenance.run-sweeps': () => withLookup(import('./maintenance/run-sweeps.ts'), processorOf),
  'kb.index-contents': () => import('./kb/index-contents.ts'),
  'bulk.index-contents-slot': () => import('./bulk/index-contents-slot.ts'),
  'bulk.embed-chunks': () => import('./bulk/embed-chunks.ts'),
  'bulk.delete-contents': () => import('./bulk/delete-contents.ts'),
  'maintenance.sweep-contents': () => import('./maintenance/sweep-contents.ts'),
  'bulk.rebuild-index': () => import('./bulk/rebuild-index.ts'),
  'bulk.update-question-clusters': () => import('./bulk/update-question-clusters.ts'),
  'maintenance.sweep-questions': () => import('./maintenance/sweep-questions.ts'),
  'bulk.remove-messages': () => import('./bulk/remove-messages.ts'),
  'bulk.remove-project': () => import('./bulk/remove-project.ts'),
  'maintenance.sweep-removals': () => import('./maintenance/sweep-removals.ts'),
  'bulk.import-leads': () => import('./bulk/import-leads.ts'),
  'maintenance.sweep-imports': () => import('./maintenance/sweep-imports.ts'),
  'files.make-thumbnail': () => import('./files/make-thumbnail.ts'),
  'maintenance.sweep-files': () => import('./maintenance/sweep-files.ts'),
  'mail.send': () => import('./mail/send.ts'),
  'project-mails.send': () => import('./project-mails/send.ts'),
  'maintenance.sweep-mails': () => import('./maintenance/sweep-mails.ts'),
  'bots.call': () => import('./bots/call.ts'),
  'bulk.embed-phrases': () => import('./bulk/embed-phrases.ts'),
  'maintenance.sweep-bot-calls': () => import('./maintenance/sweep-bot-calls.ts'),
  'events.run-listener': () => withLookup(import('./events/run-listener.ts'), handlerOf),
  'events.retry-deferred': () => withLookup(import('./events/retry-deferred.ts'), handlerOf),
  'events.sync-lead': () => import('./events/sync-lead.ts'),
  'events.send-notifications': () => import('./events/send-notifications.ts'),
  'events.move-to-merged-lead': () => import('./events/move-to-merged-lead.ts'),
  'events.enqueue-bot-call': () => import('./events/enqueue-bot-call.ts'),
  'events.announce-lead-update': () => import('./events/announce-lead-update.ts'),
  'events.record-deliveries': () => import('./events/record-deliveries.ts'),
  'events.update-analytics': () => import('./events/update-analytics.ts'),
  'webhooks.deliver': () => import('./webhooks/deliver.ts'),
  'maintenance.sweep-deliveries': () => import('./maintenance/sweep-deliveries.ts'),
  'events.match-triggers': () => import('./events/match-triggers.ts'),
  'triggers.run': () => import('./triggers/run.ts'),
  'maintenance.sweep-triggers': () => import('./maintenance/sweep-triggers.ts'),
  'events.reassign-department': () => import('./events/reassign-department.ts'),
  'events.record-activity': () => import('./events/record-activity.ts'),
  'events.request-assignment': () => import('./events/request-assignment.ts'),
  'maintenance.assign-waiting': () => import('./maintenance/assign-waiting.ts'),
  'maintenance.sweep-waiting': () => import('./maintenance/sweep-waiting.ts'),
  'maintenance.sweep-reservations': () => import('./maintenance/sweep-reservations.ts'),
  'maintenance.sweep-presence': () => import('./maintenance/sweep-presence.ts'),
  'maintenance.emit-load-changes': () => import('./maintenance/emit-load-changes.ts'),
  'maintenance.compact-counters': () => import('./maintenance/compact-counters.ts'),
  'maintenance.close-idle-bots': () => import('./maintenance/close-idle-bots.ts'),
  'maintenance.close-idle-agents': () => import('./maintenance/close-idle-agents.ts'),
  'maintenance.sweep-listeners': () => import('./maintenance/sweep-listeners.ts'),
};

const handlerOf: HandlerLookup = (listener) => processorOf(listener as JobName);

/** Creates the processor of a job that runs other jobs. `lookup` returns their processors. */
const withLookup = async <L, P>(file: Promise<{ default: (lookup: L) => P }>, lookup: L) => ({
  default: (await file).default(lookup),
});

const loadProcessor = async (name: JobName) => {
  const { default: processor } = await processorModules[name]();
  const work = processor as (payload: unknown, signal: AbortSignal) => Promise<void>;
  return (payload: unknown, signal: AbortSignal = forceStopSignal): Promise<void> => work(payload, signal);
};

const loadedProcessors = new Map<JobName, ReturnType<typeof loadProcessor>>();

/**
 * Returns the processor of a job. A caller of the processor may omit the abort signal (default: `forceStopSignal`). The
 * processor is loaded only once, because calling `import()` each time would take longer than a job without work.
 */
export const processorOf = (name: JobName): ReturnType<typeof loadProcessor> => {
  const loaded = loadedProcessors.get(name) ?? loadProcessor(name);
  loadedProcessors.set(name, loaded);
  return loaded;
};

/**
 * Loads the processors of all jobs of these queues, so that a broken module prevents the start instead of failing jobs.
 */
export const loadProcessors = (queues: string[]) =>
  Promise.all(
    (Object.keys(processorModules) as JobName[]).filter((name) => queues.includes(queueName(name))).map(processorOf),
  );
