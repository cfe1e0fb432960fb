/** Joins two models: the vector of a text contains the vectors of both. */
import type { Embedder } from './types.ts';

/** The models, and the weight of the second model in the similarity of two texts, from 0 to 1. */
interface JoinedModels {
  first: Embedder;
  second: Embedder;
  secondShare: number;
}

const join = (one: Float32Array, other: Float32Array, otherShare: number): Float32Array => {
  const joined = new Float32Array(one.length + other.length);
  joined.set(one.map((value) => value * Math.sqrt(1 - otherShare)));
  joined.set(
    other.map((value) => value * Math.sqrt(otherShare)),
    one.length,
  );
  return joined;
};

/** Creates the embedder of two models that embed each text concurrently. `close` closes both. */
export const joinedEmbedder = ({ first, second, secondShare }: JoinedModels): Embedder => ({
  provider: first.provider,
  name: `${first.name}+${second.name}`,
  dimension: first.dimension + second.dimension,
  embed: async (texts, options) => {
    const [own, other] = await Promise.all([first.embed(texts, options), second.embed(texts, options)]);
    return own.map((vector, index) => join(vector, other[index] ?? new Float32Array(), secondShare));
  },
  close: async () => {
    await Promise.all([first.close(), second.close()]);
  },
});
