/** Checks that a file is readable and in the MaxMind DB format, without reading all of it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The marker before the metadata, which is in the last 128 KiB of the file. */
const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const MAX_METADATA_BYTES = 131_072;

const readFileEnd = (path: string): Buffer => {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, MAX_METADATA_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    return end;
  } finally {
    closeSync(file);
  }
};

/** Whether the path names a readable file in the MaxMind DB format. */
export const isGeoipFile = (path: string): boolean => {
  try {
    return readFileEnd(path).includes(METADATA_MARKER);
  } catch {
    return false;
  }
};
