import { Counter } from 'prom-client';

const totals = { calls: 0, texts: 0, tokens: 0 };

/** Note one call of an embedder that brought vectors. */
export const counted = (texts: number, tokens: number) => {
  totals.calls += 1;
  totals.texts += texts;
  totals.tokens += tokens;
};

/** What this process has embedded since it started. */
export const usage = () => ({ ...totals });

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
