/**
 * The reply addresses of conversations: `<request_id>+<signature>@<domain>`. Only people who have received an email of
 * the conversation know the signature, so an email to such an address comes from one of them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../../config.ts';
import { Conversation } from '../../models/conversation.ts';
import { deriveKey } from '../../security/tokens.ts';
import { isId } from '../../wire/view.ts';

/** The maximum length of the local part of an address (RFC 5321). */
const MAX_LOCAL_PART_CHARACTERS = 64;
const SIGNATURE_CHARACTERS = 16;
/** Matches a `request_id` that can be part of an address unchanged. */
const PLAIN_ID = /^[\w!#$%&'*/=?^`{|}~-]+(\.[\w!#$%&'*/=?^`{|}~-]+)*$/;
/** Precedes the `_id` of a conversation whose `request_id` cannot be part of an address. */
const RECORD_PREFIX = 'id-';
const SIGNED_ADDRESS = new RegExp(`^(.+)\\+([0-9a-f]{${SIGNATURE_CHARACTERS}})@`, 'i');

/** Identifies a conversation. */
interface ConversationRef {
  _id: unknown;
  id_project: string;
  request_id: string;
}

let hmacKey: Buffer | undefined;

const signatureOf = ({ _id, id_project }: Omit<ConversationRef, 'request_id'>): string => {
  hmacKey ??= deriveKey('reply addresses');
  const hmac = createHmac('sha256', hmacKey).update(`${id_project}:${String(_id)}`);
  return hmac.digest('hex').slice(0, SIGNATURE_CHARACTERS);
};

const nameOf = ({ _id, request_id }: ConversationRef): string => {
  const isPlain =
    PLAIN_ID.test(request_id) &&
    request_id.length + 1 + SIGNATURE_CHARACTERS <= MAX_LOCAL_PART_CHARACTERS &&
    request_id === request_id.toLowerCase() && // mail servers may change the case of an address
    !request_id.startsWith(RECORD_PREFIX);
  return isPlain ? request_id : `${RECORD_PREFIX}${String(_id)}`;
};

/**
 * Returns the address to which replies in a conversation are sent; undefined without `EMAIL_INBOUND_DOMAIN`. A `*` in
 * the domain stands for the id of the project.
 */
export const replyAddress = (conversation: ConversationRef): string | undefined => {
  const domain = config.EMAIL_INBOUND_DOMAIN?.replace('*', conversation.id_project);
  return domain && `${nameOf(conversation)}+${signatureOf(conversation)}@${domain}`;
};

/**
 * Returns the `request_id` of the conversation that a reply address belongs to; null if the signature is wrong or
 * missing, or if the conversation does not exist.
 */
export const conversationOfAddress = async (id_project: string, address: string): Promise<string | null> => {
  const [, name = '', signature = ''] = SIGNED_ADDRESS.exec(address) ?? [];
  if (!signature) return null;
  const record = name.startsWith(RECORD_PREFIX) ? name.slice(RECORD_PREFIX.length) : '';
  const key = isId(record) ? { _id: record } : { request_id: name };
  const found = await Conversation.findOne({ id_project, ...key }, { request_id: 1 }).lean();
  if (!found) return null;
  const expected = signatureOf({ _id: found._id, id_project });
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature.toLowerCase())) ? found.request_id : null;
};
