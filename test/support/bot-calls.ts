/** Makes the calls to external bots. */
import { findOverdue } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { findListener } from '#shared/domain/events/listeners.ts';
import callBotsJob from '../../workers/bots/call.ts';
import enqueueBotCallJob from '../../workers/events/enqueue-bot-call.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import { relayedChanges } from './changes-log.ts';

export const LISTENER_NAME = 'events.enqueue-bot-call';
export const callBotListener = { ...findListener(LISTENER_NAME), handle: enqueueBotCallJob };

/** Makes the due calls to the external bots of the project. */
export const makeDueCalls = async (id_project: string): Promise<void> => {
  await relayedChanges(id_project);
  await consumeEvents(callBotListener);
  for (const due of await findOverdue())
    if (due.id_project === id_project) await callBotsJob(due, new AbortController().signal);
};
