import { createVisit, type Visit } from '#shared/crawl/visit.ts';
import { patientRedis } from '#shared/redis.ts';

let made: Visit | undefined;

/** Read a page as this worker's crawler; connects to Redis at the first page. */
export const visit: Visit = (url, options) => {
  made ??= createVisit(patientRedis({ commandTimeout: 5000 }));
  return made(url, options);
};
