/** Trials that send emails through one slow SMTP server while the worker is killed. Each email must be sent once. */
import { expect } from 'chai';
import * as mails from '#shared/domain/mails/mail-queue.ts';
import { Mail } from '#shared/models/mail.ts';
import { User } from '#shared/models/user.ts';
import { changeProject } from './change-project.ts';
import { times } from './fleet-fixture.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aProject } from './people.ts';
import { waitUntil } from './wait-until.ts';

const PATIENCE_SECONDS = 240;
const HANGING_MAILS = 5;

/** A project with its own SMTP server. */
const aProjectWithServer = async (port: number) => {
  const fixture = await aProject();
  const settings = { email: { config: { host: '127.0.0.1', port, secure: false } } };
  await changeProject(fixture.project.id, { $set: { settings } });
  await User.updateOne({ _id: fixture.owner.id }, { $set: { emailverified: true } });
  return fixture;
};

interface KillTrial {
  mails: number;
  kills: number;
  /** Whether to wait until the owner of the project with the hanging server receives an email about the failures. */
  waitsForReport?: boolean;
}

/**
 * Sends emails of the instance and of a project with its own server through one slow SMTP server, while another
 * project's server hangs and the worker is killed. Expects that the slow server accepts each email once.
 */
export const sendMailsWhileWorkerIsKilled = async (
  { smtp: slow, hangingSmtp: hanging, killWorker }: KillableWorker,
  trial: KillTrial,
): Promise<void> => {
  const [own, broken] = [await aProjectWithServer(slow.port), await aProjectWithServer(hanging.port)];
  const queue = (to: string, id_project?: string) =>
    mails.queueMail({ template: 'emailDirect', to, values: { subject: 'Hi', text: 'Hello' } }, { id_project });
  const addresses = times(trial.mails, (n) => `mail-${n}@example.org`);
  const received = () => slow.mails.flatMap(({ to }) => to).filter((address) => addresses.includes(address));
  for (const n of times(HANGING_MAILS, (each) => each)) await queue(`hanging-${n}@example.org`, broken.project.id);
  for (const [n, address] of addresses.entries()) await queue(address, n % 2 ? own.project.id : undefined);
  const isDone = (share: number) => received().length >= Math.floor(trial.mails * share);
  for (const kill of times(trial.kills, (n) => n + 1)) {
    await waitUntil(() => isDone(kill / (trial.kills + 1)), PATIENCE_SECONDS);
    await killWorker();
  }
  const areSent = async () => (await Mail.countDocuments({ to: { $in: addresses }, sentAt: null })) === 0;
  await waitUntil(areSent, PATIENCE_SECONDS);
  expect(received().toSorted(), 'lost or repeated emails').to.deep.equal(addresses.toSorted());
  expect(hanging.state.connections).to.be.greaterThan(0);
  expect(await Mail.countDocuments({ id_project: broken.project.id, sentAt: { $exists: true } })).to.equal(0);
  if (trial.waitsForReport) await waitUntil(() => slow.to(broken.owner.email).length > 0, PATIENCE_SECONDS);
};
