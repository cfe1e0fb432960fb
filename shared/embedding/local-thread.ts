/**
 * The thread of the local model: receives texts and sends the vector of each, which is the mean of its token vectors
 * scaled to length 1.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { normalize } from '../vectors/vector.ts';
import { tokenIds } from './tokenizer.ts';

const MAX_TOKENS = 256;
/**
 * The tokenizer does not read later characters: in a text made of words they are beyond the first MAX_TOKENS tokens.
 */
const MAX_CHARS = MAX_TOKENS * 100;

/** The data that the thread is started with. */
export type EmbeddingThreadData = { file: string };

/** The reply to each text. */
export type EmbeddingThreadReply = { vector: Float32Array<ArrayBuffer>; tokens: number } | { error: string };

// On Linux this lowers the priority of this thread only, so that the main thread gets the CPU first.
if (process.platform === 'linux') setPriority(0, 5);

const session = await InferenceSession.create((workerData as EmbeddingThreadData).file, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});

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

/** Without padding, the mean over the attention mask is the mean over all rows. */
const meanOfRows = (rows: Float32Array, width: number) => {
  const sum = new Float32Array(width);
  for (let start = 0; start < rows.length; start += width)
    for (let column = 0; column < width; column += 1) sum[column] = (sum[column] ?? 0) + (rows[start + column] ?? 0);
  return normalize(sum);
};

const embed = async (text: string) => {
  const ids = truncateIds(tokenIds(text.slice(0, MAX_CHARS)));
  const { last_hidden_state: hidden } = await session.run(modelInputs(ids));
  if (!(hidden?.data instanceof Float32Array)) throw new Error('The model has no output `last_hidden_state` of floats');
  return { vector: meanOfRows(hidden.data, hidden.dims[2] ?? 0), tokens: ids.length };
};

parentPort?.on('message', async (text: string) => {
  try {
    const reply: EmbeddingThreadReply = await embed(text);
    parentPort?.postMessage(reply, [reply.vector.buffer]);
  } catch (error) {
    parentPort?.postMessage({ error: String(error) } satisfies EmbeddingThreadReply);
  }
});
