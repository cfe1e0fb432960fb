/** A mail server that stores the emails that it receives, and refuses commands on demand. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onSuiteEnd } from './suite-cleanup.ts';

export interface ReceivedMail {
  from: string;
  to: string;
  /** Headers and text without soft line breaks. */
  text: string;
}

type RefusalRule = (command: string) => string | undefined;

const address = (line: string): string => /<(.*)>/.exec(line)?.[1] ?? '';

const decodeQuotedPrintable = (data: string): string =>
  data
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const serveSmtp = (socket: Socket, mails: ReceivedMail[], refusalOf: RefusalRule): void => {
  let [pending, inData, mail] = ['', false, { from: '', to: '', text: '' }];
  const sendLine = (line: string) => socket.write(`${line}\r\n`);
  const handlers: Record<string, (line: string) => void> = {
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
  const handleCommand = (line: string): void => {
    const command = line.slice(0, 4).toUpperCase();
    const refusal = refusalOf(line);
    if (refusal) return void sendLine(refusal);
    handlers[command]?.(line);
    if (command === 'QUIT') socket.end('221 bye\r\n');
    else sendLine(inData ? '354 send the mail' : '250 ok');
  };
  const acceptMail = (): void => {
    inData = false;
    mails.push({ ...mail, text: decodeQuotedPrintable(mail.text) });
    sendLine('250 stored');
  };
  const handleLine = (line: string): void => {
    if (!inData) handleCommand(line);
    else if (line === '.') acceptMail();
    else mail.text += `${line}\r\n`;
  };
  socket.on('error', () => undefined); // the client disconnected
  socket.on('data', (bytes) => {
    const lines = (pending + String(bytes)).split('\r\n');
    pending = lines.pop() ?? '';
    for (const line of lines) handleLine(line);
  });
  sendLine('220 ready');
};

/**
 * Starts a server. The rule given to `refuse` returns the error response to a command line, or undefined to accept it.
 */
export const aMailServer = async () => {
  const mails: ReceivedMail[] = [];
  const state: { refuse: RefusalRule } = { refuse: () => undefined };
  const server = createServer((socket) => serveSmtp(socket, mails, (line) => state.refuse(line)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  onSuiteEnd(async () => void server.close());
  return {
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    mails,
    refuse: (refusal: RefusalRule) => void (state.refuse = refusal),
    /** The emails to an address, the latest last. */
    to: (email: string): ReceivedMail[] => mails.filter(({ to }) => to === email),
  };
};
