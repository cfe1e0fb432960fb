import { matchTriggers } from '#shared/domain/triggers/match-triggers.ts';
import type { Processor } from '#shared/jobs.ts';

/** Starts the triggers that match a batch of events. The `triggers.run` job performs their actions. */
const matchTriggersJob: Processor<'events.match-triggers'> = ({ events }) => matchTriggers(events);
export default matchTriggersJob;
