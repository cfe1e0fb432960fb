/** PDF and Word documents to parse. */
import PdfDocument from 'pdfkit';
import { zip } from './zip.ts';

/** A part of a PDF: a heading, a paragraph, or lines of code. */
export interface PdfPart {
  kind: 'heading' | 'text' | 'code';
  text: string;
}

const FONTS = { heading: 'Helvetica-Bold', text: 'Helvetica', code: 'Courier' };
const SIZES = { heading: 18, text: 11, code: 10 };

/** A PDF with these pages. `footer` is printed on each of them. */
export const aPdf = async (pages: PdfPart[][], { title, footer }: { title?: string; footer?: string } = {}) => {
  const document = new PdfDocument({ autoFirstPage: false, info: title ? { Title: title } : {} });
  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  for (const parts of pages) {
    document.addPage({ size: 'A4', margin: 72 });
    for (const { kind, text } of parts) document.font(FONTS[kind]).fontSize(SIZES[kind]).text(text).moveDown();
    if (footer) document.font('Helvetica').fontSize(9).text(footer, 72, 740, { lineBreak: false });
  }
  document.end();
  await new Promise((ended) => document.once('end', ended));
  return Buffer.concat(pieces);
};

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONSHIPS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

const table = (rows: string[][]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** A Word document with a heading of level 1, paragraphs and a table. `more` adds entries to the archive. */
export const aDocx = (
  { heading, paragraphs, rows = [] }: { heading: string; paragraphs: string[]; rows?: string[][] },
  more: Parameters<typeof zip>[0] = [],
): Buffer => {
  const body = [
    paragraph(heading, 'Heading1'),
    ...paragraphs.map((text) => paragraph(text)),
    ...(rows.length ? [table(rows)] : []),
  ];
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`;
  const styles = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`;
  const links = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`;
  return zip([
    { name: '[Content_Types].xml', content: CONTENT_TYPES },
    { name: '_rels/.rels', content: RELATIONSHIPS },
    { name: 'word/document.xml', content: document },
    { name: 'word/styles.xml', content: styles },
    { name: 'word/_rels/document.xml.rels', content: links },
    ...more,
  ]);
};
