/** What a visitor may write: the rules for its messages. Teammates, bots and subscriptions are not limited by them. */
import { AppError, invalidField } from '../../errors.ts';
import { isOwn, isTeam, type Speaker, type StoredRequest } from './requests.ts';
import type { Said } from './saying.ts';

/** Messages of one import. */
const MOST_AT_ONCE = 20;
/** Bytes of a message's attributes and metadata, as JSON. */
const MOST_FREE_BYTES = 16_384;
/** Bytes of all messages of a conversation, as JSON. What teammates import is not counted. */
const MOST_BYTES = 2_000_000;

/** Attributes that change how clients show a message, or when it was sent. Clients of visitors may send them: they are ignored. */
const RESERVED = [
  'clienttimestamp',
  'subtype',
  'messagelabel',
  'updateconversation',
  'updateconversationfor',
  'forcenotification',
];

const withoutReserved = (said: Said): Said => {
  if (!said.attributes || !RESERVED.some((key) => Object.hasOwn(said.attributes as object, key))) return said;
  const attributes = Object.entries(said.attributes).filter(([key]) => !RESERVED.includes(key));
  return { ...said, attributes: Object.fromEntries(attributes) };
};

const checkSize = ({ attributes, metadata }: Said, path: string): void => {
  const bytes = Buffer.byteLength(JSON.stringify([attributes, metadata]));
  if (bytes > MOST_FREE_BYTES)
    throw invalidField(path, `attributes and metadata of a message may have at most ${MOST_FREE_BYTES} bytes together`);
};

/** The message as it is accepted from this sender. Errors: 422 for a visitor's attributes and metadata above the limit. */
export const accepted = (said: Said, by: Speaker, path = 'attributes'): Said => {
  if (isTeam(by)) return said;
  checkSize(said, path);
  return withoutReserved(said);
};

/** The same for the messages of one import; 422 for more messages than a visitor may send at once. */
export const acceptedAll = (all: Said[], by: Speaker): Said[] => {
  if (!isTeam(by) && all.length > MOST_AT_ONCE)
    throw invalidField('', `messages/multi takes at most ${MOST_AT_ONCE} messages from a visitor; send them in parts`);
  return all.map((said, index) => accepted(said, by, `${index}.attributes`));
};

/** The name that a message of this sender bears in a conversation: of a visitor its own, whatever the message says. */
export const nameIn = (request: StoredRequest, given: string | undefined, by: Speaker): string | undefined => {
  if (isTeam(by) || given === undefined || given === by.fullname) return given;
  const { fullname } = (request.snapshot.lead ?? {}) as { fullname?: string };
  return (isOwn(request, by) ? fullname : undefined) ?? by.fullname;
};

/** 413 for what a visitor adds to a conversation that is full. */
export const full = () =>
  new AppError(
    413,
    'CONVERSATION_FULL',
    `The conversation holds ${MOST_BYTES} bytes, the most that a visitor may fill; begin a new conversation`,
  );

/** Refuse what a visitor adds to a conversation that would hold so many bytes with it. */
export const refuseFull = (bytes: number, by: Speaker): void => {
  if (!isTeam(by) && bytes > MOST_BYTES) throw full();
};

/** The conversations that have room for so many more bytes, as a filter. */
export const withRoomFor = (bytes: number) => ({ bytes: { $not: { $gt: MOST_BYTES - bytes } } });
