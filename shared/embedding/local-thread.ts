/**
 * The thread of the local model: receives a text and sends its vector (the mean of the token vectors, scaled to length
 * 1).
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { normalise } from '../vectors/vector.ts';
import { tokenIds } from './tokenizer.ts';

const MAX_TOKENS = 256;
/**
 * Later characters cannot belong to the first MAX_TOKENS tokens of a text made of words, so the tokenizer does not read
 * them.
 */
const MAX_CHARS = MAX_TOKENS * 100;

/** The data that the thread is started with. */
export type EmbeddingThreadData = { file: string };

/** The reply to each text. */
export type EmbeddingThreadReply = { vector: Float32Array<ArrayBuffer>; tokens: number } | { error: string };

// On Linux this sets the priority of the thread only, below that of the process's event loops.
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
    for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + (rows[start + at] ?? 0);
  return normalise(sum);
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
