/** Hostile files and file names, with the error that each must cause. */
import { crc32, deflateSync } from 'node:zlib';
import type { SentFile } from './uploads.ts';
import { anImage } from './uploads.ts';
import { docx, zip } from './zip.ts';

/** An upload that must be refused. */
export interface FileAttack extends SentFile {
  title: string;
  status: number;
  /** The text of the error, or its beginning. */
  error: string;
}

const MISMATCH = 'File content does not match mimetype. Detected: ';
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const pngChunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A small PNG that declares an enormous image. */
const pixelBomb = (pixels = 30_000): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  const data = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([
    PNG_SIGNATURE,
    ...[pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))],
  ]);
};

const HTML = '<!doctype html><html><body><script>alert(1)</script></body></html>';
const EXECUTABLE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'), Buffer.alloc(500)]);
const PDF = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';

const ARCHIVE = zip([{ name: 'a.txt', content: 'text' }]);
const GIF_SCRIPT = 'GIF89a/*\0\x01\0\x80\0\0*/=1;<script>alert(1)</script>';

const NAMES = [
  '../../../etc/passwd.png',
  '..\\../evil.png',
  '/etc/cron.d/evil.png',
  'folder/evil.png',
  'evil\0.png',
  'evil.png\0.html',
  '%2e%2e%2fevil.png',
  '%2e%2e/evil.png',
  '..%2fevil.png',
  '%252e%252e%252fevil.png',
  '%25252e%25252e%25252fevil.png',
  '..%5cevil.png',
  '%00evil.png',
  '%2fetc%2fpasswd.png',
  'evil\u202egnp.png',
  'evil\u0007.png',
  '..',
  ' ',
];

const svg = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/>${content}</svg>`;

const ACTIVE_SVGS = [
  svg('<script>alert(1)</script>'),
  svg('', 'onload="alert(1)"'),
  svg('<a href="javascript:alert(1)"><text>x</text></a>'),
  svg('<foreignObject><iframe src="https://example.com"/></foreignObject>'),
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg('&x;')}`,
  `<?xml version="1.0"?><?xml-stylesheet href="https://example.com/a.css"?>${svg('')}`,
  Buffer.from(`\ufeff${svg('<script>alert(1)</script>')}`, 'utf16le'),
];

const asPng = { name: 'a.png', type: 'image/png', status: 403 };
const asGif = { name: 'a.gif', type: 'image/gif', status: 403 };
const asPdf = { name: 'a.pdf', type: 'application/pdf', status: 403 };
const asText = { name: 'a.txt', type: 'text/plain', status: 403 };
const asDocx = { name: 'a.docx', type: DOCX_TYPE, status: 403 };

const nameAttacks = (png: Buffer): FileAttack[] => [
  ...NAMES.map((name) => ({
    ...{ title: `the name ${JSON.stringify(name)}`, name, type: 'image/png', bytes: png },
    ...{ status: 400, error: 'The file name must not be' },
  })),
  { title: 'no extension', ...asPng, name: 'png', bytes: png, error: 'File extension  is not allowed' },
  { title: 'a refused extension', ...asPng, name: 'a.PHP', bytes: png, error: 'File extension .php is not allowed' },
  { title: 'a double extension', ...asPng, name: 'a.png.html', bytes: png, error: 'File extension .html is not' },
];

const typeAttacks = (png: Buffer, jpeg: Buffer): FileAttack[] => [
  {
    title: 'a wrong declared type',
    ...asPng,
    type: 'text/html',
    bytes: png,
    error: `${MISMATCH}text/html, provided: image/png`,
  },
  { title: 'HTML as PNG', ...asPng, bytes: HTML, error: `${MISMATCH}unknown, provided: image/png` },
  { title: 'JPEG as PNG', ...asPng, bytes: jpeg, error: `${MISMATCH}image/jpeg, provided: image/png` },
  { title: 'EXE as PDF', ...asPdf, bytes: EXECUTABLE, error: `${MISMATCH}application/x-msdownload, provided` },
  { title: 'EXE as text', ...asText, bytes: EXECUTABLE, error: MISMATCH },
  { title: 'binary data as text', ...asText, bytes: Buffer.from([65, 0, 66]), error: MISMATCH },
  { title: 'a ZIP as DOCX', ...asDocx, bytes: ARCHIVE, error: `${MISMATCH}application/zip, provided` },
];

const polyglots = (png: Buffer, jpeg: Buffer, gif: Buffer): FileAttack[] => {
  const jpegWithPdf = Buffer.concat([jpeg.subarray(0, 20), Buffer.from(PDF), jpeg.subarray(20)]);
  const php = Buffer.concat([gif, Buffer.from('<?php system($_GET[1]);')]);
  const page = Buffer.from(HTML);
  return [
    { title: 'a GIF that is a script', ...asGif, bytes: GIF_SCRIPT, error: MISMATCH },
    { title: 'a PNG and a page', ...asPng, bytes: Buffer.concat([png, page]), error: `${MISMATCH}text/html` },
    {
      title: 'a PNG and an archive',
      ...asPng,
      bytes: Buffer.concat([png, ARCHIVE]),
      error: `${MISMATCH}application/zip`,
    },
    { title: 'a GIF and a PHP script', ...asGif, bytes: php, error: MISMATCH },
    { title: 'a JPEG and a PDF', ...asPng, name: 'a.jpg', type: 'image/jpeg', bytes: jpegWithPdf, error: MISMATCH },
    { title: 'a PDF and an archive', ...asPdf, bytes: Buffer.concat([Buffer.from(PDF), ARCHIVE]), error: MISMATCH },
    { title: 'a PDF and a page', ...asPdf, bytes: PDF + HTML, error: `${MISMATCH}text/html` },
  ];
};

const bombs = (): FileAttack[] => {
  const zeros = Buffer.alloc(1_000_000);
  const lying = docx({ content: zeros, repeated: 9, declaredSize: 9 });
  const entries = Array.from({ length: 5000 }, (_, index) => ({ name: `${index}`, content: '' }));
  return [
    {
      title: 'a PNG of 30,000 × 30,000 pixels',
      ...asPng,
      bytes: pixelBomb(),
      error: 'The image has 30000 × 30000 pixels',
    },
    {
      title: 'a DOCX of 201 MB',
      ...asDocx,
      bytes: docx({ content: zeros, repeated: 201 }),
      error: 'The archive unpacks to more than',
    },
    { title: 'a DOCX that lies about its size', ...asDocx, bytes: lying, error: 'The archive is damaged' },
    {
      title: 'a DOCX with many entries',
      ...asDocx,
      bytes: docx({ content: '' }, entries),
      error: 'The archive has more than',
    },
  ];
};

const svgAttacks = (): FileAttack[] =>
  ACTIVE_SVGS.map((bytes, index) => ({
    ...{ title: `an active SVG, number ${index + 1}`, name: 'a.svg', type: 'image/svg+xml' },
    ...{ bytes, status: 403, error: Buffer.isBuffer(bytes) ? MISMATCH : 'The SVG image has' },
  }));

/** Every upload that must be refused. `.svg` and `.docx` must be allowed, so that only the content is the reason. */
export const fileAttacks = async (): Promise<FileAttack[]> => {
  const [png, jpeg, gif] = await Promise.all([anImage('png'), anImage('jpeg'), anImage('gif')]);
  return [...nameAttacks(png), ...typeAttacks(png, jpeg), ...polyglots(png, jpeg, gif), ...bombs(), ...svgAttacks()];
};

/** Hostile paths, for reads and deletions. */
export const PATH_ATTACKS = [
  '../../../etc/passwd',
  'uploads/../../../etc/passwd',
  'uploads/projects/../../../etc/passwd',
  'uploads%2F..%2F..%2Fetc%2Fpasswd',
  'uploads%252F..%252F..%252Fetc%252Fpasswd',
  'uploads/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  'uploads/%252e%252e/%252e%252e/etc/passwd',
  'uploads/..%2f..%2f..%2fetc/passwd',
  'uploads/..%5c..%5cetc/passwd',
  'uploads\\..\\..\\etc\\passwd',
  '/etc/passwd',
  '//etc/passwd',
  'file:///etc/passwd',
  'C:\\windows\\win.ini',
  'uploads/projects/\0/etc/passwd',
  'uploads/public/files/x\0.png',
  'uploads//projects//x/y',
  'uploads/./projects/./x/y',
  'uploads/users/*/images/photo.jpg',
  'uploads/users/.*/images/photo.jpg',
  `uploads/public/files/${'a'.repeat(2000)}`,
  'jwt-secret',
  'uploads',
];
