/** The thread of all-MiniLM-L6-v2. The vector of a text is the mean of its token vectors, scaled to length 1. */
import { workerData } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import { normalize } from '../vectors/vector.ts';
import { loadModel, MAX_TOKENS, serveTexts } from './serve-texts.ts';
import type { EmbeddingThreadData } from './thread-embedder.ts';
import { tokenIds } from './tokenizer.ts';

const session = await loadModel((workerData as EmbeddingThreadData).file);

const truncateIds = (ids: number[]) =>
  ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1) ?? 0] : ids;

const modelInputs = (ids: number[]) => {
  const shape = [1, ids.length];
  const tensor = (values: BigInt64Array) => new Tensor('int64', values, shape);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
};

/** Returns the mean of the token vectors, scaled to length 1. A text is not padded, so each row belongs to a token. */
const meanOfRows = (rows: Float32Array, width: number) => {
  const sum = new Float32Array(width);
  for (let start = 0; start < rows.length; start += width)
    for (let column = 0; column < width; column += 1) sum[column] = (sum[column] ?? 0) + (rows[start + column] ?? 0);
  return normalize(sum);
};

serveTexts(async (text) => {
  const ids = truncateIds(tokenIds(text));
  const { last_hidden_state: hidden } = await session.run(modelInputs(ids));
  if (!(hidden?.data instanceof Float32Array)) throw new Error('The model has no output `last_hidden_state` of floats');
  return { vector: meanOfRows(hidden.data, hidden.dims[2] ?? 0), tokens: ids.length };
});
