/** Metrics of embedding. */
import { Counter } from 'prom-client';

const totals = { calls: 0, texts: 0, tokens: 0 };

/** Counts one successful embedding call. */
export const countEmbeddingCall = (texts: number, tokens: number) => {
  totals.calls += 1;
  totals.texts += texts;
  totals.tokens += tokens;
};

/** Returns the embedding calls, texts and tokens since this process started. */
export const embeddingUsage = () => ({ ...totals });

for (const kind of ['calls', 'texts', 'tokens'] as const) {
  new Counter({
    name: `embedding_${kind}_total`,
    help: `Embedding ${kind} of this process`,
    collect() {
      this.reset();
      this.inc(totals[kind]);
    },
  });
}
