/** Bull Board at `/admin/queues`, for operators (decision 53). */
import type { Context, Middleware } from 'koa';
import { config } from '#shared/config.ts';
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

const crossSite = () => new AppError(403, 'CROSS_SITE', 'Not from another site');

const hostOf = (url: string | undefined): string | null => (url && URL.canParse(url) ? new URL(url).host : null);

/**
 * A browser adds Basic credentials to calls that another site makes it send. It names that site in `Origin`; in
 * `Sec-Fetch-Site` only where the page came by HTTPS or from this host.
 */
const refuseOtherSites = (ctx: Context): void => {
  if (ctx.method === 'GET') return;
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')];
  if (site && site !== 'same-origin') throw crossSite();
  const from = hostOf(origin);
  if (origin && (from === null || ![ctx.host, hostOf(config.PUBLIC_URL)].includes(from))) throw crossSite();
};

/** Answers what lies under `/admin/queues`. */
export const queueBoard: Middleware = (ctx, next) =>
  ctx.path === PATH || ctx.path.startsWith(`${PATH}/`) ? show(ctx, next) : next();

const show: Middleware = async (ctx, next) => {
  await admitOperator(ctx);
  refuseOtherSites(ctx);
  board ??= makeBoard();
  await (await board)(ctx, next);
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(FOREIGN_FONTS, '');
};
