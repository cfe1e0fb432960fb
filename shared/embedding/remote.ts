/** The embedding model of an OpenAI-compatible provider; calls of the same moment share batches. */
import { badAnswer, ProviderRefusal, unavailable } from '#shared/ai/failure.ts';
import { Provider, type ProviderSettings } from '#shared/ai/provider.ts';
import type { Embedder } from './contract.ts';
import { normalise } from './normalise.ts';
import { type Embedded, Pump } from './pump.ts';

const LIMITS = { texts: 96, chars: 200_000, atOnce: 4 };

/** Statuses that a single text may cause, and that the others of its batch must not suffer for. */
const ABOUT_A_TEXT = new Set([400, 413, 422]);

/** Base64 is asked for (a quarter of the bytes to parse); servers that do not know it send numbers. */
const toVector = (embedding: unknown) => {
  if (typeof embedding !== 'string') return Float32Array.from(Array.isArray(embedding) ? embedding : []);
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
};

const checked = (embedding: unknown, dimension: number) => {
  const vector = toVector(embedding);
  if (vector.length !== dimension)
    throw badAnswer(`its vectors have ${vector.length} numbers, EMBEDDING_DIMENSION says ${dimension}`);
  if (!vector.every(Number.isFinite)) throw badAnswer('a vector holds something that is not a number');
  return normalise(vector);
};

/** What a provider should send; nothing of it is taken for granted. */
interface Answer {
  data?: { index: number; embedding: unknown }[];
  usage?: { total_tokens?: number };
}

const read = (answer: Answer | null, expected: { count: number; dimension: number }): Embedded => {
  const { data, usage } = answer ?? {};
  if (!Array.isArray(data) || data.length !== expected.count)
    throw badAnswer(`${data?.length ?? 'no'} vectors for ${expected.count} texts`);
  const inOrder = data.toSorted((a, b) => a.index - b.index);
  return {
    vectors: inOrder.map(({ embedding }) => checked(embedding, expected.dimension)),
    tokens: usage?.total_tokens ?? 0,
  };
};

/** The settings of a remote embedder. */
export type RemoteSettings = ProviderSettings & { EMBEDDING_MODEL: string; EMBEDDING_DIMENSION: number };

/** The embedder that asks the provider; EMBEDDING_DIMENSION must be what its model gives. */
export const remoteEmbedder = (settings: RemoteSettings): Embedder => {
  const { EMBEDDING_MODEL: model, EMBEDDING_DIMENSION: dimension } = settings;
  const provider = new Provider(settings);
  const run = async (input: string[], signal: AbortSignal) => {
    using limit = provider.deadline(signal);
    const answer = await provider.call(
      (client, options) => client.embeddings.create({ model, input, encoding_format: 'base64' }, options),
      limit.signal,
    );
    return read(answer, { count: input.length, dimension });
  };
  const oneIsBad = (error: unknown) => error instanceof ProviderRefusal && ABOUT_A_TEXT.has(error.providerStatus);
  const pump = new Pump({ run, limits: LIMITS, oneIsBad });
  return {
    provider: 'openai',
    name: model,
    dimension,
    embed: (texts, options) => pump.embed(texts, options),
    close: async () => {
      pump.close(unavailable('the connection was closed'));
      await provider.close();
    },
  };
};
