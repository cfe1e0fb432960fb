/** Sends frames, and limits how many unsent bytes this process keeps in memory for a slow client. */
import { WebSocket } from 'ws';
import { CLOSE } from './close-codes.ts';

/** While more bytes than this are unsent, the process reads no further changes for the client. */
const MAX_UNSENT_BYTES = 65_536;
/** A client that has not read the unsent bytes within this time is disconnected; it can resume at its cursor. */
const SLOW_TIMEOUT_MS = 20_000;

/** Sends frames to one socket. */
export class FrameSender {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Sends a frame, unless the socket is closing. */
  send(frame: string | Buffer): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame, { binary: false }, ignoreFailure);
  }

  /** If many bytes are unsent, waits until they have been sent. Closes the socket if that takes too long. */
  async drain(): Promise<void> {
    if (this.#socket.bufferedAmount <= MAX_UNSENT_BYTES) return;
    const timer = setTimeout(() => this.close('tooSlow'), SLOW_TIMEOUT_MS);
    const sent = Promise.withResolvers<void>();
    this.#socket.once('close', sent.resolve);
    // The callback runs when the ping, and with it every earlier frame, has been passed to the operating system.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping(undefined, undefined, () => sent.resolve());
    await sent.promise;
    this.#socket.off('close', sent.resolve);
    clearTimeout(timer);
  }

  /** Closes the socket with a reason. */
  close(reason: keyof typeof CLOSE): void {
    const { code, text } = CLOSE[reason];
    this.#socket.close(code, text);
  }
}

/** Does nothing, because a failure to send is followed by the `close` event of the socket. */
const ignoreFailure = (): void => undefined;
