/** The worker's side of the sender process. */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mock } from 'node:test';
import { expect } from 'chai';
import type * as SenderClient from '../../workers/mail-sender/sender-client.ts';
import type { SmtpTask } from '../../workers/mail-sender/send-and-record.ts';

const IDLE_MS = 60_000;
/** A copy of the module, so that only this test uses a sender process. */
const COPY = new URL('../../workers/mail-sender/sender-client.ts?copy', import.meta.url).href;

describe('Sender process', () => {
  it('handToSender rejects if an email cannot be passed to the sender process, and the process is disconnected after a minute without emails', async () => {
    const { handToSender, useSenderProcess } = (await import(COPY)) as typeof SenderClient;
    const started: ChildProcess[] = [];
    const breakConnection = (message: unknown): void => {
      const { process: child } = message as { process: ChildProcess };
      const send = (_: unknown, callback: (error: Error) => void) => process.nextTick(callback, new Error('broken'));
      Object.defineProperty(child, 'send', { get: () => send, set: () => {} });
      started.push(child);
    };
    subscribe('child_process', breakConnection);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      useSenderProcess();
      const error = await handToSender({} as SmtpTask).catch((reason: Error) => reason);
      expect(error).to.have.property('message', 'broken');
      const states = [started[0]?.connected];
      mock.timers.tick(IDLE_MS);
      expect([...states, started[0]?.connected]).to.deep.equal([true, false]);
    } finally {
      mock.timers.reset();
      unsubscribe('child_process', breakConnection);
      for (const child of started) if (child.kill('SIGKILL')) await once(child, 'exit');
    }
  });
});
