/** Embedding metrics. */
import { Counter } from 'prom-client';

const totals = { calls: 0, texts: 0, tokens: 0 };

/** Counts one successful embedding call. */
export const countEmbeddingCall = (texts: number, tokens: number) => {
  totals.calls += 1;
  totals.texts += texts;
  totals.tokens += tokens;
};

/** Returns the number of embedding calls, texts and tokens since this process started. */
export const embeddingUsage = () => ({ ...totals });

const HELP = {
  calls: 'Embedding calls made by this process',
  texts: 'Texts embedded by this process',
  tokens: 'Tokens embedded by this process',
};

for (const kind of ['calls', 'texts', 'tokens'] as const) {
  new Counter({
    name: `embedding_${kind}_total`,
    help: HELP[kind],
    collect() {
      this.reset();
      this.inc(totals[kind]);
    },
  });
}
