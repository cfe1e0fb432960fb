/** Whether a file can be read and is in the MaxMind DB format, without reading all of it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Precedes the metadata, which is within the last 128 KiB of the file. */
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const MOST_METADATA = 131_072;

const endOf = (path: string): Buffer => {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, MOST_METADATA));
    readSync(file, end, 0, end.length, size - end.length);
    return end;
  } finally {
    closeSync(file);
  }
};

/** True for the path of such a file. */
export const isGeoipFile = (path: string): boolean => {
  try {
    return endOf(path).includes(MARKER);
  } catch {
    return false;
  }
};
