/**
 * Encodes the vocabulary of a unigram tokenizer, as `shared/embedding/unigram-tokenizer.ts` reads it: the number of
 * word pieces (uint32), their scores (float32), and the pieces in UTF-8, separated by line feeds.
 */
export function encodeVocabulary({ pieces, scores }) {
  if (pieces.some((piece) => piece.includes('\n'))) throw new Error('A piece of a vocabulary contains a line feed.');
  const count = Buffer.from(Uint32Array.of(pieces.length).buffer);
  return Buffer.concat([count, Buffer.from(Float32Array.from(scores).buffer), Buffer.from(pieces.join('\n'))]);
}
