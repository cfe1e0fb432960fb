/** Converts the files of two Python packages to the text encoder that finds intents. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readE5File } from './e5-file.mjs';
import { addE5 } from './e5-graph.mjs';
import { DATA_FILE, MODEL_FILE, OnnxGraph } from './onnx-file.mjs';
import { readArray, readSentencePieces } from './use-files.mjs';
import { addUniversalSentenceEncoder } from './use-graph.mjs';
import { encodeVocabulary } from './vocabulary.mjs';

/**
 * The weights of the two models in the similarity of texts. The vectors of multilingual-e5-small differ less from each
 * other than those of multilingual USE; with these weights, both models contribute about equally.
 */
const USE_SHARE = 0.2;
const E5_SHARE = 0.8;

const row = (type) => ({ type, dims: ['tokens'] });

/**
 * Writes the encoder to a folder: the model, with the inputs `use_ids`, `e5_ids` and `e5_weights` and the output
 * `vector`, and the vocabularies of both tokenizers.
 */
export function convertEncoder({ e5File, useFolder, arraysFolder }, folder) {
  const e5 = readE5File(readFileSync(e5File));
  const arrays = (name) => readArray(path.join(arraysFolder, `${name}.npy`));
  const graph = new OnnxGraph();
  const parts = [
    { share: USE_SHARE, vector: addUniversalSentenceEncoder(graph, arrays, { ids: 'use_ids' }) },
    { share: E5_SHARE, vector: addE5(graph, e5, { ids: 'e5_ids', weights: 'e5_weights' }) },
  ];
  const scaled = parts.map(({ share, vector }) => graph.add('Mul', [vector, graph.floats([1], [Math.sqrt(share)])]));
  graph.add('Concat', scaled, { attributes: { axis: 0 }, outputs: ['vector'] });
  const { model, data } = graph.encode({
    inputs: {
      use_ids: { type: 'int64', dims: ['use_tokens'] },
      e5_ids: row('int64'),
      e5_weights: row('float32'),
    },
    outputs: { vector: { type: 'float32', dims: ['width'] } },
  });
  const write = (name, content) => writeFileSync(path.join(folder, name), content);
  write('use.vocabulary', encodeVocabulary(readSentencePieces(path.join(useFolder, 'sp.model'))));
  write('e5.vocabulary', encodeVocabulary(e5.vocabulary));
  write(DATA_FILE, data);
  write(MODEL_FILE, model);
}
