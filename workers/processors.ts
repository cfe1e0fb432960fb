/** Job → the file of its processor; the compiler demands one for each job of the menu. */
import { type JobName, type Processor, queueOf } from '#shared/jobs.ts';
import type { WorkOf } from './steps/hear.ts';
import { leaving } from './stopping.ts';

const files: { [N in JobName]: () => Promise<{ default: Processor<N> }> } = {
  'kb.work-contents': () => import('./kb/work-contents.ts'),
  'bulk.work-contents': () => import('./bulk/work-contents.ts'),
  'bulk.embed-chunks': () => import('./bulk/embed-chunks.ts'),
  'upkeep.sweep-contents': () => import('./upkeep/sweep-contents.ts'),
  'bulk.rebuild-index': () => import('./bulk/rebuild-index.ts'),
  'bulk.remove-messages': () => import('./bulk/remove-messages.ts'),
  'bulk.remove-project': () => import('./bulk/remove-project.ts'),
  'upkeep.sweep-removals': () => import('./upkeep/sweep-removals.ts'),
  'bulk.import-leads': () => import('./bulk/import-leads.ts'),
  'upkeep.sweep-imports': () => import('./upkeep/sweep-imports.ts'),
  'mail.send': () => import('./mail/send.ts'),
  'upkeep.sweep-mails': () => import('./upkeep/sweep-mails.ts'),
  'bots.call': () => import('./bots/call.ts'),
  'upkeep.sweep-bot-calls': () => import('./upkeep/sweep-bot-calls.ts'),
  'events.pump-listener': () => withWork(import('./events/pump-listener.ts')),
  'events.retry-listener': () => withWork(import('./events/retry-listener.ts')),
  'events.copy-lead': () => import('./events/copy-lead.ts'),
  'events.write-mails': () => import('./events/write-mails.ts'),
  'events.move-conversations': () => import('./events/move-conversations.ts'),
  'events.call-bot': () => import('./events/call-bot.ts'),
  'events.announce-lead': () => import('./events/announce-lead.ts'),
  'events.leave-department': () => import('./events/leave-department.ts'),
  'events.note-deed': () => import('./events/note-deed.ts'),
  'events.serve-waiting': () => import('./events/serve-waiting.ts'),
  'upkeep.serve-line': () => import('./upkeep/serve-line.ts'),
  'upkeep.sweep-lines': () => import('./upkeep/sweep-lines.ts'),
  'upkeep.sweep-claims': () => import('./upkeep/sweep-claims.ts'),
  'upkeep.tell-loads': () => import('./upkeep/tell-loads.ts'),
  'upkeep.fold-tallies': () => import('./upkeep/fold-tallies.ts'),
  'upkeep.close-idle-bots': () => import('./upkeep/close-idle-bots.ts'),
  'upkeep.close-idle-agents': () => import('./upkeep/close-idle-agents.ts'),
  'upkeep.sweep-listeners': () => import('./upkeep/sweep-listeners.ts'),
};

/** A job that runs other jobs, the listeners, is told where to find them. */
const withWork = async <P>(file: Promise<{ default: (workOf: WorkOf) => P }>) => ({
  default: (await file).default((listener) => processorOf(listener as JobName)),
});

/** The processor of a job; its file is read when it is first asked for. Without a signal of its own it works until the process has to leave. */
export const processorOf = async (name: JobName) => {
  const { default: processor } = await files[name]();
  const work = processor as (payload: unknown, signal: AbortSignal) => Promise<void>;
  return (payload: unknown, signal: AbortSignal = leaving): Promise<void> => work(payload, signal);
};

/** Read the files of all jobs of these queues, so that a broken one ends the start and not a job. */
export const loadProcessors = (queues: string[]) =>
  Promise.all((Object.keys(files) as JobName[]).filter((name) => queues.includes(queueOf(name))).map(processorOf));
