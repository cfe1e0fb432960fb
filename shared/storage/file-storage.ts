/** The interface of file storages: bytes by key, such as `uploads/projects/…/photo.jpg`. */
import type { Readable } from 'node:stream';

/** A part of a file: the first and the last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file in the list of a storage. */
export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

/** A store of the bytes of files. Every method rejects if the storage is unavailable. */
export interface FileStorage {
  /** The name used in messages: a folder, or a bucket with its prefix. */
  readonly name: string;
  /**
   * Stores a local file under a key. The file is visible under the key as a whole or not at all. The local file may be
   * moved. `signal` aborts the call.
   */
  put(key: string, file: { path: string; size: number; type: string }, signal?: AbortSignal): Promise<void>;
  /** Opens a file, or a part of it, for reading; null if the storage does not have it. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Returns the local path of a file if it is on this host; null otherwise. */
  localPath(key: string): Promise<string | null>;
  /** Whether the storage has the file. */
  has(key: string): Promise<boolean>;
  /** Deletes a file. Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  /** Lists the files whose keys begin with a prefix that ends in `/`, in any order. */
  list(prefix: string): AsyncIterable<StoredObject>;
}
