/**
 * Builds the graph of multilingual-e5-small, a transformer with 12 layers. The weights of its layers remain quantized
 * to 4 bits. The vector of a text is the mean of the vectors of its tokens, weighted by an input of the graph.
 */
import { toFloats, toInt8Rows, unpackBlocks } from './e5-file.mjs';

const BLOCK_WEIGHTS = 32;
/** The `accuracy_level` of the operator MatMulNBits at which activations are rounded to int8. */
const INT8_ACTIVATIONS = 4;
const MICROSOFT = { domain: 'com.microsoft' };

/** Packs two weights per byte, the first one in the lower half. */
const packPairs = (weights) =>
  Uint8Array.from({ length: weights.length / 2 }, (_, index) => weights[2 * index] | (weights[2 * index + 1] << 4));

const joinBytes = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part.buffer)));

/** Adds a linear layer. If there are several tensors of weights, their outputs are concatenated. */
function addLinear(graph, input, { weights, biases, inputs: K }) {
  const unpacked = weights.map(unpackBlocks);
  const N = unpacked.reduce((sum, { weights: own }) => sum + own.length / K, 0);
  const blocks = K / BLOCK_WEIGHTS;
  const packed = graph.constant('uint8', [N, blocks, BLOCK_WEIGHTS / 2], {
    values: joinBytes(unpacked.map(({ weights: own }) => packPairs(own))),
  });
  const scales = graph.floats(
    [N * blocks],
    unpacked.flatMap(({ scales: own }) => [...own]),
  );
  const attributes = { K, N, bits: 4, block_size: BLOCK_WEIGHTS, accuracy_level: INT8_ACTIVATIONS };
  const product = graph.add('MatMulNBits', [input, packed, scales], { attributes, ...MICROSOFT });
  const bias = graph.floats(
    [N],
    biases.flatMap((each) => [...toFloats(each)]),
  );
  return graph.add('Add', [product, bias]);
}

const addNorm = (graph, input, { epsilon, tensors, width, name }) =>
  graph.add(
    'LayerNormalization',
    [input, ...['w', 'b'].map((part) => graph.floats([width], toFloats(tensors.get(`${name}.${part}`))))],
    { attributes: { axis: -1, epsilon } },
  );

/** Adds the embedding of each token: the sum of the embeddings of its word piece, position and type. */
function addEmbeddings(graph, ids, model) {
  const { width, positions, tensors, rows } = model;
  const { values, scales } = toInt8Rows(tensors.get('emb.word'), width);
  const table = graph.constant('int8', [rows, width], { values, external: true });
  const rowScales = graph.constant('float32', [rows, 1], { values: scales, external: true });
  const codes = graph.add('Cast', [graph.add('Gather', [table, ids])], { attributes: { to: 1 } });
  const pieces = graph.add('Mul', [codes, graph.add('Gather', [rowScales, ids])]);
  const type = toFloats(tensors.get('emb.type'));
  const byPosition = toFloats(tensors.get('emb.pos')).map((value, index) => value + type[index % width]);
  const length = graph.add('Shape', [ids]);
  const [start, axis] = [graph.integers(0), graph.integers(0)];
  const own = graph.add('Slice', [graph.floats([positions, width], byPosition), start, length, axis]);
  const sum = graph.add('Unsqueeze', [graph.add('Add', [pieces, own]), graph.integers(0)]);
  return addNorm(graph, sum, { ...model, name: 'emb.ln' });
}

function addLayer(graph, input, { layer, ...model }) {
  const { width, innerWidth, heads, tensors } = model;
  const named = (...names) => ({
    weights: names.map((name) => tensors.get(`l${layer}.${name}.w`)),
    biases: names.map((name) => tensors.get(`l${layer}.${name}.b`)),
  });
  const all = addLinear(graph, input, { ...named('q', 'k', 'v'), inputs: width });
  const parts = ['q', 'k', 'v'].map((name) => `l${layer}.${name}`);
  graph.add('Split', [all, graph.integers(width, width, width)], { attributes: { axis: 2 }, outputs: parts });
  const attention = graph.add('MultiHeadAttention', parts, { attributes: { num_heads: heads }, ...MICROSOFT });
  const attended = graph.add('Add', [input, addLinear(graph, attention, { ...named('ao'), inputs: width })]);
  const middle = addNorm(graph, attended, { ...model, name: `l${layer}.aln` });
  const inner = graph.add('Gelu', [addLinear(graph, middle, { ...named('fi'), inputs: width })]);
  const outer = addLinear(graph, inner, { ...named('fo'), inputs: innerWidth });
  return addNorm(graph, graph.add('Add', [middle, outer]), { ...model, name: `l${layer}.oln` });
}

/**
 * Adds the model and returns the name of its output, a vector of norm 1. `ids` and `weights` are the names of the
 * inputs with the ids of the tokens and their weights.
 */
export function addE5(graph, model, { ids, weights }) {
  let hidden = addEmbeddings(graph, ids, model);
  for (let layer = 0; layer < model.layers; layer++) hidden = addLayer(graph, hidden, { ...model, layer });
  const row = graph.add('Unsqueeze', [weights, graph.integers(0, 1)]);
  const mean = graph.add('Reshape', [graph.add('MatMul', [row, hidden]), graph.integers(model.width)]);
  return graph.add('LpNormalization', [mean], { attributes: { axis: 0, p: 2 } });
}
