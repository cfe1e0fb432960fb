import { writeOn } from '#shared/domain/mails/news.ts';
import type { Processor } from '#shared/jobs.ts';

/** People are written to who would not hear of a conversation otherwise. */
const writeMails: Processor<'events.write-mails'> = (event) => writeOn(event);
export default writeMails;
