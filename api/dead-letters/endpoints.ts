/** Endpoints with which instance administrators inspect and replay dead letters. */
import { z } from 'zod';
import { listDeadLetters } from '#shared/domain/events/dead-letters.ts';
import { replayDeadLetter } from '#shared/domain/operations/replay-dead-letter.ts';
import { DeadLetterView } from '#shared/models/dead-letter.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const PATH = '/v3/dead-letters';

const ReplayInput = z.object({
  dead_letter: z.string().max(INPUT_LIMITS.deadLetterId).meta({ description: 'The `_id` of the dead letter' }),
});

export default [
  endpoint({
    method: 'get',
    path: PATH,
    role: 'instance-admin',
    summary: 'List the newest 100 dead letters, oldest first: events that could not be relayed or processed',
    reply: z.array(DeadLetterView),
    handle: () => listDeadLetters(),
  }),
  endpoint({
    method: 'post',
    path: `${PATH}/replay`,
    role: 'instance-admin',
    summary: 'Process the event of a dead letter again; for example, repeat a failed call to a bot',
    body: ReplayInput,
    reply: z.strictObject({ success: z.literal(true) }),
    errors: {
      409: 'The dead letter is of the relay or of a listener that no longer exists, or its event is no longer in the changes log',
    },
    handle: async ({ body: { dead_letter } }) => {
      await replayDeadLetter(dead_letter);
      return { success: true as const };
    },
  }),
];
