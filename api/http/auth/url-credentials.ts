/** Credentials in the URL of a stream or socket, for clients that cannot send an `Authorization` header. */
import type { Context } from 'koa';
import { notMember, unauthorized } from '../response/errors.ts';
import { redeemTicket } from './stream-tickets.ts';

const parameter = (ctx: Context, name: string): string => [ctx.query[name]].flat()[0]?.trim() ?? '';

const headerOfToken = (token: string): string => (/^jwt /i.test(token) ? token : `JWT ${token}`);

const redeem = async (ctx: Context, ticket: string): Promise<void> => {
  const credentials = await redeemTicket(ticket);
  if (!credentials) throw unauthorized();
  const { authorization, project } = credentials;
  if ((ctx.params.project_id ?? project) !== project) throw notMember();
  ctx.req.headers.authorization = authorization;
  ctx.state.ticketProject = project;
};

/**
 * Unless the request has an `Authorization` header, sets it from `?ticket=`, or from `?token=` if `acceptsToken` is
 * true. Throws 401 for an invalid ticket, 403 for the ticket of another project.
 */
export const applyUrlCredentials = async (ctx: Context, { acceptsToken }: { acceptsToken: boolean }): Promise<void> => {
  if (ctx.get('authorization')) return;
  const ticket = parameter(ctx, 'ticket');
  if (ticket) return redeem(ctx, ticket);
  const token = acceptsToken ? parameter(ctx, 'token') : '';
  if (token) ctx.req.headers.authorization = headerOfToken(token);
};
