/** The way of every mail of a project: within the budget of the project, and to one teammate only so many an hour. */
import { newId } from '../../context.ts';
import * as mails from '../access/mail.ts';
import { accepts, affords, giveBack, giveBackTo } from './budget.ts';
import type { Recipient } from './recipients.ts';

/** The record of the project that a mail is about, and its own id where a repeated event must find it. */
interface About {
  id_project: string;
  about: string;
  _id?: string;
}

/** Write an automatic mail; over the budget its record alone, which says why it was dropped. False for one that an earlier try wrote. */
export const sendAutomatic = async (mail: mails.NewMail, { _id = newId(), ...about }: About): Promise<boolean> => {
  const failure = (await affords(about.id_project)) ? undefined : mails.DROPPED;
  const isNew = await mails.send(mail, { ...about, _id, failure });
  if (!isNew && !failure) await giveBack(about.id_project, 1);
  return isNew;
};

const sendToOne = async (mail: mails.NewMail, about: About): Promise<void> => {
  if (!(await accepts(about.id_project, mail))) return;
  if (!(await sendAutomatic(mail, about))) await giveBackTo(about.id_project, mail);
};

/**
 * Write to those teammates who `want` it and were not written to too often. Each has an id of its own in any case, so that a repeated
 * event makes the same mails.
 */
export const sendToTeam = async (
  people: Recipient[],
  about: { id_project: string; about: string },
  { write, wants }: { write: (to: string) => mails.NewMail; wants: (one: Recipient) => boolean | Promise<boolean> },
): Promise<void> => {
  for (const { one, _id } of people.map((one) => ({ one, _id: newId() })))
    if (await wants(one)) await sendToOne(write(one.email), { ...about, _id });
};
