/** The thread of the local model: one text in, its vector out (mean of the tokens' vectors, length 1). */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { normalise } from './normalise.ts';
import { tokenIds } from './tokenizer.ts';

const MAX_TOKENS = 256;
/** What lies behind can not be among the first tokens of a text made of words; the tokenizer need not read it. */
const MAX_CHARS = MAX_TOKENS * 100;

/** What the thread is started with and sent. */
export type ThreadData = { file: string };

/** What it sends back for each text. */
export type ThreadAnswer = { vector: Float32Array<ArrayBuffer>; tokens: number } | { error: string };

// On Linux this is the thread's own priority: the event loops of the process keep their turn.
if (process.platform === 'linux') setPriority(0, 5);

const session = await InferenceSession.create((workerData as ThreadData).file, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});

const cut = (ids: number[]) => (ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1) ?? 0] : ids);

const feeds = (ids: number[]) => {
  const shape = [1, ids.length];
  const tensor = (values: BigInt64Array) => new Tensor('int64', values, shape);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
};

/** One text at a time needs no padding, so the mean over the mask is the mean over all rows. */
const meanOfRows = (rows: Float32Array, width: number) => {
  const sum = new Float32Array(width);
  for (let start = 0; start < rows.length; start += width)
    for (let at = 0; at < width; at += 1) sum[at] = (sum[at] ?? 0) + (rows[start + at] ?? 0);
  return normalise(sum);
};

const embed = async (text: string) => {
  const ids = cut(tokenIds(text.slice(0, MAX_CHARS)));
  const { last_hidden_state: hidden } = await session.run(feeds(ids));
  if (!(hidden?.data instanceof Float32Array)) throw new Error('The model has no output `last_hidden_state` of floats');
  return { vector: meanOfRows(hidden.data, hidden.dims[2] ?? 0), tokens: ids.length };
};

parentPort?.on('message', async (text: string) => {
  try {
    const answer: ThreadAnswer = await embed(text);
    parentPort?.postMessage(answer, [answer.vector.buffer]);
  } catch (error) {
    parentPort?.postMessage({ error: String(error) } satisfies ThreadAnswer);
  }
});
