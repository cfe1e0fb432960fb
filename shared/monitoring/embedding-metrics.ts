/**
 * Metrics of the embeddings of this process, updated from the totals in embedding/usage.ts whenever the metrics are
 * read.
 */
import { Counter } from 'prom-client';
import { embeddingUsage } from '../embedding/usage.ts';

/** Starts the collection of the metrics of embeddings. */
export const collectEmbeddingMetrics = (): void => {
  const texts = new Counter({ name: 'embedding_texts_total', help: 'Texts embedded by this process' });
  const tokens = new Counter({ name: 'embedding_tokens_total', help: 'Tokens embedded by this process' });
  let counted = { calls: 0, texts: 0, tokens: 0 };
  const calls: Counter = new Counter({
    name: 'embedding_calls_total',
    help: 'Calls to the embedding model by this process',
    collect: () => {
      const usage = embeddingUsage();
      calls.inc(usage.calls - counted.calls);
      texts.inc(usage.texts - counted.texts);
      tokens.inc(usage.tokens - counted.tokens);
      counted = usage;
    },
  });
};
