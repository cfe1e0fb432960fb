import { InferenceSession, Tensor } from 'onnxruntime-node';
import { tokenIds } from '#shared/embedding/tokenizer.ts';

/**
 * The model in a file, called directly with one thread and with texts tokenized in advance: the baseline with which the
 * embedder is compared.
 */
export const bareModel = async (file: string, texts: string[]) => {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const all = texts.map((text) => tokenIds(text).slice(0, 256));
  const tensor = (values: BigInt64Array) => new Tensor('int64', values, [1, values.length]);
  return {
    /** Runs the model once for every text, and returns the number of tokens. */
    run: async () => {
      for (const ids of all) {
        const input_ids = tensor(BigInt64Array.from(ids, BigInt));
        const attention_mask = tensor(new BigInt64Array(ids.length).fill(1n));
        await session.run({ input_ids, attention_mask, token_type_ids: tensor(new BigInt64Array(ids.length)) });
      }
      return all.reduce((sum, ids) => sum + ids.length, 0);
    },
    close: () => session.release(),
  };
};
