import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { listenOnUnusedPort } from './unused-port.ts';

type HostileResponder = (socket: Socket, path: string, origin: string) => void;

const head = (headers: Record<string, string | number>, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\n${Object.entries({ 'content-type': 'text/html', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const sendPage = (body: string | Uint8Array, headers: Record<string, string | number> = {}): HostileResponder => {
  const bytes = Buffer.from(body);
  return (socket) =>
    socket.end(Buffer.concat([Buffer.from(head({ 'content-length': bytes.length, ...headers })), bytes]));
};

/** Writes one piece every `everyMs` milliseconds until the client disconnects. */
const sendSlowly = (socket: Socket, piece: string, everyMs: number) => {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
};

const sendEndlessly = (socket: Socket, piece: Buffer) => {
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

const redirect =
  (location: string): HostileResponder =>
  (socket) =>
    socket.end(head({ location, 'content-length': 0, connection: 'close' }, '302 Found'));

const BOMB_BYTES = 16 * 1024 * 1024;
const emptyMember = gzipSync('');
const bomb = Buffer.alloc(BOMB_BYTES, '<p>boom</p>');
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Each path is one attack on a crawler, except `/ok`, which is a plain page. */
const responders: Record<string, HostileResponder> = {
  '/ok': sendPage('<main><h1>Hours</h1><p>We open at nine.</p></main>'),
  '/silent': () => undefined,
  '/slow-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    sendSlowly(socket, 'x-more: 1\r\n', 20);
  },
  '/slow-body': (socket) => {
    socket.write(head({ 'content-length': 100_000 }));
    sendSlowly(socket, 'a', 20);
  },
  '/endless-body': (socket) => {
    socket.write(head({ connection: 'close' }));
    sendEndlessly(socket, Buffer.alloc(65_536, 'a'));
  },
  '/endless-crumbs': (socket) => {
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    sendEndlessly(socket, Buffer.from('1\r\na\r\n'.repeat(4_000)));
  },
  '/endless-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    sendEndlessly(socket, Buffer.from(`x-more: ${'a'.repeat(1_000)}\r\n`));
  },
  '/huge': (socket) => socket.write(head({ 'content-length': 1_000_000_000 })),
  '/gzip-bomb': sendPage(gzipSync(bomb), { 'content-encoding': 'gzip' }),
  '/brotli-bomb': sendPage(brotliCompressSync(bomb, brotliOptions), { 'content-encoding': 'br' }),
  '/empty-members': (socket) => {
    socket.write(head({ 'content-encoding': 'gzip', connection: 'close' }));
    sendEndlessly(socket, Buffer.concat(Array.from({ length: 1_000 }, () => emptyMember)));
  },
  '/chained-encodings': sendPage(gzipSync(gzipSync('twice')), { 'content-encoding': 'gzip, gzip' }),
  '/unknown-encoding': sendPage('?', { 'content-encoding': 'compress' }),
  '/not-gzip': sendPage('plain all along', { 'content-encoding': 'gzip' }),
  '/half-gzip': sendPage(gzipSync('a page that ends too early').subarray(0, 20), { 'content-encoding': 'gzip' }),
  '/redirect-loop': redirect('/redirect-loop-back'),
  '/redirect-loop-back': redirect('/redirect-loop'),
  '/redirect-nowhere': redirect('http://'),
  '/length-too-long': sendPage('short', { 'content-length': 500 }),
  '/two-lengths': sendPage('short', { 'content-length': '5\r\ncontent-length: 6' }),
  '/cut-off': (socket) => {
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    socket.write('5\r\nstart\r\n', () => socket.resetAndDestroy());
  },
  '/hangs-up': (socket) => socket.destroy(),
  '/not-http': (socket) => socket.end('220 mail.example ESMTP\r\n'),
};

/** `/redirect-chain/7` redirects seven times; `/moved-to/<encoded URL>` redirects to that URL. */
const findByPrefix = (path: string): HostileResponder | undefined => {
  if (path.startsWith('/moved-to/')) return redirect(decodeURIComponent(path.slice('/moved-to/'.length)));
  const left = Number(/^\/redirect-chain\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  return left > 0 ? redirect(`/redirect-chain/${left - 1}`) : undefined;
};

/** A server on loopback with an attack per path (see `responders`); `counts` has the number of requests by path. */
export const aHostileSite = async () => {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', (data) => {
      const path = data.toString('latin1').split(' ')[1] ?? '/';
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const act = responders[path] ?? findByPrefix(path);
      if (act) act(socket, path, origin);
      else socket.end(head({ 'content-length': 0, connection: 'close' }, '404 Not Found'));
    });
  });
  const port = await listenOnUnusedPort(server);
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

/** A server that counts connections, with which tests verify that a forbidden target is never reached. */
export const aCanary = async ({ host = '127.0.0.1', port: wanted = 0 } = {}) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket
      .on('error', () => undefined)
      .resume()
      .end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary');
  });
  const port = await listenOnUnusedPort(server, { host, port: wanted });
  return {
    port,
    connections: () => connections,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
};
