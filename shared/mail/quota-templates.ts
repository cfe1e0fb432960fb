/** The email that announces that a project has used a certain percentage (a checkpoint) of a quota. */
import type { CountedType } from '../models/quota-usage.ts';
import { type MailText, mailText, sanitizeInline } from './mail-text.ts';

const UNITS: Record<CountedType, string> = {
  requests: 'conversations',
  messages: 'messages',
  email: 'emails',
  tokens: 'tokens',
  voice_duration: 'seconds of voice calls',
};

/**
 * What happens when a quota is used up. The server neither refuses nor ends voice calls: clients do that, and report
 * the duration of each call.
 */
const EFFECTS: Record<CountedType, string> = {
  requests: 'new conversations are refused',
  messages: 'new messages are refused',
  email: 'emails that teammates, bots and triggers send are refused',
  tokens: 'questions to the chat model are refused',
  voice_duration: 'clients can see that no time for voice calls is left',
};

/** The values of the email. `start` and `end` are the first days of this billing period and of the next one. */
interface CheckpointValues {
  project: string;
  type: CountedType;
  checkpoint: number;
  limit: number;
  start: string;
  end: string;
}

export const checkpointMail = ({ project, type, checkpoint, limit, start, end }: CheckpointValues): MailText => {
  const [name, unit] = [sanitizeInline(project), UNITS[type]];
  const effect =
    checkpoint < 100
      ? `When the limit is reached, ${EFFECTS[type]} until the next period begins on ${end} (UTC).`
      : `The limit has been reached: ${EFFECTS[type]} until the next period begins on ${end} (UTC).`;
  return mailText(
    `${name} has used ${checkpoint}% of its ${unit}`,
    `The project "${name}" has used ${checkpoint}% of the ${limit} ${unit} that its plan allows in the period that began on ${start}.`,
    effect,
    'If the project needs more, ask the administrator of this installation to raise the limit.',
  );
};
