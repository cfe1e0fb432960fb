/** Names and paths of files. A path on the wire only identifies a record; it is never used as a path on disk. */
import { AppError } from '../../errors.ts';

const MAX_NAME_BYTES = 200;
const MAX_EXTENSION_CHARACTERS = 20;
const MAX_PATH_CHARACTERS = 1000;
const MAX_DECODINGS = 5;
const THUMBNAIL_PREFIX = 'thumbnails_200_200-';

// Separators, control characters, and characters that reverse the direction of the text.
const FORBIDDEN_CHARACTERS = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const decodeOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns whether a name is a plain name and not a path, even after it is percent-decoded several times. */
const isPlainName = (name: string): boolean => {
  let current = name;
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings += 1) {
    if (FORBIDDEN_CHARACTERS.test(current) || /^\.{1,2}$/.test(current.trim())) return false;
    const decoded = decodeOnce(current);
    if (decoded === current) return true;
    current = decoded;
  }
  return false;
};

/** Returns the extension of a name with its dot, in lower case; an empty string if there is none. */
export const extensionOf = (name: string): string => /[^.](\.[^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Shortens the part before the extension until the name has at most 200 bytes. */
const shorten = (name: string): string => {
  const extension = extensionOf(name).slice(0, MAX_EXTENSION_CHARACTERS);
  const stem = Buffer.from(name.slice(0, name.length - extensionOf(name).length));
  const maxBytes = MAX_NAME_BYTES - Buffer.byteLength(extension);
  if (stem.length <= maxBytes) return stem.toString() + extension;
  // A character that is cut in half becomes a replacement character, which is removed.
  return (
    stem
      .subarray(0, maxBytes)
      .toString()
      .replace(/\ufffd+$/, '') + extension
  );
};

/**
 * Returns the name under which an upload is stored: normalized, without surrounding spaces, at most 200 bytes long.
 * Throws 400 for a name that is empty, is a path or contains control characters.
 */
export const storedName = (name = ''): string => {
  const trimmed = name.normalize('NFC').trim();
  if (!trimmed || !isPlainName(trimmed))
    throw new AppError(
      400,
      'INVALID_FILE_NAME',
      'The file name must not be empty, be a path or contain control characters',
    );
  return shorten(trimmed);
};

/** Returns the path of the thumbnail of a file. */
export const thumbnailPath = (path: string): string => {
  const folderEnd = path.lastIndexOf('/') + 1;
  return path.slice(0, folderEnd) + THUMBNAIL_PREFIX + path.slice(folderEnd);
};

/** Returns the path of the file whose thumbnail has this path; null if it is not the path of a thumbnail. */
export const originalPath = (path: string): string | null => {
  const folderEnd = path.lastIndexOf('/') + 1;
  const name = path.slice(folderEnd);
  return name.startsWith(THUMBNAIL_PREFIX) ? path.slice(0, folderEnd) + name.slice(THUMBNAIL_PREFIX.length) : null;
};

const encodedPath = /^uploads%2F/i;

/**
 * Returns the path that a caller names, or null if no file can have that path. The path may be percent-encoded, because
 * some clients encode the `filename` of an upload.
 */
export const requestedPath = (text: string): string | null => {
  const path = (encodedPath.test(text) ? decodeOnce(text) : text).normalize('NFC');
  const [root, ...names] = path.split('/');
  const isValid = root === 'uploads' && path.length <= MAX_PATH_CHARACTERS && names.length >= 3;
  return isValid && names.every((name) => name !== '' && isPlainName(name)) ? path : null;
};

/** Returns the prefix of the storage keys of a project's files. */
export const projectPrefix = (id_project: string): string => `uploads/projects/${id_project}/`;
