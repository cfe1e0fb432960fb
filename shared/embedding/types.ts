/** The interface of an embedder. */

/** Options of an embedding call. */
export interface EmbedOptions {
  /** The id of the project that the texts belong to. */
  project: string;
  /** Whether a person is waiting for the result; such texts are embedded first. */
  priority?: boolean;
  /** Cancels the call when aborted. */
  signal?: AbortSignal;
}

/** Embeds texts as vectors of length 1, all of the same dimension. */
export interface Embedder {
  provider: 'local' | 'openai';
  /** The model's name; vectors of different models are not comparable. */
  name: string;
  dimension: number;
  /**
   * Returns the vectors in the order of the texts, or rejects for all of them. AI_REQUEST_REJECTED and AI_BAD_ANSWER
   * are permanent; AI_UNAVAILABLE and AI_TIMEOUT are transient. Rejects with the signal's reason when it aborts.
   */
  embed(texts: string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}
