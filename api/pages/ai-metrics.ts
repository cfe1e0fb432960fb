/** Metrics of the models that this process has called: embeddings, chat tokens, and spent budgets. */
import { Counter } from 'prom-client';
import { tokenTotals } from '#shared/domain/knowledge/answers/token-budget.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';

const callsTotal = new Counter({ name: 'embedding_calls_total', help: 'Embedding calls made by this process' });
const textsTotal = new Counter({ name: 'embedding_texts_total', help: 'Texts embedded by this process' });
const embeddedTokensTotal = new Counter({ name: 'embedding_tokens_total', help: 'Tokens embedded by this process' });
const chatTokensTotal = new Counter({
  name: 'ai_tokens_total',
  help: 'Chat model tokens used by this process',
  labelNames: ['kind'],
});
const rejectionsTotal = new Counter({
  name: 'ai_token_budget_rejections_total',
  help: 'Questions refused because AI_TOKENS_PER_DAY was spent',
});

/** Updates the metrics of the models. */
export const collectAiMetrics = (): void => {
  const { calls, texts, tokens } = embeddingUsage();
  const { prompt, completion, rejections } = tokenTotals();
  for (const counter of [callsTotal, textsTotal, embeddedTokensTotal, chatTokensTotal, rejectionsTotal])
    counter.reset();
  callsTotal.inc(calls);
  textsTotal.inc(texts);
  embeddedTokensTotal.inc(tokens);
  chatTokensTotal.inc({ kind: 'prompt' }, prompt);
  chatTokensTotal.inc({ kind: 'completion' }, completion);
  rejectionsTotal.inc(rejections);
};
