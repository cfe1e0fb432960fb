/** Media types and extensions of files: which are accepted or interchangeable, and which a browser may display. */
import { lookup } from 'mime-types';
import { AppError } from '../../errors.ts';
import { extensionOf } from './file-names.ts';

/** In a list of allowed extensions, the entry that accepts every extension. */
const ANY_EXTENSION = '*/*';
/** The media type of a file with an unknown extension. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Extensions of avatars, and of images that get a thumbnail. */
export const IMAGE_EXTENSIONS = ['.png', '.jpg', '.jpeg', '.gif'];
/** Extensions of images that legacy clients (see api/files/legacy-endpoints.ts) upload. */
export const LEGACY_IMAGE_EXTENSIONS = [...IMAGE_EXTENSIONS, '.ico', '.webp'];

/**
 * Groups of media types that are accepted in place of one another. Some are names of the same format; others, such as
 * `audio/mpeg` and `audio/webm`, are formats that browsers and detectors confuse.
 */
const INTERCHANGEABLE_TYPES = [
  ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
  ['audio/mpeg', 'audio/mp3', 'audio/opus', 'audio/webm'],
  ['video/webm', 'audio/webm'],
  ['audio/mp4', 'audio/x-m4a', 'video/mp4'],
  ['audio/ogg', 'video/ogg', 'application/ogg'],
  ['image/jpeg', 'image/jpg'],
  ['image/x-icon', 'image/vnd.microsoft.icon'],
  ['application/zip', 'application/x-zip-compressed'],
  ['application/gzip', 'application/x-gzip'],
  ['text/plain', 'text/markdown', 'text/x-markdown'],
  ['text/csv', 'application/csv', 'application/vnd.ms-excel'],
  ['application/xml', 'text/xml'],
  ['application/msword', 'application/x-cfb'],
  ['application/vnd.ms-excel', 'application/x-cfb'],
  ['application/vnd.ms-powerpoint', 'application/x-cfb'],
];

/** Types that have no signature: their content is accepted if it is text. */
const TEXT_TYPES = [
  'text/plain',
  'text/csv',
  'text/markdown',
  'image/svg+xml',
  'application/xml',
  'text/xml',
  'text/html',
  'application/json',
];

/** Types that a browser may display inline. All others are sent as attachments, including SVG, HTML and XML. */
const INLINE_TYPES =
  /^(image\/(png|jpeg|gif|webp|x-icon|vnd\.microsoft\.icon)|audio\/.*|video\/.*|text\/(plain|csv)|application\/pdf)$/;

/** The types of images whose dimensions are checked. */
const RASTER_TYPES = /^image\/(png|jpeg|gif|webp|tiff|bmp|avif)$/;

/** Returns the media type of a file by its extension. */
export const typeOfName = (name: string): string => lookup(extensionOf(name)) || UNKNOWN_TYPE;

/** Returns whether two media types are the same or are accepted in place of one another. */
export const isSameType = (one: string, other: string): boolean =>
  one === other || INTERCHANGEABLE_TYPES.some((group) => group.includes(one) && group.includes(other));

/** Returns whether content of this type is text. */
export const isTextType = (type: string): boolean => TEXT_TYPES.includes(type);

/** Returns whether a browser may display a file of this type inline. */
export const isInlineType = (type: string): boolean => INLINE_TYPES.test(type);

/** Returns whether the type is that of a raster image. */
export const isRasterType = (type: string): boolean => RASTER_TYPES.test(type);

/** Returns whether a file of this name gets a thumbnail. */
export const hasThumbnail = (name: string): boolean => IMAGE_EXTENSIONS.includes(extensionOf(name));

/**
 * Builds the 403 for a file whose content or declared type (`found`) differs from the type of its extension. Deployed
 * clients rely on the text.
 */
export const contentMismatch = (found: string, typeOfExtension: string) =>
  new AppError(
    403,
    'CONTENT_MISMATCH',
    `File content does not match mimetype. Detected: ${found}, provided: ${typeOfExtension}`,
  );

/** The extensions that an upload may have, and the words at the end of the error message. */
export interface AllowedExtensions {
  list: string[];
  suffix?: string;
}

/** Returns whether every extension is accepted; declared types are then not checked. */
const acceptsAll = ({ list }: AllowedExtensions): boolean => list.includes(ANY_EXTENSION);

/** Throws 403 unless the extension of the name is in the list. */
export const assertExtension = (name: string, allowed: AllowedExtensions): void => {
  const extension = extensionOf(name);
  if (acceptsAll(allowed) || allowed.list.some((each) => each.toLowerCase() === extension)) return;
  const text = `File extension ${extension} is not allowed${allowed.suffix ?? ''}`;
  throw new AppError(403, 'EXTENSION_NOT_ALLOWED', text);
};

/**
 * Throws 403 if the type that the client declares is not that of the extension. `UNKNOWN_TYPE` or no type is accepted.
 */
export const assertDeclaredType = (name: string, declared: string | undefined, allowed: AllowedExtensions): void => {
  const type = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (acceptsAll(allowed) || type === '' || type === UNKNOWN_TYPE) return;
  if (!isSameType(type, typeOfName(name))) throw contentMismatch(type, typeOfName(name));
};

/** Parses a list of extensions in the form that projects store: a string such as `.png, .pdf`. */
export const parseExtensions = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean);
