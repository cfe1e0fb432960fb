/** Transcripts that are read without credentials (contract b 1.21, decision 39). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { config } from '../../config.ts';
import { AppError, notFound } from '../../errors.ts';
import { MessageView } from '../../models/message.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { Request } from '../../models/request.ts';
import { keyFor } from '../../tokens.ts';
import { fieldsOf, isId } from '../../view.ts';
import { wire } from '../../wire-profile.ts';
import { type MessagePage, type PageWanted, pageOf } from './message-pages.ts';
import { NOT_PRIVATE, saidIn } from './messages.ts';
import type { Conversation } from './requests.ts';

/** What a signed link says: whose conversation it opens, and until when in seconds since 1970. */
export interface Signed {
  project?: string;
  expires?: number;
  signature?: string;
}

const missing = () => notFound('No transcript of this conversation');

let key: Buffer | undefined;

/** A `request_id` is unique in its project alone, so the project is signed with it. */
const signatureOf = ({ id_project, request_id }: Conversation, expires: number): string =>
  createHmac('sha256', (key ??= keyFor('public transcripts')))
    .update(JSON.stringify([id_project, request_id, expires]))
    .digest('base64url');

/** What must be added to the addresses of a conversation's transcripts so that they can be read for a while. */
export const sign = (where: Conversation): Required<Signed> => {
  if (wire.publicTranscripts === 'off') throw missing();
  const expires = Math.floor(Date.now() / 1000 + config.TRANSCRIPT_LINK_TTL);
  return { project: where.id_project, expires, signature: signatureOf(where, expires) };
};

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const signedFor = (request_id: string, { project, expires, signature }: Signed): Conversation => {
  const where = { id_project: project ?? '', request_id };
  if (!expires || !signature) throw missing();
  if (!isEqual(Buffer.from(signature), Buffer.from(signatureOf(where, expires)))) throw missing();
  if (expires * 1000 < Date.now()) throw new AppError(403, 'EXPIRED', 'The link has expired: ask for a new one');
  return where;
};

/** The one conversation of this id in the whole instance; none where two projects have one. */
const onlyOne = async (request_id: string): Promise<Conversation> => {
  const anyProject = { anyProject: true }; // nobody says whose it is; that is what the operator opened
  const found = await Request.find({ request_id }, { id_project: 1 }, anyProject).limit(2).lean();
  const [one, another] = found;
  if (!one || another) throw missing();
  return { id_project: one.id_project, request_id };
};

/** The conversation whose transcript somebody without credentials asks for. 404 where it is not to be had, 403 for a link that has expired. */
export const opened = async (request_id: string, signed: Signed): Promise<Conversation> => {
  if (wire.publicTranscripts === 'off') throw missing();
  const isOpen = wire.publicTranscripts === 'open' && !signed.signature;
  const where = isOpen ? await onlyOne(request_id) : signedFor(request_id, signed);
  const { id_project } = where;
  const isThere = isId(id_project) && (await Request.exists({ ...where }));
  if (!isThere || !(await Project.exists({ _id: id_project, status: ACTIVE }))) throw missing();
  return where;
};

/** A message in a public transcript: no attributes, which may hold an e-mail (decision 57). */
export const PublicMessageView = MessageView.pick({
  ...{ _id: true, sender: true, senderFullname: true, recipient: true, text: true, type: true, metadata: true },
  ...{ language: true, channel: true, channel_type: true, status: true, createdAt: true, updatedAt: true },
});

type PublicMessage = z.input<typeof PublicMessageView> & { createdAt: Date };

const READING = { fields: fieldsOf(PublicMessageView), show: (message: PublicMessage) => message };

/** A page of the messages, but for those between teammates. */
export const said = (where: Conversation, wanted: PageWanted): Promise<MessagePage<PublicMessage>> =>
  pageOf({ ...saidIn(where), ...NOT_PRIVATE }, wanted, READING);
