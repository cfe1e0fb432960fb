import { Subscription } from '../../models/subscription.ts';
import { currentTime } from '../../time/clock.ts';

/** Advice to admins whose receiver has accepted nothing for too long; appended to the reason in the subscription. */
export const FAILING_ADVICE =
  '. Once it accepts events, enable the subscription and replay the deliveries that were given up';

/** Matches the advice in a stored reason, in the wording of any version. */
export const FAILING_ADVICE_PATTERN = /\. Once it accepts events, .*$/;

/** Disables a subscription: nothing more is delivered to it, and its record shows why. */
export const disable = async (id_project: string, _id: string, reason: string): Promise<void> => {
  const disabled = { enabled: false, disabled_reason: reason, disabled_at: currentTime() };
  await Subscription.updateOne({ id_project, _id, enabled: { $ne: false } }, { $set: disabled });
};

/** Counts the disabled subscriptions of all projects. */
export const countDisabledSubscriptions = (): PromiseLike<number> =>
  Subscription.countDocuments({ enabled: false }, { anyProject: true });
