import { config } from '#shared/config.ts';
import * as queue from '#shared/domain/conversations/bot-call-queue.ts';
import { bodyOf, markDelivered, markReceived } from '#shared/domain/conversations/bot-calls.ts';
import type { Payload, Processor } from '#shared/jobs.ts';
import { postToBot } from '../steps/post-to-bot.ts';
import { stopping } from '../stopping.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;

const make = async (call: queue.DueCall): Promise<void> => {
  const body = await bodyOf(call);
  if (!body) return;
  await markDelivered(call);
  await postToBot(body, call.message);
  await markReceived(call);
};

const settle = async (call: queue.DueCall): Promise<void> => {
  try {
    await make(call);
  } catch (error) {
    return queue.fail(call, error);
  }
  await queue.finish(call);
};

/** Make the due calls of a conversation with a bot for one slice of time, in turn with those that wait for a slot. */
const callBots: Processor<'bots.call'> = async (conversation) => {
  const end = performance.now() + SLICE_MS;
  let next: Payload<'bots.call'> | null = conversation;
  while (next && performance.now() < end && !stopping.aborted) {
    const call = await queue.take(next);
    if (!call) return;
    await settle(call);
    next = await queue.nextAfter(call);
  }
  if (next) await queue.wake(next);
};
export default callBots;
