/** A project that receives emails at addresses of a domain. */
import { config } from '#shared/config.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { api } from './api.ts';
import { aMail, receive, textsOf } from './inbound.ts';
import { aProjectWithMailbox } from './project-with-mailbox.ts';
import { runJobsOnEvents } from './run-jobs.ts';

const LEAD = 'vera@example.org';

/** The source (raw text) of an email in which the lead replies. */
export const aReply = (headers: Record<string, string | undefined>, text = 'Thanks'): string =>
  aMail({ Subject: 'Re: Order', ...headers }, text);

/** A project with a mailbox. Sets `EMAIL_INBOUND_DOMAIN` until `close` is called. */
export const anInboundProject = async () => {
  const settings = { ...config };
  config.EMAIL_INBOUND_DOMAIN = 'in.example.net';
  const fixture = await aProjectWithMailbox();
  const project = fixture.project.id;
  const receiveMail = (mail: string | Buffer, query = {}) => receive(fixture, mail, query);
  return {
    ...fixture,
    receiveMail,
    conversation: (request_id: string) => Conversation.findOne({ id_project: project, request_id }).orFail().lean(),
    countConversations: () => Conversation.countDocuments({ id_project: project }),
    texts: (request_id: string) => textsOf(project, request_id),
    /** Opens a conversation by email and answers it as an agent. Returns its id, and headers of the emailed answer. */
    openAndAnswer: async () => {
      const { request_id } = (await receiveMail(aMail({ 'Message-ID': '<first@example.org>' }))).body;
      await api(fixture.agent).post(`/v3/${project}/requests/${request_id}/messages`, { text: 'It is on its way.' });
      await runJobsOnEvents(project);
      const sent = await fixture.latest(LEAD);
      const header = (name: string): string => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(sent)?.[1] ?? '';
      const headers = { messageId: header('Message-ID'), replyTo: header('Reply-To') };
      return { request_id, ...headers, inReplyTo: header('In-Reply-To') };
    },
    /** Closes the mailbox and restores the settings. */
    close: () => {
      fixture.mailbox.close();
      Object.assign(config, { EMAIL_INBOUND_DOMAIN: undefined }, settings);
    },
  };
};

/** A project that receives emails. */
export type InboundProject = Awaited<ReturnType<typeof anInboundProject>>;

/** The id of a conversation, and headers of an agent's emailed answer. */
export type AnsweredMail = Awaited<ReturnType<InboundProject['openAndAnswer']>>;
