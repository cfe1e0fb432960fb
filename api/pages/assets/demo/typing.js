/** Typing: tells the others that this person writes, and shows who else writes. */

const REPEAT_MS = 3000;
const SHOWN_MS = 6000;

/** Announces that the person writes in the form, again while it lasts. `conversation()` returns nothing if there is none yet. */
export const announceTyping = ({ form, call, project, writer, conversation }) => {
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
    call('POST', `/${project}/events`, event).catch(() => undefined); // the next one follows soon
  });
};

/** Shows who writes, until their message arrives or they have stopped for some seconds. */
export class TypingStatus {
  #status;
  #nameOf;
  #writers = new Map();

  /** `status` is the element; `nameOf(event)` returns the name of a writer, or nothing for the person who reads. */
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
