/** Whose texts they are, whether a person waits for the answer, and when the caller has left. */
export interface EmbedOptions {
  project: string;
  priority?: boolean;
  signal?: AbortSignal;
}

/** Turns texts into vectors of length 1 and of one dimension. */
export interface Embedder {
  provider: 'local' | 'openai';
  /** The model; vectors of different names are not comparable. */
  name: string;
  dimension: number;
  /**
   * Vectors in the order of the texts, or none at all: AI_REFUSED and AI_BAD_ANSWER are final, AI_UNAVAILABLE and
   * AI_TIMEOUT pass; when the caller leaves it rejects with the signal's reason.
   */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}
