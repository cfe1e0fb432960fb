/**
 * Addresses to which a project's emails are blocked, because a mail server has rejected the address or returned an
 * email (a bounce). An agent can lift a block.
 */
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { MailBlock, MailBlockView } from '../../models/mail-block.ts';
import { isId, projectionOf } from '../../wire/view.ts';

const BLOCK_FIELDS = projectionOf(MailBlockView);

/** The value of `failure` in the record of an email to a blocked address, and the error code of a rejected call. */
export const BLOCKED_FAILURE = 'ADDRESS_BLOCKED';

/** An address to block, the reason, and the id of the rejected or returned email. */
interface Block {
  address: string;
  reason: string;
  mail?: string;
}

const keyOf = (id_project: string, address: string) => ({ id_project, address: address.toLowerCase() });

/** Blocks an address. Returns false if it is already blocked. */
export const block = (id_project: string, { address, ...block }: Block): Promise<boolean> =>
  insertIfAbsent(() => MailBlock.create([{ ...keyOf(id_project, address), ...block }]));

type BlockKey = ReturnType<typeof keyOf>;

const nameOf = ({ id_project, address }: BlockKey): string => `${id_project} ${address}`;

/** Checks several addresses with one command; emails that are sent at the same time share the command. */
const areBlocked = batchCalls(async (keys: BlockKey[]): Promise<boolean[]> => {
  const [projects, addresses] = [keys.map(({ id_project }) => id_project), keys.map(({ address }) => address)];
  const filter = { id_project: { $in: projects }, address: { $in: addresses } };
  const found = await MailBlock.find(filter, { id_project: 1, address: 1 }).lean();
  const blocked = new Set(found.map(nameOf));
  return keys.map((key) => blocked.has(nameOf(key)));
});

/** Returns whether a project's emails to an address are blocked. */
export const isAddressBlocked = (id_project: string, address: string): Promise<boolean> =>
  areBlocked(keyOf(id_project, address));

/** Throws 409 if the project's emails to one of the addresses are blocked. */
export const assertNotBlocked = async (id_project: string, addresses: string[]): Promise<void> => {
  const address = { $in: addresses.map((each) => each.toLowerCase()) };
  const found = await MailBlock.findOne({ id_project, address }, BLOCK_FIELDS).lean();
  if (!found) return;
  const way = `DELETE /v3/${id_project}/emails/blocked/${String(found._id)} lifts the block`;
  throw new AppError(
    409,
    BLOCKED_FAILURE,
    `Emails to ${found.address} were rejected or returned (${found.reason}); ${way}`,
  );
};

/** Returns a page of the blocked addresses, newest first. */
export const list = (id_project: string, { skip, limit }: { skip: number; limit: number }) =>
  MailBlock.find({ id_project }, BLOCK_FIELDS).sort({ createdAt: -1, _id: -1 }).skip(skip).limit(limit).lean();

/** Lifts a block and returns it. Errors: 404 for an unknown block. */
export const lift = async (id_project: string, _id: string) => {
  const filter = { id_project, _id };
  const found = isId(_id) ? await MailBlock.findOneAndDelete(filter, { projection: BLOCK_FIELDS }).lean() : null;
  if (!found) throw notFound('Blocked address not found');
  return found;
};
