/**
 * The daily token budget of a project at the AI provider (AI_TOKENS_PER_DAY). After each answer, its tokens are added
 * to a counter that all processes share, and the addition returns the project's new sum. Each process keeps the sum
 * that its last addition of the day returned, and compares this copy, which is 0 before its first addition, with the
 * budget. A project may therefore exceed its budget: by the tokens of answers in progress, and by tokens that other
 * processes have added since the copy was made.
 */
import type { ChatInput } from '../../../ai/chat-model.ts';
import { TtlCache } from '../../../concurrency/ttl-cache.ts';
import { config } from '../../../config.ts';
import { AppError } from '../../../errors.ts';
import { secondsToNextPeriod, spend } from '../../../budgets/budgets.ts';
import { tokenBudgetRejections } from '../../../metrics.ts';

const DAY_SECONDS = 86_400;
const CHARACTERS_PER_TOKEN = 4;

/** The tokens that each project had used today when this process last added to the project's counter. */
const tokensUsedToday = new TtlCache<number>({ ttlMs: DAY_SECONDS * 1000, max: 10_000 });

/** Throws 429 if the project has used up its daily tokens. */
export const assertTokensLeft = (id_project: string): void => {
  const budget = config.AI_TOKENS_PER_DAY;
  const spent = tokensUsedToday.get(id_project) ?? 0;
  if (!budget || spent < budget) return;
  tokenBudgetRejections.inc();
  const wait = secondsToNextPeriod(DAY_SECONDS);
  const message = `The project has used ${spent} of its ${budget} AI tokens for today (setting AI_TOKENS_PER_DAY); retry in ${wait} s`;
  throw new AppError(429, 'AI_TOKEN_BUDGET_EXHAUSTED', message).retryAfter(wait);
};

/** The tokens of a prompt and of its answer. */
export interface TokenUsage {
  prompt: number;
  completion: number;
}

/** Estimates the tokens if the provider does not report them, for example because the caller disconnects. */
export const estimateTokens = (messages: ChatInput['messages'], text: string): TokenUsage => ({
  prompt: Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / CHARACTERS_PER_TOKEN),
  completion: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
});

/** Multiplies prompt tokens by the factor that AI_MODELS sets for the model (default 1), for responses and logs. */
export const reportedPromptTokens = (model: string | null | undefined, promptTokens: number): number =>
  Math.ceil(promptTokens * (config.AI_MODELS?.[model || (config.CHAT_MODEL ?? '')] ?? 1));

/** Adds the tokens of an answer to the project's counter. */
export const recordTokens = async (id_project: string, { prompt, completion }: TokenUsage): Promise<void> => {
  if (!config.AI_TOKENS_PER_DAY) return;
  // The time until midnight is read before the addition: otherwise, the old day's sum could be kept all the next day.
  // A sum of the old day may be kept for a second too long, because the time is rounded up to whole seconds.
  const msUntilTomorrow = secondsToNextPeriod(DAY_SECONDS) * 1000;
  const sum = await spend({ id_project, name: 'ai_tokens', seconds: DAY_SECONDS }, prompt + completion);
  tokensUsedToday.set(id_project, sum, msUntilTomorrow);
};
