import { type CrawlPage, createCrawler } from '#shared/crawl/crawl-page.ts';
import { blockingRedis } from '#shared/queue/redis.ts';

let crawlerInstance: CrawlPage | undefined;

/** Fetches a page with this worker's crawler, which connects to Redis on first use. */
export const crawlPage: CrawlPage = (url, options) => {
  crawlerInstance ??= createCrawler(blockingRedis({ commandTimeout: 5000 }));
  return crawlerInstance(url, options);
};
