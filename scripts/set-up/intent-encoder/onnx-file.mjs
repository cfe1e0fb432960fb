/** Writes models in the ONNX format. `onnx.proto` of the ONNX project describes its protocol buffers. */

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;
const IR_VERSION = 9;
const OPERATOR_SETS = { '': 20, 'com.microsoft': 1 };
const ELEMENT_TYPES = { float32: 1, uint8: 2, int8: 3, int64: 7 };
const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 };
const EXTERNAL = 1;

function encodeVarint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const keyOf = (field, wireType) => encodeVarint((field << 3) | wireType);
const int = (field, value) => Buffer.concat([keyOf(field, VARINT), encodeVarint(value)]);
const bytes = (field, value) => {
  const content = Buffer.from(value);
  return Buffer.concat([keyOf(field, BYTES), encodeVarint(content.length), content]);
};
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));
const float = (field, value) => Buffer.concat([keyOf(field, FIXED32), Buffer.from(Float32Array.of(value).buffer)]);

/** Encodes an attribute: integers as INT, other numbers as FLOAT, and arrays as INTS. */
function attribute([name, value]) {
  if (Array.isArray(value))
    return [bytes(1, name), ...value.map((each) => int(8, each)), int(20, ATTRIBUTE_TYPES.ints)];
  if (Number.isInteger(value)) return [bytes(1, name), int(3, value), int(20, ATTRIBUTE_TYPES.int)];
  return [bytes(1, name), float(2, value), int(20, ATTRIBUTE_TYPES.float)];
}

/** Encodes the description of an input or output: its element type, and its dimensions as numbers or names. */
function valueInfo([name, { type, dims }]) {
  const dimensions = dims.map((dim) => message(1, typeof dim === 'number' ? int(1, dim) : bytes(2, dim)));
  return [bytes(1, name), message(2, message(1, int(1, ELEMENT_TYPES[type]), message(2, ...dimensions)))];
}

/** Returns the bytes of a typed array. */
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** A graph of operators, built in the order of their execution. */
export class OnnxGraph {
  #nodes = [];
  #tensors = [];
  #externalBytes = [];
  #externalLength = 0;

  /** Adds an operator. Returns the name of its first output. `outputs` names the outputs if there are several. */
  add(operator, inputs, { attributes = {}, domain = '', outputs = [`v${this.#nodes.length}`] } = {}) {
    this.#nodes.push(
      message(
        1,
        ...inputs.map((input) => bytes(1, input)),
        ...outputs.map((output) => bytes(2, output)),
        bytes(4, operator),
        ...Object.entries(attributes).map((each) => message(5, ...attribute(each))),
        bytes(7, domain),
      ),
    );
    return outputs[0];
  }

  /**
   * Adds a constant and returns its name. With `external`, its bytes go to the data file, which is mapped into memory.
   */
  constant(type, dims, { values, external = false }) {
    const name = `c${this.#tensors.length}`;
    const head = [...dims.map((dim) => int(1, dim)), int(2, ELEMENT_TYPES[type]), bytes(8, name)];
    const content = bytesOf(values);
    this.#tensors.push(message(5, ...head, ...(external ? this.#addExternal(content) : [bytes(9, content)])));
    return name;
  }

  floats(dims, values) {
    return this.constant('float32', dims, { values: Float32Array.from(values) });
  }

  integers(...values) {
    return this.constant('int64', [values.length], { values: BigInt64Array.from(values, BigInt) });
  }

  #addExternal(content) {
    const entry = (key, value) => message(13, bytes(1, key), bytes(2, String(value)));
    const entries = [
      entry('location', DATA_FILE),
      entry('offset', this.#externalLength),
      entry('length', content.length),
    ];
    this.#externalBytes.push(content);
    this.#externalLength += content.length;
    return [...entries, int(14, EXTERNAL)];
  }

  /** Returns the contents of the files `MODEL_FILE` and `DATA_FILE`. */
  encode({ inputs, outputs }) {
    const graph = message(
      7,
      ...this.#nodes,
      bytes(2, 'graph'),
      ...this.#tensors,
      ...Object.entries(inputs).map((each) => message(11, ...valueInfo(each))),
      ...Object.entries(outputs).map((each) => message(12, ...valueInfo(each))),
    );
    const operatorSets = Object.entries(OPERATOR_SETS).map(([domain, version]) =>
      message(8, bytes(1, domain), int(2, version)),
    );
    return {
      model: Buffer.concat([int(1, IR_VERSION), graph, ...operatorSets]),
      data: Buffer.concat(this.#externalBytes),
    };
  }
}

/** The names of the two files of a model. */
export const MODEL_FILE = 'model.onnx';
export const DATA_FILE = 'model.onnx.data';
