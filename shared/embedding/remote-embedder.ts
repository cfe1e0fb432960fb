/** The embedding model of an OpenAI-compatible provider. Concurrent calls share batches. */
import { Provider, type ProviderSettings } from '../ai/provider.ts';
import { badAnswerError, isBadAnswer, ProviderRefusalError, unavailableError } from '../ai/provider-errors.ts';
import { Batcher, type EmbeddedBatch } from './batcher.ts';
import { normalize } from '../vectors/vector.ts';
import type { Embedder } from './types.ts';

const BATCH_LIMITS = { texts: 96, chars: 200_000, concurrency: 4 };

/**
 * HTTP statuses that a single invalid text may cause. The texts of each caller are then retried separately, as after an
 * unusable answer.
 */
const SINGLE_TEXT_STATUSES = new Set([400, 413, 422]);

/**
 * Decodes an embedding. The request asks for base64, which takes a quarter as many bytes as JSON numbers. Servers that
 * do not support base64 send numbers. Anything else in their place, such as null, becomes NaN.
 */
const toVector = (embedding: unknown) => {
  if (typeof embedding !== 'string')
    return Float32Array.from(Array.isArray(embedding) ? embedding : [], (value) =>
      Number.isFinite(value) ? value : NaN,
    );
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
};

/** Decodes, checks and normalizes the vector of the text at this position in the request, counted from 0. */
const validateVector = (embedding: unknown, position: number, dimension: number) => {
  const vector = toVector(embedding);
  if (vector.length !== dimension)
    throw badAnswerError(
      `the vector at position ${position} has dimension ${vector.length}, but EMBEDDING_DIMENSION is ${dimension}`,
    );
  if (!vector.every(Number.isFinite))
    throw badAnswerError(`the vector at position ${position} contains a value that is not a finite number`);
  return normalize(vector);
};

/** The expected reply; a provider may send something else. */
interface EmbeddingsReply {
  data?: ({ index: number; embedding: unknown } | null)[];
  usage?: { total_tokens?: number };
}

const readReply = (reply: EmbeddingsReply | null, expected: { count: number; dimension: number }): EmbeddedBatch => {
  const { data, usage } = reply ?? {};
  if (!Array.isArray(data) || data.length !== expected.count)
    throw badAnswerError(`${data?.length ?? 'no'} vectors for ${expected.count} texts`);
  const entries = data.map((entry, position) => ({ index: entry?.index ?? position, embedding: entry?.embedding }));
  const inOrder = entries.toSorted((a, b) => a.index - b.index);
  return {
    vectors: inOrder.map(({ embedding }, position) => validateVector(embedding, position, expected.dimension)),
    tokens: usage?.total_tokens ?? 0,
  };
};

export type RemoteEmbedderSettings = ProviderSettings & { EMBEDDING_MODEL: string; EMBEDDING_DIMENSION: number };

/** Creates the embedder of a provider; EMBEDDING_DIMENSION must be the dimension of its model. */
export const remoteEmbedder = (settings: RemoteEmbedderSettings): Embedder => {
  const { EMBEDDING_MODEL: model, EMBEDDING_DIMENSION: dimension } = settings;
  const provider = new Provider(settings);
  const run = async (input: string[], signal: AbortSignal) => {
    using deadline = provider.deadline(signal);
    const reply = await provider.call(
      (client, options) => client.embeddings.create({ model, input, encoding_format: 'base64' }, options),
      deadline.signal,
    );
    return readReply(reply, { count: input.length, dimension });
  };
  const mayBeCausedByOneText = (error: unknown) =>
    isBadAnswer(error) || (error instanceof ProviderRefusalError && SINGLE_TEXT_STATUSES.has(error.providerStatus));
  const batcher = new Batcher({ run, limits: BATCH_LIMITS, mayBeCausedByOneText });
  return {
    provider: 'openai',
    name: model,
    dimension,
    embed: (texts, options) => batcher.embed(texts, options),
    close: async () => {
      batcher.close(unavailableError('the connection was closed'));
      await provider.close();
    },
  };
};
