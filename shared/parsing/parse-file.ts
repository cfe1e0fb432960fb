/** Parses a file into chunks. */
import { AppError } from '#shared/errors.ts';
import { decodeText } from './charset.ts';
import { toChunks } from './chunks.ts';
import { readCsv } from './csv.ts';
import { readDocx } from './docx.ts';
import { readMarkdown } from './markdown.ts';
import { MAX_TITLE_CHARACTERS, parseHtmlPage, toParsedPage } from './parse-page.ts';
import type { FileInput, ParsedPage } from './parsing-tasks.ts';
import { type ParsedDocument, readPdf } from './pdf.ts';
import { splitByPattern } from './split-by-pattern.ts';

/** The number of bytes at the start of a file in which PDF readers search for the signature. */
const PDF_HEAD_BYTES = 1024;

const startsWith = (body: Uint8Array, signature: string): boolean =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, PDF_HEAD_BYTES)).includes(signature, 0, 'latin1');

const SIGNATURES = { pdf: '%PDF-', docx: 'PK\x03\x04' } as const;

/** Throws `UNREADABLE_FILE` if a file that is declared as PDF or DOCX has another format. */
const assertFormat = ({ body, format }: FileInput): void => {
  if ((format !== 'pdf' && format !== 'docx') || startsWith(body, SIGNATURES[format])) return;
  const other = startsWith(body, SIGNATURES.pdf)
    ? ' It is a PDF; use the type pdf.'
    : ' Check the source and the type.';
  throw new AppError(422, 'UNREADABLE_FILE', `The source is not a ${format.toUpperCase()} file.${other}`);
};

const documentPage = ({ title, blocks }: ParsedDocument, name: string, chunkTokens: number): ParsedPage => {
  const ownTitle = title.replace(/\s+/g, ' ').slice(0, MAX_TITLE_CHARACTERS);
  return ownTitle
    ? { title: ownTitle, chunks: toChunks(ownTitle, blocks, chunkTokens) }
    : toParsedPage(blocks, name, chunkTokens);
};

const readFile = async (input: FileInput, chunkTokens: number): Promise<ParsedPage> => {
  const { body, contentType, format, title, pattern } = input;
  switch (format) {
    case 'pdf':
      return documentPage(await readPdf(body), title, chunkTokens);
    case 'docx':
      return documentPage(await readDocx(body), title, chunkTokens);
    case 'html':
      return parseHtmlPage(decodeText(body, contentType), { title }, chunkTokens);
    case 'csv':
      return { title, chunks: toChunks(title, readCsv(decodeText(body, contentType)), chunkTokens) };
    case 'regex_custom':
      return {
        title,
        chunks: splitByPattern(decodeText(body, contentType), { pattern: pattern ?? '', title, chunkTokens }),
      };
    default:
      return toParsedPage(readMarkdown(decodeText(body, contentType)), title, chunkTokens);
  }
};

/**
 * Parses a file into chunks. Throws `UNREADABLE_FILE` for a file that is damaged or not in the declared format, and
 * `NO_TEXT` for a file without text.
 */
export const parseFile = async (input: FileInput, chunkTokens: number): Promise<ParsedPage> => {
  assertFormat(input);
  const page = await readFile(input, chunkTokens);
  if (page.chunks.length) return page;
  throw new AppError(422, 'NO_TEXT', 'The file contains no text; scanned pages need text recognition (OCR) first.');
};
