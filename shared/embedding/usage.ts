/** Counts the embeddings of this process. */

const totals = { calls: 0, texts: 0, tokens: 0 };

/** Counts one successful embedding call. */
export const countEmbeddingCall = (texts: number, tokens: number) => {
  totals.calls += 1;
  totals.texts += texts;
  totals.tokens += tokens;
};

/** Returns the number of embedding calls, texts and tokens since this process started. */
export const embeddingUsage = () => ({ ...totals });
