/**
 * Serves Bull Board at `/admin/queues` to instance administrators. It is read-only unless the setting
 * QUEUE_BOARD_ACTIONS is on. Every action is recorded before it is performed.
 */
import type { Context, Middleware } from 'koa';
import { config } from '#shared/config.ts';
import { recordAdminAction } from '#shared/domain/operations/admin-actions.ts';
import { AppError } from '#shared/errors.ts';
import { queues } from '#shared/queue/queue.ts';
import type { Actor } from './auth/authenticate.ts';
import { authenticateInstanceAdmin } from './auth/authorize.ts';
import { describeData, describeJob, describeQueue, explainJob } from './queue-texts.ts';
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
  const adapters = queues().map((queue) => {
    const readOnlyMode = !config.QUEUE_BOARD_ACTIONS;
    const adapter = new BullMQAdapter(queue, { readOnlyMode, description: describeQueue(queue.name) });
    adapter.setFormatter('name', ({ name }) => describeJob(name));
    adapter.setFormatter('data', describeData);
    const { getJob, getJobs } = adapter;
    adapter.getJob = async (id) => explainJob(await getJob.call(adapter, id));
    adapter.getJobs = async (...query) => (await getJobs.apply(adapter, query)).map(explainJob);
    return adapter;
  });
  const uiConfig = { boardTitle: 'Queues', miscLinks: [{ text: 'Fleet', url: '/admin/fleet' }] };
  createBullBoard({ queues: adapters, serverAdapter, options: { uiConfig } });
  return serverAdapter.registerPlugin();
};

let board: Promise<Middleware> | undefined;

const crossSiteError = () => new AppError(403, 'CROSS_SITE_REQUEST', 'Requests from other sites are rejected');

const hostOf = (url: string | undefined): string | null => (url && URL.canParse(url) ? new URL(url).host : null);

/**
 * Rejects cross-site writes with 403, because the administrator's browser attaches Basic credentials to them. `Origin`
 * is checked in addition to `Sec-Fetch-Site`, because browsers send the latter only to HTTPS hosts and localhost.
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

const READ_ONLY_METHODS = ['GET', 'HEAD'];

/** Records an action in the audit log. Throws 403 if the board is read-only. */
const permitAction = async (ctx: Context, { email = '', id }: Actor): Promise<void> => {
  if (READ_ONLY_METHODS.includes(ctx.method)) return;
  const advice = 'set QUEUE_BOARD_ACTIONS=true, or use `npm run cli -- queues`';
  if (!config.QUEUE_BOARD_ACTIONS)
    throw new AppError(403, 'QUEUE_BOARD_READ_ONLY', `The board is read-only: ${advice}`);
  const target = ctx.path.slice(BOARD_PATH.length).replace('/api/queues/', '');
  await recordAdminAction({ by: email || id, action: `queue board ${ctx.method}`, target });
};

const serveBoard: Middleware = async (ctx, next) => {
  const administrator = await authenticateInstanceAdmin(ctx);
  rejectOtherSites(ctx);
  await permitAction(ctx, administrator);
  board ??= createBoard();
  await (await board)(ctx, next);
  ctx.set(inlineStyleHeaders);
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(EXTERNAL_FONT_LINK, '');
};
