/** Reads the text of Word documents (DOCX). */
import { AppError } from '#shared/errors.ts';
import { htmlToBlocks } from './html-blocks.ts';
import { parseHtml } from './html-document.ts';
import type { ParsedDocument } from './pdf.ts';

const MAX_ENTRIES = 5000;
/** Maximum number of unpacked bytes, regardless of the sizes that the archive declares. */
const MAX_UNPACKED_BYTES = 100_000_000;
const MAIN_PART = 'word/document.xml';

const unreadableError = (reason: string) =>
  new AppError(
    422,
    'UNREADABLE_FILE',
    `The DOCX file cannot be read: ${reason}. Save it again as DOCX, and add the new file.`,
  );

/** Throws `UNREADABLE_FILE` unless the archive is a Word document that unpacks to a permitted number of bytes. */
const assertSafeDocument = async (body: Buffer): Promise<void> => {
  const { fromBufferPromise } = await import('yauzl');
  const archive = await fromBufferPromise(body, { lazyEntries: true });
  if (archive.entryCount > MAX_ENTRIES) throw unreadableError(`it has more than ${MAX_ENTRIES} parts`);
  let bytes = 0;
  let hasMainPart = false;
  for await (const entry of archive.eachEntry()) {
    hasMainPart ||= entry.fileName === MAIN_PART;
    if (entry.fileName.endsWith('/')) continue;
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      bytes += (piece as Buffer).length;
      if (bytes > MAX_UNPACKED_BYTES) throw unreadableError(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    }
  }
  if (!hasMainPart) throw unreadableError('it is not a Word document');
};

const toHtml = async (buffer: Buffer): Promise<string> => {
  const { default: mammoth } = await import('mammoth');
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const styleMap = ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => p:fresh"];
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, styleMap, externalFileAccess: false });
  return value;
};

/** Reads a Word document with its headings, lists and tables. Throws `UNREADABLE_FILE` for any other file. */
export const readDocx = async (body: Uint8Array): Promise<ParsedDocument> => {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let html: string;
  try {
    await assertSafeDocument(buffer);
    html = await toHtml(buffer);
  } catch (error) {
    throw error instanceof AppError ? error : unreadableError((error as Error).message.slice(0, 200));
  }
  const { $, body: root } = parseHtml(html);
  return { title: $('h1.title').first().text().trim(), blocks: htmlToBlocks($, root.children) };
};
