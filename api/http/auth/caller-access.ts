/** Checks the access of a caller again while its stream or socket is open, without keeping the initial request. */
import type { Context } from 'koa';
import type { CallerAccess } from '../endpoint.ts';
import { notMember } from '../response/errors.ts';
import { type Actor, authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { countConnectedCall } from './count-calls.ts';
import { throttleAttempt } from './login-throttle.ts';

/** Members with any role, bots and subscriptions may follow their project. */
const FOLLOWING = { path: '/v3/:project_id/ws', role: 'guest', programs: 'all' } as const;

/**
 * The access that the credentials of a request grant. An instance does not refer to the request itself: a reference
 * would keep the request in memory as long as the connection is open.
 */
export class RequestAccess implements CallerAccess {
  readonly authorization: string;
  readonly #ip: string;
  /** The project of a stream ticket, which grants access to no other project; absent for other credentials. */
  readonly #project?: string;

  constructor(ctx: Context) {
    this.authorization = ctx.get('authorization');
    this.#ip = ctx.ip;
    this.#project = ctx.state.ticketProject;
  }

  authenticate(): Promise<Actor> {
    return authenticate(this.authorization, (account, attempt) => throttleAttempt({ account, ip: this.#ip }, attempt));
  }

  async actorIn(project: string): Promise<Actor> {
    if (this.#project !== undefined && this.#project !== project) throw notMember();
    return authorize({ actor: await this.authenticate(), ip: this.#ip }, FOLLOWING, project);
  }

  countCall(actor: Actor): Promise<void> {
    return countConnectedCall(actor, this.#ip);
  }
}
