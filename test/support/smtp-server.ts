/**
 * A real SMTP server (the `smtp-server` package) on the loopback address, with authentication. Tests configure it as
 * the server of a project. It parses each received email.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { onSuiteEnd } from './suite-cleanup.ts';

export const SMTP_USER = 'user';
export const SMTP_PASSWORD = 'smtp password';

/** A received email, its envelope, and the user who signed in. */
export interface SmtpMail {
  mail: ParsedMail;
  from: string;
  to: string[];
  user?: string;
}

interface SmtpServerOptions {
  /** How long the server takes to accept an email. */
  delayMs?: number;
  /** The answer to a sender or a recipient that the server rejects. */
  reject?: (address: string) => { code: number; text: string } | undefined;
}

const smtpError = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code });

/** Starts a server. `settings` are the settings of a project whose emails are sent through it. */
export const anSmtpServer = async ({ delayMs = 0, reject = () => undefined }: SmtpServerOptions = {}) => {
  const mails: SmtpMail[] = [];
  const state = { connections: 0, mostConnections: 0 };
  const rejectionOf = (address: string) => {
    const rejection = reject(address);
    return rejection && smtpError(rejection);
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      username === SMTP_USER && password === SMTP_PASSWORD
        ? done(null, { user: username })
        : done(smtpError({ code: 535, text: '5.7.8 wrong password' })),
    onConnect: (_session, done) => {
      state.connections += 1;
      state.mostConnections = Math.max(state.mostConnections, state.connections);
      done();
    },
    onClose: () => void (state.connections -= 1),
    onMailFrom: ({ address }, _session, done) => done(rejectionOf(address)),
    onRcptTo: ({ address }, _session, done) => done(rejectionOf(address)),
    onData: async (stream, session, done) => {
      const mail = await simpleParser(stream);
      await sleep(delayMs);
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      mails.push({ mail, from: mailFrom ? mailFrom.address : '', to, user: session.user as string | undefined });
      done();
    },
  });
  server.on('error', () => undefined); // expected when a client is killed
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  onSuiteEnd(async () => server.close(() => undefined));
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    state,
    settings: { config: { host: '127.0.0.1', port, user: SMTP_USER, pass: SMTP_PASSWORD } },
    to: (address: string): SmtpMail[] => mails.filter(({ to }) => to.includes(address)),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
