import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync, constants } from 'node:zlib';
import { listenFresh } from './fresh-port.ts';

type Behaviour = (socket: Socket, path: string, origin: string) => void;

const head = (headers: Record<string, string | number>, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\n${Object.entries({ 'content-type': 'text/html', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const whole = (body: string | Uint8Array, headers: Record<string, string | number> = {}): Behaviour => {
  const bytes = Buffer.from(body);
  return (socket) =>
    socket.end(Buffer.concat([Buffer.from(head({ 'content-length': bytes.length, ...headers })), bytes]));
};

/** Writes a piece at a time until the other side leaves. */
const drip = (socket: Socket, piece: string, everyMs: number) => {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
};

const pour = (socket: Socket, piece: Buffer) => {
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

const redirect =
  (location: string): Behaviour =>
  (socket) =>
    socket.end(head({ location, 'content-length': 0, connection: 'close' }, '302 Found'));

const BOMB_BYTES = 16 * 1024 * 1024;
const emptyMember = gzipSync('');
const bomb = Buffer.alloc(BOMB_BYTES, '<p>boom</p>');
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Each path is one way to do a crawler harm; `/ok` is a plain page and `/moved-to/<url>` sends on to any address. */
const behaviours: Record<string, Behaviour> = {
  '/ok': whole('<main><h1>Hours</h1><p>We open at nine.</p></main>'),
  '/silent': () => undefined,
  '/slow-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x-more: 1\r\n', 20);
  },
  '/slow-body': (socket) => {
    socket.write(head({ 'content-length': 100_000 }));
    drip(socket, 'a', 20);
  },
  '/endless-body': (socket) => {
    socket.write(head({ connection: 'close' }));
    pour(socket, Buffer.alloc(65_536, 'a'));
  },
  '/endless-crumbs': (socket) => {
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    pour(socket, Buffer.from('1\r\na\r\n'.repeat(4_000)));
  },
  '/endless-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from(`x-more: ${'a'.repeat(1_000)}\r\n`));
  },
  '/huge': (socket) => socket.write(head({ 'content-length': 1_000_000_000 })),
  '/gzip-bomb': whole(gzipSync(bomb), { 'content-encoding': 'gzip' }),
  '/brotli-bomb': whole(brotliCompressSync(bomb, brotliOptions), { 'content-encoding': 'br' }),
  '/empty-members': (socket) => {
    socket.write(head({ 'content-encoding': 'gzip', connection: 'close' }));
    pour(socket, Buffer.concat(Array.from({ length: 1_000 }, () => emptyMember)));
  },
  '/chained-encodings': whole(gzipSync(gzipSync('twice')), { 'content-encoding': 'gzip, gzip' }),
  '/unknown-encoding': whole('?', { 'content-encoding': 'compress' }),
  '/not-gzip': whole('plain all along', { 'content-encoding': 'gzip' }),
  '/half-gzip': whole(gzipSync('a page that ends too early').subarray(0, 20), { 'content-encoding': 'gzip' }),
  '/redirect-loop': redirect('/redirect-loop-back'),
  '/redirect-loop-back': redirect('/redirect-loop'),
  '/redirect-nowhere': redirect('http://'),
  '/length-too-long': whole('short', { 'content-length': 500 }),
  '/two-lengths': whole('short', { 'content-length': '5\r\ncontent-length: 6' }),
  '/cut-off': (socket) => {
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    socket.write('5\r\nstart\r\n', () => socket.resetAndDestroy());
  },
  '/hangs-up': (socket) => socket.destroy(),
  '/not-http': (socket) => socket.end('220 mail.example ESMTP\r\n'),
};

/** `/redirect-chain/7` is sent on seven times; `/moved-to/<url, encoded>` once, to anywhere. */
const byPrefix = (path: string): Behaviour | undefined => {
  if (path.startsWith('/moved-to/')) return redirect(decodeURIComponent(path.slice('/moved-to/'.length)));
  const left = Number(/^\/redirect-chain\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  return left > 0 ? redirect(`/redirect-chain/${left - 1}`) : undefined;
};

/** A server on loopback that does harm by path (see `behaviours`); `counts` holds the requests of each path. */
export const aHostileSite = async () => {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', (data) => {
      const path = data.toString('latin1').split(' ')[1] ?? '/';
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const act = behaviours[path] ?? byPrefix(path);
      if (act) act(socket, path, origin);
      else socket.end(head({ 'content-length': 0, connection: 'close' }, '404 Not Found'));
    });
  });
  const port = await listenFresh(server);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    counts,
    url: (path: string) => origin + path,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

/** A server that only counts who connects: proof that somebody did not. */
export const aCanary = async ({ host = '127.0.0.1', port: wanted = 0 } = {}) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket
      .on('error', () => undefined)
      .resume()
      .end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary');
  });
  const port = await listenFresh(server, { host, port: wanted });
  return {
    port,
    connections: () => connections,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
};
