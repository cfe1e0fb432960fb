/** Metrics of the embeddings of this process. They are read from its totals when the metrics are read. */
import { Counter } from 'prom-client';
import { embeddingUsage } from '../embedding/usage.ts';

const addDifference = (counter: Counter, total: number, counted: number): void => counter.inc(total - counted);

let counted = { calls: 0, texts: 0, tokens: 0 };

const callsTotal: Counter = new Counter({
  name: 'embedding_calls_total',
  help: 'Embedding calls made by this process',
  collect: () => {
    const usage = embeddingUsage();
    addDifference(callsTotal, usage.calls, counted.calls);
    addDifference(textsTotal, usage.texts, counted.texts);
    addDifference(tokensTotal, usage.tokens, counted.tokens);
    counted = usage;
  },
});
const textsTotal = new Counter({ name: 'embedding_texts_total', help: 'Texts embedded by this process' });
const tokensTotal = new Counter({ name: 'embedding_tokens_total', help: 'Tokens embedded by this process' });
