/** A project whose emails are delivered to a mail server of the suite. */
import { randomUUID } from 'node:crypto';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from './api.ts';
import { aMailbox } from './mailbox.ts';
import { aProject, type Person } from './people.ts';
import { runJobsOnEvents } from './run-jobs.ts';

const nestedObject = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

/** A project with a mailbox. The owner, admin and agent have verified addresses; only the agent is available. */
export const aProjectWithMailbox = async () => {
  await initCursors(); // the cursors of the listeners; every worker does this when it starts
  const fixture = await aProject();
  const { owner, admin, agent, guest, project } = fixture;
  const id_project = project.id;
  await User.updateMany({ _id: { $in: [owner.id, admin.id, agent.id] } }, { $set: { emailverified: true } });
  const mailbox = await aMailbox();
  const root = `/v3/${id_project}/requests`;
  const setAvailable = (user_available: boolean, ids = [agent.id]) =>
    ProjectUser.updateMany({ id_project, id_user: { $in: ids } }, { $set: { user_available } });
  await setAvailable(false, [owner.id, admin.id]);
  const openConversation = async (first: object = {}, request_id = `support-group-${randomUUID()}`) => {
    const one = `${root}/${request_id}`;
    const message = { text: 'Where is my order?', senderFullname: 'Vera', email: `${request_id}@x.org`, ...first };
    const { body } = await api(guest).post(`${one}/messages`, message);
    const postMessage = (by: Caller, text: string, more = {}) => api(by).post(`${one}/messages`, { text, ...more });
    return { one, request_id, postMessage, lead: `${request_id}@x.org`, request: body.request };
  };
  return {
    ...fixture,
    root,
    mailbox,
    setAvailable,
    openConversation,
    /** Changes the setting at a dotted path for the teammate `whose` or, without `whose`, for the project. */
    set: (path: string, value: unknown, whose?: Person) => {
      const settings = nestedObject(path, value);
      return whose
        ? ProjectUser.updateOne({ id_project, id_user: whose.id }, { $set: { settings } })
        : api(owner).put(`/v3/projects/${id_project}`, { settings });
    },
    /** Waits until all pending events are handled, and returns the subjects of the emails to an address. */
    subjects: async (to: string): Promise<string[]> => {
      await runJobsOnEvents(id_project);
      return (await mailbox.mailsTo(to)).map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
    },
    /** The texts of all emails to an address. */
    texts: async (to: string): Promise<string> => (await mailbox.mailsTo(to)).map(({ text }) => text).join('\n'),
    /** The text of the latest email to an address. */
    latest: async (to: string): Promise<string> => (await mailbox.mailsTo(to)).at(-1)?.text ?? '',
  };
};

export type ProjectWithMailbox = Awaited<ReturnType<typeof aProjectWithMailbox>>;
