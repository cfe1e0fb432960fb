import { config } from '#shared/config.ts';
import * as botCallQueue from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { buildCall, loadCall, markCallStarted, markCallAccepted } from '#shared/domain/conversations/bots/bot-calls.ts';
import { RENEWAL_INTERVAL_MS } from '#shared/domain/outgoing-calls/call-queue.ts';
import type { Payload, Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { INTERNAL_BOT_TYPE } from '#shared/models/bot.ts';
import { answerCall } from '../bot-engine/answer-call.ts';
import { postToBot } from '../post-to-bot.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;

const makeCall = async (call: botCallQueue.TakenBotCall): Promise<void> => {
  const loaded = await loadCall(call);
  if (!loaded) return;
  if (loaded.bot.type === INTERNAL_BOT_TYPE) {
    await answerCall(call, loaded);
  } else {
    const request = await buildCall(loaded);
    if (!request) return;
    await markCallStarted(call);
    await postToBot(request);
  }
  await markCallAccepted(call);
};

const renewLease = (call: botCallQueue.TakenBotCall): Promise<void> =>
  botCallQueue
    .renewLease(call)
    .catch((error: Error) => logger.warn({ err: error.message }, 'lease of a bot call not renewed'));

const attemptCall = async (call: botCallQueue.TakenBotCall): Promise<void> => {
  const renewTimer = setInterval(renewLease, RENEWAL_INTERVAL_MS, call);
  try {
    await makeCall(call);
  } catch (error) {
    return await botCallQueue.failCall(call, error);
  } finally {
    clearInterval(renewTimer);
  }
  await botCallQueue.finishCall(call);
};

/** Makes due calls to bots for one time slice. A finished call's slot goes to a conversation that waits for one. */
const callBotsJob: Processor<'bots.call'> = async (conversation) => {
  const end = performance.now() + TIME_SLICE_MS;
  let next: Payload<'bots.call'> | null = conversation;
  while (next && performance.now() < end && !shutdownSignal.aborted) {
    const call = await botCallQueue.takeNextCall(next);
    if (!call) return;
    await attemptCall(call);
    next = await botCallQueue.nextConversation(call);
  }
  if (next) await botCallQueue.enqueueCall(next);
};
export default callBotsJob;
