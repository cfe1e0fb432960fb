/** One open socket: handles the frames of its client and follows the projects of its topics. */
import { randomUUID } from 'node:crypto';
import { type RawData, WebSocket } from 'ws';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../../http/auth/authenticate.ts';
import type { CallerAccess } from '../../http/endpoint.ts';
import { createPacer } from '../../http/auth/count-calls.ts';
import { toAppError } from '../../http/response/errors.ts';
import { INPUT_LIMITS } from '../../input-limits.ts';
import { type ClientFrame, errorFrame, meFrame, parseFrame, PONG_FRAME, pingFrame } from './frames.ts';
import { FrameSender } from './frame-sender.ts';
import { ProjectFollower } from './project-follower.ts';
import { parseTopic, type Topic } from './topics.ts';

/** Per socket, 20 frames per second with bursts of up to 300: a client that reconnects subscribes to all its topics. */
const takeFramePace = createPacer({ points: 1200, seconds: 60, burst: 300 });

const unknownFrame = () =>
  new AppError(422, 'INVALID_FRAME', 'Send JSON with `action` subscribe, unsubscribe, heartbeat or me');
const unknownTopic = () => new AppError(404, 'UNKNOWN_TOPIC', 'No topic has this form');
const tooManyTopics = () =>
  new AppError(
    429,
    'TOO_MANY_TOPICS',
    `A socket may have at most ${INPUT_LIMITS.topicsPerSocket} topics, of at most ${INPUT_LIMITS.projectsPerSocket} projects`,
  );

/** An open socket of an actor. */
export class SocketSession {
  readonly actor: Actor;
  readonly #id = randomUUID();
  readonly #socket: WebSocket;
  readonly #access: CallerAccess;
  readonly #sender: FrameSender;
  readonly #followers = new Map<string, ProjectFollower>();
  /** Resolves when all received frames have been handled, one after the other. */
  #handled: Promise<void> = Promise.resolve();
  #isAlive = true;

  constructor(socket: WebSocket, actor: Actor, access: CallerAccess) {
    this.#socket = socket;
    this.actor = actor;
    this.#access = access;
    this.#sender = new FrameSender(socket);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
    socket.on('error', () => socket.terminate());
    socket.once('close', () => this.#end());
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#isAlive = true;
    if (takeFramePace(this.#id, 1) > 0) return this.#sender.close('tooManyFrames');
    const frame = isBinary ? null : parseFrame(String(data));
    this.#socket.pause();
    this.#handled = this.#handled.then(() => this.#handle(frame)).finally(() => this.#socket.resume());
  }

  async #handle(frame: ClientFrame | null): Promise<void> {
    const text = frame && 'payload' in frame && 'topic' in frame.payload ? frame.payload.topic : undefined;
    try {
      if (!frame) throw unknownFrame();
      if (this.#socket.readyState === WebSocket.OPEN) await this.#answer(frame);
    } catch (error) {
      this.#refuse(toAppError(error), text);
    }
  }

  async #answer(frame: ClientFrame): Promise<void> {
    if (frame.action === 'me') this.#sender.send(meFrame(this.#id, this.actor.id));
    else if (frame.action === 'heartbeat') this.#answerHeartbeat(frame.payload.message.text);
    else if (frame.action === 'unsubscribe') this.#unsubscribe(frame.payload.topic);
    else await this.#subscribe(frame.payload);
  }

  #answerHeartbeat(text: string): void {
    if (text === 'ping') this.#sender.send(PONG_FRAME);
  }

  async #subscribe({ topic: text, after }: { topic: string; after?: string }): Promise<void> {
    const topic = parseTopic(text);
    if (!topic) throw unknownTopic();
    await this.#access.countCall(this.actor);
    const actor = await this.#access.actorIn(topic.project);
    await this.#followerOf(topic, actor).subscribe(actor, topic, after);
    if (this.#socket.readyState !== WebSocket.OPEN) this.#end();
  }

  /** Forgets the projects whose topics have all ended, so that they no longer count towards the limit. */
  #removeIdleFollowers(): void {
    for (const [project, { isIdle }] of this.#followers) if (isIdle) this.#followers.delete(project);
  }

  #followerOf({ project, key }: Topic, actor: Actor): ProjectFollower {
    this.#removeIdleFollowers();
    const existing = this.#followers.get(project);
    if (existing?.follows(key)) return existing;
    const topics = [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
    const tooManyProjects = !existing && this.#followers.size >= INPUT_LIMITS.projectsPerSocket;
    if (topics >= INPUT_LIMITS.topicsPerSocket || tooManyProjects) throw tooManyTopics();
    if (existing) return existing;
    const end = ({ status }: AppError) => this.#sender.close(status === 401 ? 'unauthorized' : 'unavailable');
    const follower = new ProjectFollower(project, actor, { access: this.#access, sender: this.#sender, end });
    this.#followers.set(project, follower);
    return follower;
  }

  #unsubscribe(text: string): void {
    const topic = parseTopic(text);
    if (topic) this.#followers.get(topic.project)?.unsubscribe(topic.key);
  }

  /** Reports an error to the client. Invalid credentials and an unavailable database end the connection. */
  #refuse(error: AppError, topic?: string): void {
    if (error.status === 401) this.#sender.close('unauthorized');
    else if (error.status >= 500) this.#sender.close('unavailable');
    else this.#sender.send(errorFrame(error, topic));
  }

  /**
   * Sends a ping or, if the client has been silent since the last ping, terminates the socket. Closes it if the
   * credentials are no longer valid.
   */
  async ping(): Promise<void> {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
    this.#sender.send(
      pingFrame(
        Object.fromEntries([...this.#followers].filter(([, { size }]) => size).map(([id, { cursor }]) => [id, cursor])),
      ),
    );
    await this.#access.authenticate().catch((error: unknown) => this.#refuse(toAppError(error)));
  }

  /** Closes the socket because the process is stopping. */
  stop(): void {
    this.#sender.close('stopping');
  }

  /** Ends the connection without waiting for the client. */
  terminate(): void {
    this.#socket.terminate();
  }

  #end(): void {
    for (const follower of this.#followers.values()) follower.close();
    this.#followers.clear();
  }
}
