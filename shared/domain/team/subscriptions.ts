/** Subscriptions: who wants to be told of an event, and with which key (contract d B.5). */
import { randomUUID } from 'node:crypto';
import { notFound } from '../../errors.ts';
import { Subscription, SubscriptionView } from '../../models/subscription.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';
import { tokensEnd } from '../access/credentials.ts';

const FIELDS = fieldsOf(SubscriptionView);
const WITH_SECRET = { ...FIELDS, secret: 1 } as const;

/** The project's subscriptions in their order. */
export const list = (id_project: string) => Subscription.find({ id_project }, FIELDS).sort({ _id: 1 }).lean();

const missing = () => notFound('Subscription not found');

/** One subscription, without its secret. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw missing();
  return Subscription.findOne({ id_project, _id }, FIELDS).orFail(missing).lean();
};

/** Subscribe, once to each event and target: asked again, the one that is there answers. Tells the secret. */
export const create = async (id_project: string, wish: { event: string; target: string }, createdBy: string) => {
  try {
    await Subscription.create([{ id_project, ...wish, createdBy }]);
  } catch (error) {
    if (!isDuplicate(error) && !(await Subscription.exists({ id_project, ...wish }))) throw error;
  }
  return Subscription.findOne({ id_project, ...wish }, WITH_SECRET)
    .orFail(missing)
    .lean();
};

/** Give a subscription another secret. Everything that was signed with the one before ends. */
export const renewSecret = (id_project: string, _id: string): Promise<string> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const change = { $set: { secret } };
    const { matchedCount } = isId(_id)
      ? await Subscription.updateOne({ id_project, _id }, change, { session })
      : { matchedCount: 0 };
    if (!matchedCount) throw missing();
    await tokensEnd(_id, session);
    return secret;
  });
