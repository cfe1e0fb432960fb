/**
 * The tokens that a project may use in a day at the provider (AI_TOKENS_PER_DAY). They are counted after each answer, over all processes;
 * a process refuses by the sum that its last count told it, so a project may exceed its budget by the answers that are being written.
 */
import { Counter } from 'prom-client';
import type { ChatInput } from '../../ai.ts';
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { Recent } from '../../recent.ts';
import { secondsToNext, spend } from '../projects/budgets.ts';

const DAY = 86_400;
const CHARACTERS_A_TOKEN = 4;

const used = new Counter({
  name: 'ai_tokens_total',
  help: 'Tokens of the chat model that this process used',
  labelNames: ['kind'],
});
const refusals = new Counter({
  name: 'ai_tokens_refusals_total',
  help: 'Questions refused because AI_TOKENS_PER_DAY was spent',
});

/** What each project has used today, as far as this process knows. */
const known = new Recent<number>({ ttlMs: DAY * 1000, max: 10_000 });

/** 429 for a project that has used up its tokens of today. */
export const mustHaveTokens = (id_project: string): void => {
  const most = config.AI_TOKENS_PER_DAY;
  const spent = known.get(id_project) ?? 0;
  if (!most || spent < most) return;
  refusals.inc();
  const wait = secondsToNext(DAY);
  const message = `The project has used ${spent} of its ${most} AI tokens of today (the setting AI_TOKENS_PER_DAY); it may ask again in ${wait} s`;
  throw new AppError(429, 'AI_TOKENS_SPENT', message).with({
    body: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  });
};

/** Tokens of a prompt and its answer. */
export interface Tokens {
  prompt: number;
  completion: number;
}

/** An estimate for answers that the provider did not count, such as one whose reader has left. */
export const estimateOf = (messages: ChatInput['messages'], text: string): Tokens => ({
  prompt: Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / CHARACTERS_A_TOKEN),
  completion: Math.ceil(text.length / CHARACTERS_A_TOKEN),
});

/** Count what an answer has used. */
export const countTokens = async (id_project: string, { prompt, completion }: Tokens): Promise<void> => {
  used.inc({ kind: 'prompt' }, prompt);
  used.inc({ kind: 'completion' }, completion);
  if (!config.AI_TOKENS_PER_DAY) return;
  const left = secondsToNext(DAY) * 1000; // before the count: what is counted into the next day is forgotten too early, never too late
  const sum = await spend({ id_project, name: 'ai_tokens', seconds: DAY }, prompt + completion);
  known.set(id_project, sum, left);
};
