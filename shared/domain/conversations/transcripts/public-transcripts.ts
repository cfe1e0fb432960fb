/** Transcripts that can be read without credentials: with a signed link or, if configured, only the `request_id`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { config } from '../../../config.ts';
import { AppError, notFound } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { MessageView } from '../../../models/message.ts';
import { PROJECT_ACTIVE, Project } from '../../../models/project.ts';
import { deriveKey } from '../../../security/tokens.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import { isId, projectionOf } from '../../../wire/view.ts';
import type { ConversationKey } from '../conversation.ts';
import { WITHOUT_COMMAND } from '../messages/build-message.ts';
import { type MessagePage, type MessagePageQuery, readMessagePage } from '../messages/message-pages.ts';
import { messagesOf, NOT_PRIVATE } from '../messages/messages.ts';

/** The query parameters of a signed link. `expires` is in seconds since 1970. */
export interface TranscriptLink {
  project?: string;
  expires?: number;
  signature?: string;
}

const transcriptNotFound = () => notFound('No public transcript of this conversation');

let signingKey: Buffer | undefined;

/** Signs the project and the `request_id` together, because a `request_id` is unique only within its project. */
const signatureOf = ({ id_project, request_id }: ConversationKey, expires: number): string =>
  createHmac('sha256', (signingKey ??= deriveKey('public transcripts')))
    .update(JSON.stringify([id_project, request_id, expires]))
    .digest('base64url');

/**
 * Returns the query parameters of a link, valid for a limited time, to the transcript of a conversation. Throws 404 if
 * public transcripts are switched off.
 */
export const sign = (key: ConversationKey): Required<TranscriptLink> => {
  if (compatibility.publicTranscripts === 'off') throw transcriptNotFound();
  const expires = Math.floor(currentTimeMs() / 1000 + config.TRANSCRIPT_LINK_TTL_SECONDS);
  return { project: key.id_project, expires, signature: signatureOf(key, expires) };
};

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const verifyLink = (request_id: string, { project, expires, signature }: TranscriptLink): ConversationKey => {
  const key = { id_project: project ?? '', request_id };
  if (!expires || !signature) throw transcriptNotFound();
  if (!isEqual(Buffer.from(signature), Buffer.from(signatureOf(key, expires)))) throw transcriptNotFound();
  if (expires * 1000 < currentTimeMs())
    throw new AppError(403, 'LINK_EXPIRED', 'The link has expired; request a new one');
  return key;
};

/** Returns the only conversation with this id in the whole instance. Throws 404 if there is none, or more than one. */
const findOnlyConversation = async (request_id: string): Promise<ConversationKey> => {
  const anyProject = { anyProject: true }; // without a signed link, the project is unknown
  const found = await Conversation.find({ request_id }, { id_project: 1 }, anyProject).limit(2).lean();
  const [match, secondMatch] = found;
  if (!match || secondMatch) throw transcriptNotFound();
  return { id_project: match.id_project, request_id };
};

/**
 * Returns the conversation that an unauthenticated caller may read. Errors: 403 for an expired link, 404 for an unknown
 * conversation or a wrong signature.
 */
export const findReadable = async (request_id: string, link: TranscriptLink): Promise<ConversationKey> => {
  if (compatibility.publicTranscripts === 'off') throw transcriptNotFound();
  const isOpen = compatibility.publicTranscripts === 'open' && !link.signature;
  const key = isOpen ? await findOnlyConversation(request_id) : verifyLink(request_id, link);
  const { id_project } = key;
  const exists = isId(id_project) && (await Conversation.exists({ ...key }));
  if (!exists || !(await Project.exists({ _id: id_project, status: PROJECT_ACTIVE }))) throw transcriptNotFound();
  return key;
};

/** A message in a public transcript. Attributes are omitted, because they may contain an email address. */
export const PublicMessageView = MessageView.pick({
  ...{ _id: true, sender: true, senderFullname: true, recipient: true, text: true, type: true, metadata: true },
  ...{ language: true, channel: true, channel_type: true, status: true, createdAt: true, updatedAt: true },
}).meta({ id: 'PublicMessage' });

type PublicMessage = z.input<typeof PublicMessageView> & { createdAt: Date };

const PUBLIC_READER = { fields: projectionOf(PublicMessageView), toView: (message: PublicMessage) => message };

/** Returns a page of the messages that are not private and contain no command. */
export const publicMessages = (key: ConversationKey, query: MessagePageQuery): Promise<MessagePage<PublicMessage>> =>
  readMessagePage({ ...messagesOf(key), ...NOT_PRIVATE, ...WITHOUT_COMMAND }, query, PUBLIC_READER);
