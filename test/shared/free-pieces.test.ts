/** Large files are streamed in pieces (buffers), and the memory of each piece is freed as soon as it is written. */
import { expect } from 'chai';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storeUpload } from '../../api/http/request/store-upload.ts';
import { freePiece, freeWhenPiped } from '#shared/storage/free-pieces.ts';

const PIECES = 50;
const PIECE_BYTES = 65_536;

const aPiece = (value: number): Buffer => Buffer.allocUnsafeSlow(PIECE_BYTES).fill(value);

/** Returns a stream of pieces, and the pieces that it has created so far. */
const aSource = () => {
  const created: Buffer[] = [];
  const generate = function* () {
    for (let value = 0; value < PIECES; value += 1) {
      const piece = aPiece(value);
      created.push(piece);
      yield piece;
    }
  };
  return { source: Readable.from(generate(), { highWaterMark: 1 }), created };
};

const isFreed = (piece: Buffer): boolean => piece.length === 0;

const EXPECTED = Buffer.concat(Array.from({ length: PIECES }, (_, value) => aPiece(value)));

describe('Memory used for large files', () => {
  it('a piece is freed unless it shares its memory with other buffers', () => {
    const [whole, shared] = [aPiece(1), aPiece(2)];
    const part = shared.subarray(1);
    const pooled = Buffer.from('text');
    for (const piece of [whole, part, pooled]) freePiece(piece);
    expect([whole, part, pooled, shared].map(isFreed)).to.deep.equal([true, false, false, false]);
  });

  it('a stream is piped completely, and holds at most two pieces that are not freed', async () => {
    const { source, created } = aSource();
    const written: Buffer[] = [];
    let most = 0;
    const destination = new Writable({
      write: (piece: Buffer, _encoding, done) => {
        most = Math.max(most, created.filter((each) => !isFreed(each)).length);
        setImmediate(() => {
          written.push(Buffer.from(piece));
          done();
        });
      },
    });
    await pipeline(freeWhenPiped(source), destination);
    expect(Buffer.concat(written).equals(EXPECTED)).to.equal(true);
    expect(most).to.be.at.most(2);
    expect(created.every(isFreed)).to.equal(true);
  });

  it('a destination that fails ends the source', async () => {
    const { source } = aSource();
    const destination = new Writable({ write: (_piece, _encoding, done) => done(new Error('disconnected')) });
    const error = await pipeline(freeWhenPiped(source), destination).catch((failure: Error) => failure.message);
    expect([error, source.destroyed]).to.deep.equal(['disconnected', true]);
  });

  it('an upload is stored completely, and its pieces are freed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    try {
      const { source, created } = aSource();
      const path = join(folder, 'file');
      const limits = { maxBytes: EXPECTED.length, createSizeError: () => new Error('too large') as never };
      const { size } = await storeUpload(source, path, limits);
      expect(size).to.equal(EXPECTED.length);
      expect((await readFile(path)).equals(EXPECTED)).to.equal(true);
      expect(created.every(isFreed)).to.equal(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
