/** Serves Bull Board at `/admin/queues` to instance administrators. */
import type { Context, Middleware } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { queues } from '#shared/queue/queue.ts';
import { authenticateInstanceAdmin } from './auth/authorize.ts';
import { inlineStyleHeaders } from './response/security-headers.ts';

const BOARD_PATH = '/admin/queues';
/** Matches the link that loads fonts from another host. `serveBoard` removes it from Bull Board's page. */
const EXTERNAL_FONT_LINK = /<link href="https:[^>]*>/;

const createBoard = async (): Promise<Middleware> => {
  // Imported on the first request, because most processes never serve the board.
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/koa'),
  ]);
  const serverAdapter = new KoaAdapter().setBasePath(BOARD_PATH);
  createBullBoard({ queues: queues().map((queue) => new BullMQAdapter(queue)), serverAdapter });
  return serverAdapter.registerPlugin();
};

let board: Promise<Middleware> | undefined;

const crossSiteError = () => new AppError(403, 'CROSS_SITE_REQUEST', 'Requests from other sites are rejected');

const hostOf = (url: string | undefined): string | null => (url && URL.canParse(url) ? new URL(url).host : null);

/**
 * Rejects cross-site writes with 403, because the administrator's browser attaches Basic credentials to them. Browsers
 * name the site in `Origin`. They send `Sec-Fetch-Site` only to HTTPS hosts and localhost.
 */
const rejectOtherSites = (ctx: Context): void => {
  if (ctx.method === 'GET') return;
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')];
  if (site && site !== 'same-origin') throw crossSiteError();
  const originHost = hostOf(origin);
  const ownHosts = [ctx.host, hostOf(config.PUBLIC_URL)];
  if (origin && (originHost === null || !ownHosts.includes(originHost))) throw crossSiteError();
};

/** Middleware for all paths under `/admin/queues`. */
export const queueBoard: Middleware = (ctx, next) =>
  ctx.path === BOARD_PATH || ctx.path.startsWith(`${BOARD_PATH}/`) ? serveBoard(ctx, next) : next();

const serveBoard: Middleware = async (ctx, next) => {
  await authenticateInstanceAdmin(ctx);
  rejectOtherSites(ctx);
  board ??= createBoard();
  await (await board)(ctx, next);
  ctx.set(inlineStyleHeaders);
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(EXTERNAL_FONT_LINK, '');
};
