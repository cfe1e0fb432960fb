/** Reads the log of attempts to deliver events. */
import { WebhookAttempt, WebhookAttemptView } from '../../models/webhook-attempt.ts';
import { projectionOf } from '../../wire/view.ts';

const ATTEMPT_FIELDS = projectionOf(WebhookAttemptView);

/** Selects attempts by subscription or by delivery. */
interface AttemptFilter {
  subscription?: string;
  delivery?: string;
}

/** Returns a page of the project's attempts, newest first. */
export const listAttempts = (
  id_project: string,
  filter: AttemptFilter,
  { skip, limit }: { skip: number; limit: number },
) =>
  WebhookAttempt.find({ id_project, ...filter }, ATTEMPT_FIELDS)
    .sort({ createdAt: -1, _id: -1 })
    .skip(skip)
    .limit(limit)
    .lean();
