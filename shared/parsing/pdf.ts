/** Reads the text of PDF documents. */
import { AppError } from '#shared/errors.ts';
import type { Block } from './blocks.ts';
import { type PdfLine, type PdfTextItem, toLines } from './pdf-lines.ts';
import { pdfBlocks } from './pdf-blocks.ts';

/** Further pages are ignored. */
const MAX_PAGES = 2000;

/** A document: its title, which may be empty, and its text. */
export type ParsedDocument = { title: string; blocks: Block[] };

const unreadableError = (reason: string) =>
  new AppError(
    422,
    'UNREADABLE_FILE',
    `The PDF cannot be read: ${reason}. Save it again as a PDF, and add the new file.`,
  );

const PASSWORD_REQUIRED = 'PasswordException';

const openPdf = async (body: Uint8Array) => {
  const { getDocumentProxy } = await import('unpdf');
  try {
    // PDF.js refuses a Buffer.
    const bytes = new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
    return await getDocumentProxy(bytes, { useSystemFonts: false, verbosity: 0 });
  } catch (error) {
    const { name, message } = error as Error;
    if (name === PASSWORD_REQUIRED) throw unreadableError('it is protected by a password');
    throw unreadableError(message.slice(0, 200));
  }
};

type PdfDocument = Awaited<ReturnType<typeof openPdf>>;

/** Returns the lines of a page; none if the page is damaged. */
const readPage = async (pdf: PdfDocument, number: number): Promise<PdfLine[]> => {
  try {
    const page = await pdf.getPage(number);
    const { items, styles } = await page.getTextContent();
    const monospaced = new Set(
      Object.entries(styles).flatMap(([name, { fontFamily }]) => (fontFamily === 'monospace' ? [name] : [])),
    );
    page.cleanup();
    return toLines(
      items.filter((item): item is PdfTextItem & typeof item => 'str' in item),
      monospaced,
    );
  } catch {
    return [];
  }
};

const readTitle = async (pdf: PdfDocument): Promise<string> => {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const { Title: title } = info as { Title?: unknown };
  return typeof title === 'string' && /\p{L}{3}/u.test(title) && !/\.\w{2,4}$/.test(title.trim()) ? title.trim() : '';
};

/** Reads the text of a PDF with its headings and paragraphs. Throws `UNREADABLE_FILE` for a damaged or locked file. */
export const readPdf = async (body: Uint8Array): Promise<ParsedDocument> => {
  const pdf = await openPdf(body);
  try {
    const pages: PdfLine[][] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) pages.push(await readPage(pdf, number));
    return { title: await readTitle(pdf), blocks: pdfBlocks(pages) };
  } finally {
    await pdf.loadingTask.destroy();
  }
};
