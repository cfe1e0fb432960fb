/** A mail server that keeps what it is given, and refuses as it is told to. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { atEnd } from './at-end.ts';

/** A mail as it came over the wire. */
export interface Received {
  from: string;
  to: string;
  /** Headers and text, soft line ends undone. */
  text: string;
}

type Refusal = (command: string) => string | undefined;

const address = (line: string): string => /<(.*)>/.exec(line)?.[1] ?? '';

const readable = (data: string): string =>
  data
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const converse = (socket: Socket, mails: Received[], refusalOf: Refusal): void => {
  let [pending, inData, mail] = ['', false, { from: '', to: '', text: '' }];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const verbs: Record<string, (line: string) => void> = {
    MAIL: (line) => {
      mail = { from: address(line), to: '', text: '' };
    },
    RCPT: (line) => {
      mail.to = address(line);
    },
    DATA: () => {
      inData = true;
    },
  };
  const obey = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    const refusal = refusalOf(line);
    if (refusal) return void say(refusal);
    verbs[verb]?.(line);
    if (verb === 'QUIT') socket.end('221 bye\r\n');
    else say(inData ? '354 go on' : '250 ok');
  };
  const finish = (): void => {
    inData = false;
    mails.push({ ...mail, text: readable(mail.text) });
    say('250 kept');
  };
  const take = (line: string): void => {
    if (!inData) obey(line);
    else if (line === '.') finish();
    else mail.text += `${line}\r\n`;
  };
  socket.on('error', () => undefined); // whoever left, left
  socket.on('data', (bytes) => {
    const lines = (pending + String(bytes)).split('\r\n');
    pending = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  say('220 here');
};

/** One that listens; `refuse` answers a command line with a refusal, or nothing. */
export const aMailServer = async () => {
  const mails: Received[] = [];
  const state: { refuse: Refusal } = { refuse: () => undefined };
  const server = createServer((socket) => converse(socket, mails, (line) => state.refuse(line)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  atEnd(async () => void server.close());
  return {
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    mails,
    refuse: (refusal: Refusal) => void (state.refuse = refusal),
    /** The mails to an address, the latest last. */
    to: (email: string): Received[] => mails.filter(({ to }) => to === email),
  };
};
