/** Documents that are installed on this machine, and their text as other programs read it. */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Where the documentation packages of Debian store their documents. */
const DOCUMENT_FOLDERS = ['/usr/share/doc', '/usr/share/R/doc', '/usr/share/developers-reference'];
/** The packages that the message of a skipped benchmark names: their documents are by many authors. */
const DOCUMENT_PACKAGES =
  'r-doc-pdf octave-doc bash-doc gnutls-doc debian-policy debian-faq developers-reference gnuplot-doc libfftw3-doc ' +
  'maint-guide aspell-doc ddd-doc m17n-docs gretl-doc xfig-doc texlive-fonts-recommended-doc';
const MAX_OUTPUT_BYTES = 200_000_000;

/** A document with its name. */
export interface RealDocument {
  name: string;
  bytes: Buffer;
}

const isCommand = (name: string): boolean => {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const pdfFiles = (): string[] =>
  DOCUMENT_FOLDERS.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.pdf(\.gz)?$/.test(name))
      .map((name) => join(folder, name)),
  );

const read = (path: string): Buffer => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path));

/** Yields up to `count` different PDF documents of at most `maxBytes`. */
export function* realPdfs(count: number, maxBytes: number): Generator<RealDocument> {
  const known = new Set<number>();
  for (const path of pdfFiles()) {
    if (known.size === count) return;
    if (statSync(path).size > maxBytes) continue;
    const bytes = read(path);
    if (known.has(bytes.length) || bytes.length > maxBytes) continue;
    known.add(bytes.length);
    yield { name: basename(path), bytes };
  }
}

/** Returns why PDFs cannot be compared on this machine; undefined if they can. */
export const missingPdfTools = (minDocuments: number): string | undefined => {
  if (!isCommand('pdftotext')) return 'pdftotext is not installed (package poppler-utils)';
  const found = pdfFiles().length;
  return found < minDocuments ? `only ${found} PDFs are installed; install ${DOCUMENT_PACKAGES}` : undefined;
};

const MIN_PAGE_BYTES = 10_000;
const MAX_PAGE_BYTES = 200_000;

const htmlFiles = (): string[] =>
  readdirSync('/usr/share/doc', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join('/usr/share/doc', name))
    .filter((path) => {
      const found = statSync(path);
      return found.isFile() && found.size > MIN_PAGE_BYTES && found.size < MAX_PAGE_BYTES;
    });

/** Returns why there are no HTML documents on this machine; undefined if there are. */
export const missingHtml = (): string | undefined =>
  htmlFiles().length ? undefined : `no HTML documents are installed; install ${DOCUMENT_PACKAGES}`;

/** Returns up to `count` different HTML documents, from as many packages as possible. */
export const htmlDocuments = (count: number): RealDocument[] => {
  const bySize = new Map(htmlFiles().map((path) => [statSync(path).size, path]));
  const byPackage = Map.groupBy(bySize.values(), (path) => path.split('/')[4] ?? '');
  const ranked = [...byPackage.values()].flatMap((files) => files.map((path, rank) => ({ path, rank })));
  const paths = ranked.toSorted((one, other) => one.rank - other.rank).map(({ path }) => path);
  return paths.slice(0, count).map((path) => ({ name: basename(path), bytes: readFileSync(path) }));
};

/** Returns why office documents cannot be compared on this machine; undefined if they can. */
export const missingOffice = (): string | undefined =>
  isCommand('soffice') ? undefined : 'LibreOffice is not installed (package libreoffice-writer-nogui)';

/**
 * Returns the text of a PDF as pdftotext reads it: `columns` are read one after the other, including those of
 * tables and tables of contents; `rows` are read across the page.
 */
export const pdfToText = (bytes: Buffer, order: 'columns' | 'rows'): string => {
  const options = order === 'rows' ? ['-layout'] : [];
  const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
  return execFileSync('pdftotext', [...options, '-', '-'], {
    input: bytes,
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio,
  }).toString();
};

/** Converts HTML to DOCX, or DOCX to text, with LibreOffice. Returns the results in the order of the documents. */
export const convertWithOffice = async (documents: RealDocument[], format: 'docx' | 'txt:Text (encoded):UTF8') => {
  const folder = await mkdtemp(join(tmpdir(), 'office-'));
  try {
    const paths = await Promise.all(
      documents.map(async ({ name, bytes }, index) => {
        const path = join(folder, `${index}-${name}`);
        await writeFile(path, bytes);
        return path;
      }),
    );
    const out = join(folder, 'out');
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    // Without this filter, LibreOffice opens HTML as a document for the web, which it cannot save as DOCX.
    const filter = format === 'docx' ? ['--infilter=HTML (StarWriter)'] : [];
    const args = [profile, '--headless', ...filter, '--convert-to', format, '--outdir', out, ...paths];
    execFileSync('soffice', args, { stdio: 'ignore', timeout: 600_000 });
    const extension = format.split(':')[0] ?? '';
    const converted = paths.map((path) => join(out, basename(path).replace(/\.\w+$/, `.${extension}`)));
    return await Promise.all(converted.map(async (path) => (existsSync(path) ? await readFile(path) : null)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const countCommon = (one: string[], other: string[]): number => {
  const counts = new Map<string, number>();
  for (const item of one) counts.set(item, (counts.get(item) ?? 0) + 1);
  return other.filter((item) => {
    const left = counts.get(item) ?? 0;
    if (left) counts.set(item, left - 1);
    return left > 0;
  }).length;
};

/** The share of words, and of pairs of consecutive words, that two texts have in common, from 0 to 1. */
export interface TextSimilarity {
  words: number;
  pairs: number;
  /** The number of words in the reference. */
  length: number;
}

const share = (one: string[], other: string[]): number =>
  (2 * countCommon(one, other)) / (one.length + other.length || 1);

/** Compares a text with a reference. Pairs also measure the order of the words. */
export const compareTexts = (text: string, reference: string): TextSimilarity => {
  const [one, other] = [wordsOf(text), wordsOf(reference)];
  const pairsOf = (words: string[]) => words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return { words: share(one, other), pairs: share(pairsOf(one), pairsOf(other)), length: other.length };
};
