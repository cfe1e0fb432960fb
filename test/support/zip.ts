/** ZIP archives built by hand, so that their headers can contain false values. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive. */
export interface ZipEntry {
  name: string;
  content: Buffer | string;
  /** How many times the content is in the file; once by default. */
  repeated?: number;
  /** The unpacked size in the headers; the true size by default. */
  declaredSize?: number;
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const DEFLATED = 8;
const VERSION = 20;

const numbers = (...values: [bytes: 2 | 4, value: number][]): Buffer =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

/** Compresses the content of an entry. All repetitions except the last share one compressed block. */
const pack = ({ content, repeated = 1 }: ZipEntry) => {
  const bytes = Buffer.from(content);
  const before = Array.from({ length: repeated - 1 }, () => bytes);
  const block = before.length ? deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }) : bytes;
  return {
    packed: Buffer.concat([...before.map(() => block), deflateRawSync(bytes, { level: 9 })]),
    size: bytes.length * repeated,
    sum: [...before, bytes].reduce((sum, each) => crc32(each, sum), 0),
  };
};

/** An archive of these entries. */
export const zip = (entries: ZipEntry[]): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, declaredSize } = entry;
    const { packed, size, sum } = pack(entry);
    const sizes = numbers([4, sum], [4, packed.length], [4, declaredSize ?? size]);
    const common = [numbers([2, VERSION], [2, 0], [2, DEFLATED], [4, 0]), sizes];
    const local = Buffer.concat([
      ...[numbers([4, LOCAL_SIGNATURE]), ...common, numbers([2, name.length], [2, 0])],
      ...[Buffer.from(name), packed],
    ]);
    const rest = numbers([2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    centrals.push(Buffer.concat([numbers([4, CENTRAL_SIGNATURE], [2, VERSION]), ...common, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const count = entries.length;
  const end = numbers(
    ...([
      [4, END_SIGNATURE],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as [2 | 4, number][]),
    ...([
      [4, directory.length],
      [4, offset],
      [2, 0],
    ] as [2 | 4, number][]),
  );
  return Buffer.concat([...locals, directory, end]);
};

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

/** A Word document whose text is `document`. */
export const docx = (document: Omit<ZipEntry, 'name'>, more: ZipEntry[] = []): Buffer =>
  zip([{ name: '[Content_Types].xml', content: CONTENT_TYPES }, { name: 'word/document.xml', ...document }, ...more]);
