/**
 * The thread of the multilingual encoder, an ONNX graph of two models whose vectors are concatenated: the Universal
 * Sentence Encoder (USE) and multilingual-e5-small (E5). The tokens of E5 are weighted by their rarity, so that
 * function words have little influence.
 */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import type { EmbeddingThreadData } from './thread-embedder.ts';
import { loadModel, MAX_TOKENS, serveTexts } from './serve-texts.ts';
import { UnigramTokenizer } from './unigram-tokenizer.ts';

/** The ids of the special tokens of each model. */
const USE = { begin: 1, end: 2, unknown: 0 };
const E5 = { begin: 0, end: 2, unknown: 3 };
/** The prefix that multilingual-e5-small expects before each of the texts that are compared with each other. */
const E5_PREFIX = 'query:';
/** Added to each weight. If all weights were 0, as for an empty text, the vector could not be scaled to length 1. */
const MIN_WEIGHT = 1e-6;

const { file } = workerData as EmbeddingThreadData;
const session = await loadModel(join(file, 'model.onnx'));
const use = new UnigramTokenizer(join(file, 'use.vocabulary'), USE.unknown);
const e5 = new UnigramTokenizer(join(file, 'e5.vocabulary'), E5.unknown);
const prefix = e5.encode(E5_PREFIX);

const idsTensor = (ids: number[]) => new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]);

serveTexts(async (text) => {
  const useIds = [USE.begin, ...use.encode(text).slice(0, MAX_TOKENS), USE.end];
  const body = e5.encode(`${E5_PREFIX} ${text}`).slice(prefix.length, MAX_TOKENS);
  const e5Ids = [E5.begin, ...prefix, ...body, E5.end];
  const unweighted = e5Ids.length - body.length - 1;
  const weights = Float32Array.from(e5Ids, (id, index) => {
    const isOfText = index >= unweighted && index < e5Ids.length - 1;
    return (isOfText ? Math.max(0, e5.rarityOf(id)) : 0) + MIN_WEIGHT;
  });
  const { vector } = await session.run({
    use_ids: idsTensor(useIds),
    e5_ids: idsTensor(e5Ids),
    e5_weights: new Tensor('float32', weights, [weights.length]),
  });
  if (!(vector?.data instanceof Float32Array)) throw new Error('The encoder has no output `vector` of floats');
  return { vector: Float32Array.from(vector.data), tokens: useIds.length + e5Ids.length };
});
