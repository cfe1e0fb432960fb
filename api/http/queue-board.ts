/** Bull Board at `/admin/queues`, for operators (decision 53). */
import type { Middleware } from 'koa';
import { AppError } from '#shared/errors.ts';
import { queues } from '#shared/queue.ts';
import { admitOperator } from './operators.ts';

const PATH = '/admin/queues';
/** Its page asks a host of others for its fonts; ours phones nobody. */
const FOREIGN_FONTS = /<link href="https:[^>]*>/;

const makeBoard = async (): Promise<Middleware> => {
  // Loaded when first asked for: most processes never show it.
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/koa'),
  ]);
  const serverAdapter = new KoaAdapter().setBasePath(PATH);
  createBullBoard({ queues: queues().map((queue) => new BullMQAdapter(queue)), serverAdapter });
  return serverAdapter.registerPlugin();
};

let board: Promise<Middleware> | undefined;

/** A browser adds Basic credentials to calls that another site makes it send. */
const refuseOtherSites = (method: string, site: string): void => {
  if (method !== 'GET' && site && site !== 'same-origin')
    throw new AppError(403, 'CROSS_SITE', 'Not from another site');
};

/** Answers what lies under `/admin/queues`. */
export const queueBoard: Middleware = (ctx, next) =>
  ctx.path === PATH || ctx.path.startsWith(`${PATH}/`) ? show(ctx, next) : next();

const show: Middleware = async (ctx, next) => {
  await admitOperator(ctx);
  refuseOtherSites(ctx.method, ctx.get('sec-fetch-site'));
  board ??= makeBoard();
  await (await board)(ctx, next);
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(FOREIGN_FONTS, '');
};
