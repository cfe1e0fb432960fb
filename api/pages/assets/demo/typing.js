/** Announces that this person is writing, and shows who else is writing. */

const REPEAT_MS = 3000;
const SHOWN_MS = 6000;

/**
 * Announces that the person is writing in the form, and repeats this every few seconds. `conversation()` returns the id
 * of the conversation, or a falsy value if it does not exist yet.
 */
export const announceTyping = ({ form, client, project, writer, conversation }) => {
  const input = form.querySelector('input[type="text"]');
  let lastAt = Number.NEGATIVE_INFINITY;
  form.addEventListener('submit', () => {
    lastAt = Number.NEGATIVE_INFINITY;
  });
  input.addEventListener('input', () => {
    const recipient_id = conversation();
    if (!recipient_id || !input.value || performance.now() - lastAt < REPEAT_MS) return;
    lastAt = performance.now();
    const event = { name: 'event.emit.typing.start', attributes: { recipient_id, writer_id: writer } };
    client
      .with({ retries: 0 })
      .call('POST /v3/{project_id}/events', { path: { project_id: project }, body: event })
      .catch(() => undefined); // the next event follows soon
  });
};

/** Shows who is writing, until a message from the person arrives or no event has arrived for some seconds. */
export class TypingStatus {
  #status;
  #nameOf;
  #writers = new Map();

  /** `status` is the element. `nameOf(event)` returns the name of a writer, or a falsy value for the reader. */
  constructor({ status, nameOf }) {
    this.#status = status;
    this.#nameOf = nameOf;
  }

  /** Shows the authors of typing events. */
  show(events) {
    for (const event of [events].flat()) {
      const name = this.#nameOf(event);
      if (!name) continue;
      const { createdBy: writer } = event;
      clearTimeout(this.#writers.get(writer)?.timer);
      this.#writers.set(writer, { name, timer: setTimeout(() => this.#remove(writer), SHOWN_MS) });
    }
    this.#render();
  }

  /** Hides the senders of messages. */
  hideSenders(messages) {
    for (const { sender } of [messages].flat()) this.#remove(sender);
  }

  clear() {
    for (const writer of [...this.#writers.keys()]) this.#remove(writer);
  }

  #remove(writer) {
    clearTimeout(this.#writers.get(writer)?.timer);
    if (this.#writers.delete(writer)) this.#render();
  }

  #render() {
    const names = [...this.#writers.values()].map(({ name }) => name);
    const verb = names.length > 1 ? 'are' : 'is';
    this.#status.textContent = names.length > 0 ? `${names.join(' and ')} ${verb} writing…` : '';
  }
}
