/** Mails on what is said: to whom it was said and who does not see it otherwise (contract b 2.9). Never what teammates say to each other. */
import { isPrivate } from '../../models/message.ts';
import * as mails from '../access/mail.ts';
import { aboutOf, assignee, type Conversation, candidates } from './conversation.ts';
import { MOST_TO_ONE } from './budget.ts';
import { sendAutomatic, sendToTeam } from './outgoing.ts';
import { isOnline, type Recipient, type Sender, senderOf, teammates } from './recipients.ts';
import { blocks, wants } from './switches.ts';
import { isRefused } from './writers.ts';

const BY_MAIL = new Set(['email', 'form']);

/** As much of a message as mails tell. */
export interface Message {
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  attributes?: { subtype?: unknown };
  request?: Conversation;
}

/** Something that was said, where, and in whose name mails on it go out. */
interface News {
  message: Message;
  request: Conversation;
  sender: Sender;
}

type Template = 'ticket' | 'newMessage' | 'newMessageFollower' | 'pooledEmailMessage' | 'assignedEmailMessage';

const mailOf = (template: Template, to: string, { message, request, sender }: News): mails.NewMail => {
  const { text, type, senderFullname, sender: id } = message;
  const values = { ...aboutOf(sender, request), sender: senderFullname || id, text: text || type };
  return { template, to, values };
};

const about = ({ request }: News) => ({ id_project: request.id_project, about: String(request._id) });

const tellFollowers = async (news: News): Promise<void> => {
  const { request, message, sender } = news;
  if (!request.followers.length || blocks(sender.settings, 'blocked')) return;
  const followers = await teammates(request.id_project, { memberships: request.followers });
  await sendToTeam(followers, about(news), {
    write: (to) => mailOf('newMessageFollower', to, news),
    wants: ({ id, verified, settings }) => verified && id !== message.sender && wants(settings, 'ticket.follower'),
  });
};

const TEAM_TEMPLATES = {
  'ticket.pooled': 'pooledEmailMessage',
  'ticket.assigned.toyou': 'assignedEmailMessage',
} as const;

const tellEach = (switched: keyof typeof TEAM_TEMPLATES, people: Recipient[], news: News): Promise<void> =>
  sendToTeam(people, about(news), {
    write: (to) => mailOf(TEAM_TEMPLATES[switched], to, news),
    wants: ({ settings }) => wants(settings, switched),
  });

/** What a lead writes by mail reaches whoever has the conversation, or all who could take it. */
const tellTeam = async (news: News): Promise<void> => {
  const { request, message, sender } = news;
  if (message.text === request.first_text || blocks(sender.settings, 'blocked')) return;
  if (!request.participants.length && wants(sender.settings, 'ticket.pooled'))
    await tellEach('ticket.pooled', await candidates(request), news);
  if (request.participants.length && wants(sender.settings, 'ticket.assigned'))
    await tellEach('ticket.assigned.toyou', await assignee(request), news);
};

const isReachable = async ({ request, sender: { settings } }: News): Promise<boolean> => {
  if (BY_MAIL.has(request.channel.name)) return true;
  if (blocks(settings, 'offline.blocked') || !wants(settings, 'offline.enabled')) return false;
  return !(await isOnline(request.id_project, request.requester && String(request.requester._id)));
};

/** What a teammate writes reaches a lead that is not here to see it, or writes by mail; over SMTP only where the teammate's address is verified. */
const tellLead = async (news: News): Promise<void> => {
  const { request, message } = news;
  const to = request.lead?.email;
  const template = BY_MAIL.has(request.channel.name) ? 'ticket' : 'newMessage';
  const [writer] = to ? await teammates(request.id_project, { users: [message.sender] }) : [];
  if (!to || !writer || isRefused(writer) || !(await isReachable(news))) return;
  if (!(await mails.isFlooded(template, to, MOST_TO_ONE))) await sendAutomatic(mailOf(template, to, news), about(news));
};

const isInfo = ({ attributes }: Message): boolean => /^info(\/|$)/.test(String(attributes?.subtype));

/** Write to those whom a message is for and who may not see it in time. */
export const tellOfMessage = async (message: Message): Promise<void> => {
  const { request } = message;
  if (!request || request.preflight || isPrivate(message) || isInfo(message)) return;
  const isOfLead = message.sender === request.lead?.lead_id;
  const isHeard = isOfLead ? BY_MAIL.has(request.channel.name) : Boolean(request.lead?.email);
  const sender = isHeard || request.followers.length ? await senderOf(request.id_project) : null;
  if (!sender) return;
  const news = { message, request, sender };
  await tellFollowers(news);
  await (isOfLead ? isHeard && tellTeam(news) : tellLead(news));
};
