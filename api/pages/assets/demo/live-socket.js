/** A WebSocket that follows topics, reconnects automatically, and resumes each topic after its last change. */
const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 5000;

export class LiveSocket {
  #client;
  #project;
  #onState;
  #topics = new Map();
  #socket;
  #delayMs = FIRST_DELAY_MS;

  /** `onState` is called with `true` when the socket opens and with `false` when it closes. */
  constructor({ client, project, onState }) {
    this.#client = client;
    this.#project = project;
    this.#onState = onState;
    void this.#connect();
  }

  /** Calls `onMessage(message, method)` with the state of a topic, which may be an array, and with its changes. */
  follow(name, onMessage) {
    const topic = `/${this.#project}/${name}`;
    this.#topics.set(topic, { onMessage });
    this.#subscribe(topic);
  }

  unfollow(name) {
    const topic = `/${this.#project}/${name}`;
    this.#topics.delete(topic);
    this.#send({ action: 'unsubscribe', payload: { topic } });
  }

  async #connect() {
    const { ticket } = await this.#client.call('POST /v3/{project_id}/stream/ticket', {
      path: { project_id: this.#project },
    });
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#socket = new WebSocket(`${scheme}//${location.host}/v3/ws?ticket=${encodeURIComponent(ticket)}`);
    this.#socket.addEventListener('open', () => this.#opened());
    this.#socket.addEventListener('message', ({ data }) => this.#received(JSON.parse(data)));
    this.#socket.addEventListener('close', () => this.#closed());
  }

  #opened() {
    this.#delayMs = FIRST_DELAY_MS;
    this.#onState(true);
    for (const topic of this.#topics.keys()) this.#subscribe(topic);
  }

  #closed() {
    this.#onState(false);
    setTimeout(() => void this.#connect(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
  }

  #subscribe(topic) {
    const { cursor } = this.#topics.get(topic);
    this.#send({ action: 'subscribe', payload: { topic, ...(cursor && { after: cursor }) } });
  }

  #send(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #received({ action, payload }) {
    if (action === 'heartbeat' && payload.message?.text === 'ping')
      this.#send({ action: 'heartbeat', payload: { message: { text: 'pong' } } });
    const followed = this.#topics.get(payload?.topic);
    if (action !== 'publish' || !followed) return;
    followed.cursor = payload.cursor ?? followed.cursor;
    followed.onMessage(payload.message, payload.method);
  }
}
