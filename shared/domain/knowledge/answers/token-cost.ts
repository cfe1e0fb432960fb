/** Counts the tokens of calls to models, and their cost, in the metrics of the process. */
import { config } from '../../../config.ts';
import { chatCost, chatTokens } from '../../../metrics.ts';
import type { TokenUsage } from './token-budget.ts';

const MILLION = 1_000_000;

/**
 * Returns the `model` label of the metrics. It is `other` for a model that the settings do not name, so that the number
 * of time series stays small.
 */
const labelOf = (model: string): string => {
  const configured = [config.CHAT_MODEL, ...config.CHAT_MODELS, ...Object.keys(config.AI_PRICES ?? {})];
  return configured.includes(model) ? model : 'other';
};

/** Returns the cost of tokens at the prices in AI_PRICES; 0 for a model without a price. */
export const costOf = (name: string, { prompt, completion }: TokenUsage): number => {
  const { prompt: promptPrice = 0, completion: completionPrice = 0 } = config.AI_PRICES?.[name] ?? {};
  return (prompt * promptPrice + completion * completionPrice) / MILLION;
};

/** Counts the tokens of a call to a model. */
export const countCost = (name: string, tokens: TokenUsage): void => {
  const model = labelOf(name);
  chatTokens.inc({ model, kind: 'prompt' }, tokens.prompt);
  chatTokens.inc({ model, kind: 'completion' }, tokens.completion);
  chatCost.inc({ model }, costOf(name, tokens));
};
