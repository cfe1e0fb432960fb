/** Checks that the content of an upload has the type of its extension and is harmless to the programs that open it. */
import { open } from 'node:fs/promises';
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { assertSafeArchive } from './archive-check.ts';
import { contentMismatch, isRasterType, isSameType, isTextType, UNKNOWN_TYPE } from './file-types.ts';
import { loadSharp } from './images.ts';

const UNKNOWN = 'unknown';
const DETECTION_TIMEOUT_MS = 5000;
/** Number of bytes at the start of a file that are searched for signatures of other types. */
const START_BYTES = 1024;
/** Signatures that a file of another type must not contain, because it would then have two types at once. */
const PDF_SIGNATURE = '%PDF-';
const ZIP_START = 'PK\x03\x04';
const ZIP_END = 'PK\x05\x06';
/**
 * Number of bytes at the end of a file that are searched for `ZIP_END`: it begins the last record of a ZIP file, which
 * may contain a comment of at most 65,535 bytes.
 */
const ZIP_END_BYTES = 66_000;
/** Markup that a browser or server could execute if it treated an image or document as a page. */
const ACTIVE_MARKUP = /<script[\s>/]|<html[\s>]|<!doctype\s+html|<\?php\s/i;
/** In an SVG image, anything that runs code or loads other resources, and NUL, which hides text from parsers. */
const ACTIVE_SVG =
  /\0|<script|<foreignobject|<iframe|<embed|<object|<handler|<!entity|<!doctype|\son\w+\s*=|javascript:|data:text|<\?xml-stylesheet|@import/i;
const MARKUP_OVERLAP = 64;

/** A file whose content is checked. `type` is the media type of its extension. */
export interface UncheckedFile {
  path: string;
  size: number;
  type: string;
}

/** Returns the media type that the signature indicates; undefined for text and unknown formats. */
const detectType = async (path: string): Promise<string | undefined> => {
  const { fileTypeFromFile } = await import('file-type');
  try {
    return (await fileTypeFromFile(path, { signal: AbortSignal.timeout(DETECTION_TIMEOUT_MS) }))?.mime;
  } catch {
    return undefined; // a damaged or hostile container
  }
};

/** Whether the file, decoded as Latin-1, contains the pattern. A piece is searched with the end of the previous one. */
const contains = async ({ path }: UncheckedFile, pattern: RegExp): Promise<boolean> => {
  await using handle = await open(path);
  let overlap = '';
  for await (const piece of handle.createReadStream({ autoClose: false })) {
    const text = overlap + (piece as Buffer).toString('latin1');
    if (pattern.test(text)) return true;
    overlap = text.slice(-MARKUP_OVERLAP);
  }
  return false;
};

const readAt = async ({ path }: UncheckedFile, start: number, length: number): Promise<Buffer> => {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
};

const CONTROL_CHARACTERS = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const BYTE_ORDER_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * Returns whether the content is text: it has no control characters, or begins with a UTF-16 byte order mark. SVG
 * images must not be in UTF-16, in which `ACTIVE_SVG` finds nothing.
 */
const isText = async (file: UncheckedFile): Promise<boolean> => {
  const head = await readAt(file, 0, START_BYTES);
  if (BYTE_ORDER_MARKS.some((mark) => head.subarray(0, 2).equals(mark))) return file.type !== 'image/svg+xml';
  return !(await contains(file, CONTROL_CHARACTERS));
};

/**
 * Throws 403 if the file can also be read as another type. Only images and PDF files are searched for active markup.
 */
const assertOneType = async (file: UncheckedFile): Promise<void> => {
  const { type, size } = file;
  const head = (await readAt(file, 0, START_BYTES)).toString('latin1');
  if (type !== 'application/pdf' && head.includes(PDF_SIGNATURE)) throw contentMismatch('application/pdf', type);
  if (head.startsWith(ZIP_START)) return;
  const tail = (await readAt(file, Math.max(0, size - ZIP_END_BYTES), ZIP_END_BYTES)).toString('latin1');
  if (tail.includes(ZIP_END)) throw contentMismatch('application/zip', type);
  if (!isRasterType(type) && type !== 'application/pdf') return;
  if (await contains(file, ACTIVE_MARKUP)) throw contentMismatch('text/html', type);
};

const assertSafeSvg = async (file: UncheckedFile): Promise<void> => {
  if (await contains(file, ACTIVE_SVG))
    throw new AppError(403, 'ACTIVE_CONTENT', 'The SVG image has scripts, entities or other active content');
};

/** Throws 403 for a damaged image, and for one with so many pixels that decoding it would use too much memory. */
const assertDimensions = async ({ path, type }: UncheckedFile): Promise<void> => {
  const sharp = await loadSharp();
  const { width, height } = await sharp(path, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => {
      throw contentMismatch(UNKNOWN, type);
    });
  if (width * height > config.MAX_IMAGE_PIXELS)
    throw new AppError(
      403,
      'IMAGE_TOO_LARGE',
      `The image has ${width} × ${height} pixels; at most ${config.MAX_IMAGE_PIXELS} are allowed`,
    );
};

const isExpected = async (file: UncheckedFile, detected: string | undefined): Promise<boolean> => {
  if (detected) return isSameType(detected, file.type) || (detected === 'application/xml' && isTextType(file.type));
  if (isTextType(file.type) || file.type.startsWith('text/')) return isText(file);
  return file.type === UNKNOWN_TYPE;
};

/**
 * Throws 403 if the content of a file does not have the type of its extension, has two types at the same time, or is
 * a decompression bomb. docs/files.md lists the rules.
 */
export const assertContent = async (file: UncheckedFile): Promise<void> => {
  const detected = await detectType(file.path);
  if (!(await isExpected(file, detected))) throw contentMismatch(detected ?? UNKNOWN, file.type);
  if (file.type === 'image/svg+xml') return assertSafeSvg(file);
  if (isTextType(file.type)) return;
  await assertOneType(file);
  if (isRasterType(file.type)) await assertDimensions(file);
  await assertSafeArchive(file);
};
