import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnigramTokenizer } from '#shared/embedding/unigram-tokenizer.ts';
// @ts-expect-error: plain JavaScript without types
import { encodeVocabulary } from '../../scripts/set-up/intent-encoder/vocabulary.mjs';

/** `▁` stands for the space before a word. */
const PIECES: [piece: string, score: number][] = [
  ['<unk>', 0],
  ['▁', -3],
  ['▁new', -4],
  ['▁news', -9],
  ['s', -5],
  ['paper', -6],
  ['▁newspaper', -11],
  ['▁caffè', -8],
];

describe('Unigram tokenizer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vocabulary-'));
  const file = join(folder, 'test.vocabulary');
  writeFileSync(
    file,
    encodeVocabulary({ pieces: PIECES.map(([piece]) => piece), scores: PIECES.map(([, score]) => score) }),
  );
  const tokenizer = new UnigramTokenizer(file, 0);
  after(() => rmSync(folder, { recursive: true }));
  const piecesOf = (text: string) => tokenizer.encode(text).map((id) => PIECES[id]?.[0]);

  it('chooses the pieces with the highest sum of scores', () => {
    expect(piecesOf('newspaper')).to.deep.equal(['▁newspaper']); // score -11; ▁new + s + paper: -15
    expect(piecesOf('news')).to.deep.equal(['▁news']); // ▁news and ▁new + s both have the score -9
    expect(piecesOf('newpaper')).to.deep.equal(['▁new', 'paper']);
  });

  it('normalizes spaces, full-width letters and combining accents', () => {
    expect(piecesOf('  new\u00A0\n ｎｅｗ ')).to.deep.equal(['▁new', '▁new']);
    expect(piecesOf('caffe\u0300')).to.deep.equal(['▁caffè']);
    expect(piecesOf(' \u200B ')).to.deep.equal([]);
  });

  it('encodes each unknown character as one id (0), even a character of two code units', () => {
    expect(tokenizer.encode('new😀x')).to.deep.equal([2, 0, 0]);
  });

  it('returns the rarity of a piece: its negated score', () => {
    expect(tokenizer.rarityOf(5)).to.equal(6);
    expect(tokenizer.rarityOf(0)).to.equal(0);
  });
});
