/** Sends the changes of one project to one socket. */
import { laterCursor, refreshCursor, secondsSince } from '#shared/domain/events/cursors.ts';
import type { SerializedChange } from '#shared/domain/events/feed-buffer.ts';
import { type ChangesScope, GapError, headCursor } from '#shared/domain/events/read-changes.ts';
import { streamChanges } from '#shared/domain/events/stream-changes.ts';
import type { AppError } from '#shared/errors.ts';
import { changeScope } from '../../changes/scope.ts';
import { isVisibleToTeam } from '../../conversations/visibility.ts';
import type { Actor } from '../../http/auth/authenticate.ts';
import type { CallerAccess } from '../../http/endpoint.ts';
import { roleTooLow, toAppError } from '../../http/response/errors.ts';
import { framesOf, type TopicFrame } from './change-frames.ts';
import { errorFrame, gapFrame, publishFrame } from './frames.ts';
import { readState } from './initial-state.ts';
import type { FrameSender } from './frame-sender.ts';
import { recentIdsOf, type TopicSubscription } from './subscription.ts';
import { mayFollow, type Topic } from './topics.ts';

/** Older typing events are not sent to a client that resumes. */
const MAX_TYPING_AGE_SECONDS = 10;

/** The connection that a follower serves. */
export interface Connection {
  access: CallerAccess;
  sender: FrameSender;
  /** Ends the connection after an error that affects all its topics. */
  end(error: AppError): void;
}

/** Follows a project while the socket is subscribed to any of its topics. One reader serves all topics. */
export class ProjectFollower {
  readonly #project: string;
  readonly #connection: Connection;
  readonly #subscriptions = new Map<string, TopicSubscription>();
  /** The topics whose state is sent before they are followed, by key. A topic that ends in the meantime is removed. */
  readonly #pending = new Map<string, Topic>();
  #actor: Actor;
  /**
   * Position up to which the reader has sent every change. While there are no changes, `refreshCursor` moves an old
   * position forward, so that it does not expire.
   */
  #position = '';
  #reader = new AbortController();

  constructor(project: string, actor: Actor, connection: Connection) {
    this.#project = project;
    this.#actor = actor;
    this.#connection = connection;
  }

  /** The number of subscribed topics. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Whether the socket is subscribed to no topic of the project, and no subscription is pending. */
  get isIdle(): boolean {
    return !this.size && !this.#pending.size;
  }

  /** Whether the socket is subscribed to the topic with this key. */
  follows(key: string): boolean {
    return this.#subscriptions.has(key);
  }

  /** The cursor up to which every frame of the project's topics has been sent. */
  get cursor(): string {
    return this.#position;
  }

  get #scope(): ChangesScope {
    return changeScope(this.#actor, this.#project);
  }

  /**
   * Subscribes to a topic: sends its state, or with `after` only the changes after this cursor. Throws 403 for a topic
   * that the actor may not follow.
   */
  async subscribe(actor: Actor, topic: Topic, after?: string): Promise<void> {
    if (!mayFollow(actor, topic)) throw roleTooLow();
    this.#actor = actor;
    if (after !== undefined) {
      this.#pending.delete(topic.key);
      return this.#follow({ topic, after, recentIds: new Set() });
    }
    this.#pending.set(topic.key, topic);
    try {
      await this.#sendStateAndFollow(topic);
    } catch (error) {
      this.#pending.delete(topic.key);
      throw error;
    }
  }

  /**
   * Sends the state of a pending topic, and follows the topic from the cursor of this state. The state contains all
   * changes up to the end of the log, which the reader may not have reached yet. Sends nothing if the topic has ended
   * while its state was read.
   */
  async #sendStateAndFollow(topic: Topic): Promise<void> {
    const cursor = laterCursor(this.#position, await headCursor(this.#scope));
    const state = await readState(this.#actor, topic);
    if (!this.#pending.delete(topic.key)) return;
    const json = JSON.stringify(state);
    this.#connection.sender.send(publishFrame({ topic: topic.text, method: 'CREATE', json, cursor }));
    this.#follow({ topic, after: cursor, recentIds: recentIdsOf(state) });
    await this.#connection.sender.drain();
  }

  #follow(subscription: TopicSubscription): void {
    const isFirst = !this.size;
    if (!isFirst && subscription.after >= this.#position) {
      this.#subscriptions.set(subscription.topic.key, subscription);
      return;
    }
    for (const each of this.#subscriptions.values()) each.after = laterCursor(each.after, this.#position);
    this.#subscriptions.set(subscription.topic.key, subscription);
    this.#replaceReader(subscription.after);
  }

  /** Stops the reader, and starts another one that reads from a cursor. */
  #replaceReader(after: string): void {
    this.#reader.abort();
    const reader = new AbortController();
    this.#reader = reader;
    this.#position = after;
    void this.#readOrEnd(after, reader.signal);
  }

  /** Reads until the signal is aborted. */
  async #readOrEnd(after: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#read(after, signal);
    } catch (error) {
      if (!signal.aborted) await this.#recover(error);
    }
  }

  /** Resubscribes to all topics after a gap; ends the connection after any other error. */
  async #recover(error: unknown): Promise<void> {
    try {
      if (!(error instanceof GapError)) throw error;
      await this.#resubscribeAfterGap(error.next);
    } catch (failure) {
      this.#connection.end(toAppError(failure));
    }
  }

  async #read(after: string, signal: AbortSignal): Promise<void> {
    for await (const batch of streamChanges(this.#scope, after, signal)) {
      if (signal.aborted || !(await this.#checkAccess()) || signal.aborted) return;
      for (const change of batch) this.#send(change);
      this.#position = batch.at(-1)?.cursor ?? refreshCursor(this.#position);
      await this.#connection.sender.drain();
    }
  }

  /** Reads the caller's access. If it has been lost or its scope has changed, ends all topics and returns false. */
  async #checkAccess(): Promise<boolean> {
    const { visitor } = this.#scope;
    try {
      this.#actor = await this.#connection.access.actorIn(this.#project);
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.status !== 403) throw refusal;
      return this.#endTopics(refusal);
    }
    return this.#scope.visitor === visitor || this.#endTopics(roleTooLow());
  }

  #endTopics(reason: AppError): false {
    const subscribed = [...this.#subscriptions.values()].map(({ topic }) => topic);
    const texts = new Set([...subscribed, ...this.#pending.values()].map(({ text }) => text));
    for (const text of texts) this.#connection.sender.send(errorFrame(reason, text));
    this.close();
    return false;
  }

  #send(change: SerializedChange): void {
    for (const frame of framesOf(change, this.#project)) {
      const subscription = this.#subscriptions.get(frame.key);
      if (!subscription || change.cursor <= subscription.after || !this.#maySee(subscription, frame)) continue;
      if (subscription.topic.kind === 'typing' && secondsSince(change.cursor) > MAX_TYPING_AGE_SECONDS) continue;
      if (frame.method === 'CREATE' && subscription.recentIds.delete(frame.id)) continue;
      this.#connection.sender.send(frame.bytes());
    }
  }

  /**
   * Whether the caller may see a frame. Frames to a visitor need no check, because the visitor's scope contains only
   * the visitor's own conversations.
   */
  #maySee({ topic }: TopicSubscription, { people }: TopicFrame): boolean {
    if (!mayFollow(this.#actor, topic)) return false;
    return !people || this.#scope.visitor !== undefined || isVisibleToTeam(this.#actor, people);
  }

  /**
   * Sends a gap frame and the current state of each subscribed topic: one reader serves all topics, so the gap concerns
   * all. Skips a topic that has ended, or to which the client has subscribed again, in the meantime.
   */
  async #resubscribeAfterGap(next: string): Promise<void> {
    const topics = [...this.#subscriptions.values()].map(({ topic }) => topic);
    for (const topic of topics) this.#pending.set(topic.key, topic);
    this.#subscriptions.clear();
    for (const topic of topics) {
      if (this.#pending.get(topic.key) !== topic) continue;
      this.#connection.sender.send(gapFrame(topic.text, next));
      await this.#sendStateAndFollow(topic);
    }
  }

  /** Ends a subscription. */
  unsubscribe(key: string): void {
    this.#pending.delete(key);
    this.#subscriptions.delete(key);
    if (!this.size) this.#reader.abort();
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#pending.clear();
    this.#subscriptions.clear();
    this.#reader.abort();
  }
}
