/** Emails that arrive at a project. */
import { randomUUID } from 'node:crypto';
import { Message } from '#shared/models/message.ts';
import { anApi, type Caller, call, type Reply } from './api.ts';

/**
 * The source of an email from a visitor. `headers` replaces default headers; the value `undefined` removes a header.
 */
export const aMail = (headers: Record<string, string | undefined> = {}, text = 'Where is my order?'): string => {
  const defaults = { From: 'Vera <vera@example.org>', To: 'support@example.com', Subject: 'Order' };
  const all = { ...defaults, 'Message-ID': `<${randomUUID()}@example.org>`, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
  return [...lines, '', text].join('\r\n');
};

/** A project, and the caller that posts its emails. `url` is the URL of the API (by default, this process's API). */
interface MailReceiver {
  project: { id: string };
  agent: Caller;
  url?: string;
}

/** Posts a raw email as a mail server does. */
export const receive = async (
  { project, agent, url }: MailReceiver,
  mail: string | Buffer,
  query: Record<string, string> = {},
): Promise<Reply> => {
  const path = `/v3/${project.id}/emails/inbound?${new URLSearchParams(query).toString()}`;
  const headers = { authorization: agent.authorization, 'content-type': 'message/rfc822' };
  return call('POST', (url ?? (await anApi())) + path, { body: Buffer.from(mail), headers });
};

/** The texts of a conversation's messages, the earliest first, without system messages. */
export const textsOf = async (id_project: string, request_id: string): Promise<string[]> =>
  (
    await Message.find({ id_project, recipient: request_id, sender: { $ne: 'system' } })
      .sort({ createdAt: 1, _id: 1 })
      .lean()
  ).map(({ text }) => text ?? '');
