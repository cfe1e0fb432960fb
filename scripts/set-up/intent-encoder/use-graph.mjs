/**
 * Builds the graph of the multilingual Universal Sentence Encoder: embeddings of word pieces, convolutions over 2, 3
 * and 5 pieces, the sum over the text, and a feed-forward network.
 */

const WIDTH = 512;
const CHANNELS = 256;
/** How many pieces a convolution covers, and how many of them precede its position. */
const CONVOLUTIONS = [
  { size: 2, before: 0 },
  { size: 3, before: 1 },
  { size: 5, before: 2 },
];
const CHUNKS = 17;
const FLOAT = { attributes: { to: 1 } };

/**
 * Joins the 17 chunks in which the package stores the embedding table: row n of the table is row floor(n / 17) of chunk
 * n % 17.
 */
function joinChunks(arrays) {
  const chunks = Array.from({ length: CHUNKS }, (_, index) => arrays(`q${index + 1}`).values);
  const table = new Uint8Array(CHUNKS * chunks[0].length);
  for (let row = 0; row < table.length / WIDTH; row++) {
    const start = Math.floor(row / CHUNKS) * WIDTH;
    table.set(chunks[row % CHUNKS].subarray(start, start + WIDTH), row * WIDTH);
  }
  return table;
}

function addEmbeddings(graph, ids, arrays) {
  const values = joinChunks(arrays);
  const table = graph.constant('uint8', [values.length / WIDTH, WIDTH], { values, external: true });
  const codes = graph.add('Cast', [graph.add('Gather', [table, ids])], FLOAT);
  const chunk = graph.add('Mod', [ids, graph.integers(CHUNKS)]);
  const [scale, low] = ['scale', 'lo'].map((name) =>
    graph.add('Gather', [graph.floats([CHUNKS, 1], arrays(name).values), chunk]),
  );
  return graph.add('Add', [graph.add('Mul', [codes, scale]), low]);
}

const addNorm = (graph, input, { weight, bias, epsilon }) =>
  graph.add('LayerNormalization', [input, weight, bias], { attributes: { axis: -1, epsilon } });

/** Adds a convolution with its residual connection. The input and the output have one row per channel. */
function addConvolution(graph, input, { weights, bias, size, before }) {
  const kernel = Float32Array.from({ length: weights.length }, (_, index) => {
    const [output, channel, place] = [
      Math.floor(index / (CHANNELS * size)),
      Math.floor(index / size) % CHANNELS,
      index % size,
    ];
    return weights[(place * CHANNELS + channel) * CHANNELS + output];
  });
  const constants = [graph.floats([CHANNELS, CHANNELS, size], kernel), graph.floats([CHANNELS], bias)];
  const attributes = { kernel_shape: [size], pads: [before, size - 1 - before] };
  const sum = graph.add('Relu', [graph.add('Conv', [input, ...constants], { attributes })]);
  return graph.add('Add', [sum, input]);
}

function addBranch(graph, input, { arrays, size, before }) {
  const rows = graph.add('Unsqueeze', [graph.add('Transpose', [input]), graph.integers(0)]);
  const layer = (name) => ({ weights: arrays(`w${name}_${size}`).values, bias: arrays(`b${name}_${size}`).values });
  const first = addConvolution(graph, rows, { ...layer(1), size, before });
  const second = addConvolution(graph, first, { ...layer(2), size, before });
  return graph.add('Transpose', [graph.add('Squeeze', [second, graph.integers(0)])]);
}

/** Joins the arrays of the three branches, one for each convolution size, side by side. */
function joinColumns(parts, rows) {
  const width = parts[0].length / rows;
  return Float32Array.from({ length: parts.length * parts[0].length }, (_, index) => {
    const [row, column] = [Math.floor(index / (width * parts.length)), index % (width * parts.length)];
    return parts[Math.floor(column / width)][row * width + (column % width)];
  });
}

/** Adds the features of the pieces: their embeddings and the results of the convolutions. */
function addFeatures(graph, embeddings, arrays) {
  const epsilon = arrays('eps').values[0];
  const joined = (name, rows) =>
    joinColumns(
      CONVOLUTIONS.map(({ size }) => arrays(`${name}${size}`).values),
      rows,
    );
  const columns = CONVOLUTIONS.length * CHANNELS;
  const vector = (name) => graph.floats([columns], joined(name, 1));
  const product = graph.add('MatMul', [embeddings, graph.floats([WIDTH, columns], joined('proj', WIDTH))]);
  const projected = graph.add('Add', [product, vector('proj_b')]);
  const normalized = addNorm(graph, projected, { weight: vector('ln_g'), bias: vector('ln_b'), epsilon });
  const parts = CONVOLUTIONS.map(({ size }) => `branch${size}`);
  graph.add('Split', [normalized, graph.integers(CHANNELS, CHANNELS, CHANNELS)], {
    attributes: { axis: 1 },
    outputs: parts,
  });
  const branches = CONVOLUTIONS.map((each, index) => addBranch(graph, parts[index], { arrays, ...each }));
  const features = graph.add('Concat', [embeddings, ...branches], { attributes: { axis: 1 } });
  const [weight, bias] = ['ln_g', 'ln_b'].map((name) => graph.floats([WIDTH + columns], arrays(name).values));
  return addNorm(graph, features, { weight, bias, epsilon });
}

/** Adds the model and returns the name of its output, a vector of norm 1. `arrays` returns an array by its name. */
export function addUniversalSentenceEncoder(graph, arrays, { ids }) {
  const features = addFeatures(graph, addEmbeddings(graph, ids, arrays), arrays);
  const matrix = (name) => graph.floats(arrays(name).dims, arrays(name).values);
  const times = (input, name) => graph.add('MatMul', [input, matrix(name)]);
  const relu = (input) => graph.add('Relu', [input]);
  const sum = graph.add('ReduceSum', [features, graph.integers(0)]);
  const root = graph.add('Sqrt', [graph.add('Cast', [graph.add('Shape', [ids])], FLOAT)]);
  const bias = graph.add('Mul', [matrix('cnn_b'), root]);
  const text = graph.add('Add', [graph.add('Div', [times(sum, 'cnn_W'), root]), bias]);
  const middle = relu(graph.add('Add', [times(text, 'p1'), times(relu(times(text, 'd0')), 'd1')]));
  const output = graph.add('Add', [times(middle, 'p3'), times(relu(times(middle, 'd2')), 'd3')]);
  const vector = graph.add('Reshape', [graph.add('Tanh', [output]), graph.integers(WIDTH)]);
  return graph.add('LpNormalization', [vector], { attributes: { axis: 0, p: 2 } });
}
