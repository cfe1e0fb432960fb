/** Subscriptions: who wants to be told of an event, and with which key (contract d B.5). */
import { notFound } from '../../errors.ts';
import { Subscription, SubscriptionView } from '../../models/subscription.ts';
import { isDuplicate } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';

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
    if (!isDuplicate(error)) throw error;
  }
  return Subscription.findOne({ id_project, ...wish }, WITH_SECRET)
    .orFail(missing)
    .lean();
};
