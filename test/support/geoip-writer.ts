/**
 * Writes small files in the MaxMind DB format 2.0: IPv4 networks whose records consist of strings, numbers, lists and
 * maps.
 */
import { BlockList } from 'node:net';

/** A network in CIDR notation and the record of its addresses. */
export type Network = [cidr: string, record: object];

const TYPE_NUMBERS = { text: 2, double: 3, uint16: 5, uint32: 6, map: 7, list: 11 };
const RECORD_BITS = 24;
const SEPARATOR = 16;
const FIRST_EXTENDED = 7;
const LONG_SIZES = 29;

const control = (type: number, size: number): Buffer => {
  const short = Math.min(size, LONG_SIZES);
  const longer = size >= LONG_SIZES ? [size - LONG_SIZES] : [];
  const isExtended = type > FIRST_EXTENDED;
  return Buffer.from([
    ((isExtended ? 0 : type) << 5) | short,
    ...(isExtended ? [type - FIRST_EXTENDED] : []),
    ...longer,
  ]);
};

const encodeNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return Buffer.concat([control(TYPE_NUMBERS.double, bytes.length), bytes]);
};

const text = (value: string): Buffer =>
  Buffer.concat([control(TYPE_NUMBERS.text, Buffer.byteLength(value)), Buffer.from(value)]);

/** An integer in the metadata, where doubles are not allowed. */
class Integer {
  readonly value: number;
  readonly type: 'uint16' | 'uint32';
  constructor(type: 'uint16' | 'uint32', value: number) {
    this.type = type;
    this.value = value;
  }
}

const encodeInteger = ({ type, value }: Integer): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  const short = type === 'uint16' ? bytes.subarray(2) : bytes;
  return Buffer.concat([control(TYPE_NUMBERS[type], short.length), short]);
};

const encode = (value: unknown): Buffer => {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return encodeNumber(value);
  if (value instanceof Integer) return encodeInteger(value);
  if (Array.isArray(value)) return Buffer.concat([control(TYPE_NUMBERS.list, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([
    control(TYPE_NUMBERS.map, entries.length),
    ...entries.flatMap(([key, each]) => [text(key), encode(each)]),
  ]);
};

type Node = [Node | number | null, Node | number | null];

const bitsOf = (cidr: string): number[] => {
  const [address = '', length = '32'] = cidr.split('/');
  new BlockList().addSubnet(address, Number(length)); // throws for an invalid network
  const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return Array.from(bits.join('').slice(0, Number(length)), Number);
};

/** The search tree, whose leaves are offsets in the data. */
const treeOf = (networks: [string, number][]): Node[] => {
  const nodes: Node[] = [[null, null]];
  for (const [cidr, offset] of networks) {
    const bits = bitsOf(cidr);
    let node = nodes[0] as Node;
    for (const bit of bits.slice(0, -1)) {
      if (!Array.isArray(node[bit])) nodes.push((node[bit] = [null, null]));
      node = node[bit];
    }
    node[bits.at(-1) as 0 | 1] = offset;
  }
  return nodes;
};

const bytesOf = (nodes: Node[]): Buffer => {
  const valueOf = (side: Node[number]): number => {
    if (side === null) return nodes.length;
    return Array.isArray(side) ? nodes.indexOf(side) : nodes.length + SEPARATOR + side;
  };
  const tree = Buffer.alloc((nodes.length * RECORD_BITS * 2) / 8);
  nodes.flat().forEach((side, index) => tree.writeUIntBE(valueOf(side), index * 3, 3));
  return tree;
};

const metadataOf = (nodes: Node[]) => ({
  binary_format_major_version: new Integer('uint16', 2),
  binary_format_minor_version: new Integer('uint16', 0),
  build_epoch: new Integer('uint32', 1),
  database_type: 'Test-City',
  description: { en: 'Networks of a test' },
  ip_version: new Integer('uint16', 4),
  languages: ['en'],
  node_count: new Integer('uint32', nodes.length),
  record_size: new Integer('uint16', RECORD_BITS),
});

/** The bytes of a file with these networks. */
export const geoipFileOf = (networks: Network[]): Buffer => {
  const records = networks.map(([, record]) => encode(record));
  let offset = 0;
  const offsets = networks.map(([cidr], index): [string, number] => {
    const here = offset;
    offset += (records[index] as Buffer).length;
    return [cidr, here];
  });
  const nodes = treeOf(offsets);
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
  return Buffer.concat([bytesOf(nodes), Buffer.alloc(SEPARATOR), ...records, marker, encode(metadataOf(nodes))]);
};
