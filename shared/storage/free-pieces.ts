/**
 * Frees the memory of the pieces of a large file as soon as they are written. V8 frees the memory of unused buffers
 * only in a garbage collection, and buffers trigger a collection only after they have taken another 64 MB.
 */
import { type Readable, Writable } from 'node:stream';

/** Frees the memory of a piece that nothing uses any more. Does nothing if the piece shares its memory with others. */
export const freePiece = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
};

/** Passes pieces to `destination` one at a time, and frees each one when it is written. */
const createFreeingWriter = (destination: NodeJS.WritableStream): Writable =>
  new Writable({
    highWaterMark: 1,
    write: (piece: Buffer, _encoding, done) => {
      // After an error, `done` is not called: the code that opened the source and the destination ends both.
      const onWritten = (error?: Error | null) => {
        freePiece(piece);
        if (!error) done();
      };
      destination.write(piece, onWritten);
    },
    final: (done) => {
      destination.end();
      done();
    },
  });

/**
 * Makes the `pipe` method of a stream free each piece when the destination has written it. The pieces must be buffers
 * that nothing else uses. Returns the stream.
 */
export const freeWhenPiped = <T extends Readable>(source: T): T => {
  const pipe = source.pipe.bind(source);
  source.pipe = (destination, options) => {
    pipe(createFreeingWriter(destination), options);
    return destination;
  };
  return source;
};
