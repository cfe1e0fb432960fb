/** A project whose people are written to, and what they get. */
import { randomUUID } from 'node:crypto';
import { begin } from '#shared/domain/events/listeners.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from './api.ts';
import { changes } from './changes.ts';
import { aMailbox } from './mailbox.ts';
import { aProject, type Person } from './people.ts';
import { runJobsOnEvents } from './run-jobs.ts';

const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

/** A project with a mailbox; owner, admin and agent have shown that their addresses are theirs, and only the agent takes conversations. */
export const aMailedProject = async () => {
  await begin(); // as every worker does at its start
  const world = await aProject();
  const { owner, admin, agent, guest, project } = world;
  const id_project = project.id;
  await User.updateMany({ _id: { $in: [owner.id, admin.id, agent.id] } }, { $set: { emailverified: true } });
  const mailbox = await aMailbox();
  const root = `/v3/${id_project}/requests`;
  const available = (user_available: boolean, ids = [agent.id]) =>
    ProjectUser.updateMany({ id_project, id_user: { $in: ids } }, { $set: { user_available } });
  await available(false, [owner.id, admin.id]);
  const begun = async (first: object = {}, request_id = `support-group-${randomUUID()}`) => {
    const one = `${root}/${request_id}`;
    const said = { text: 'Where is my order?', senderFullname: 'Vera', email: `${request_id}@x.org`, ...first };
    const { body } = await api(guest).post(`${one}/messages`, said);
    const say = (by: Caller, text: string, more = {}) => api(by).post(`${one}/messages`, { text, ...more });
    return { one, request_id, say, lead: `${request_id}@x.org`, request: body.request };
  };
  return {
    ...world,
    root,
    mailbox,
    available,
    begun,
    /** Switches something off or on: of the project, or of a teammate. */
    set: (path: string, value: unknown, whose?: Person) => {
      const settings = nested(path, value);
      return whose
        ? ProjectUser.updateOne({ id_project, id_user: whose.id }, { $set: { settings } })
        : api(owner).put(`/v3/projects/${id_project}`, { settings });
    },
    /** The subjects of what somebody was sent, once everything so far has been heard. */
    subjects: async (to: string): Promise<string[]> => {
      await changes(id_project);
      await runJobsOnEvents();
      return (await mailbox.to(to)).map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
    },
    /** All that somebody was sent. */
    texts: async (to: string): Promise<string> => (await mailbox.to(to)).map(({ text }) => text).join('\n'),
    /** The latest mail to somebody. */
    latest: async (to: string): Promise<string> => (await mailbox.to(to)).at(-1)?.text ?? '',
  };
};

/** Such a project. */
export type Mailed = Awaited<ReturnType<typeof aMailedProject>>;
