import { tellLoads } from '#shared/domain/routing/load-news.ts';
import type { Processor } from '#shared/jobs.ts';

/** Tell the loads of teammates that changed within a second after they were told last. */
const tell: Processor<'upkeep.tell-loads'> = tellLoads;
export default tell;
