/** The agent's pane: the open conversations and the selected conversation. */
import { CLOSED_STATUS } from './api.js';
import { connectComposer } from './composer.js';
import { element } from './elements.js';
import { LiveSocket } from './live-socket.js';
import { MessageList } from './message-list.js';
import { announceTyping, TypingStatus } from './typing.js';

const STATUS_TEXTS = { 100: 'waiting', 150: 'abandoned', 200: 'served', [CLOSED_STATUS]: 'closed' };

// In the first frame, the lead and requester of a conversation are ids. `snapshot` always contains the records.
const visitorOf = ({ snapshot }) => snapshot?.lead?.lead_id;
const nameOf = ({ snapshot, request_id }) => snapshot?.lead?.fullname ?? request_id.slice(-6);

/** Starts the pane. `agent` is the signed-in account. */
export const startInbox = async (pane, { client, project, agent }) => {
  const list = pane.querySelector('.conversations');
  const title = pane.querySelector('.conversation h3');
  const presence = pane.querySelector('.presence');
  const closeButton = pane.querySelector('.close');
  const conversations = new Map();
  let selected;

  const messages = new MessageList({ list: pane.querySelector('ol'), self: ({ sender }) => sender === agent._id });
  const typing = new TypingStatus({
    status: pane.querySelector('.typing'),
    nameOf: ({ createdBy, user }) => {
      const conversation = conversations.get(selected);
      if (createdBy === visitorOf(conversation)) return nameOf(conversation);
      return createdBy !== agent._id && (user.firstname ?? 'Somebody');
    },
  });
  const socket = new LiveSocket({ client, project, onState: (isOpen) => pane.classList.toggle('offline', !isOpen) });
  const path = () => ({ project_id: project, request_id: selected });

  const showPresence = (member) => {
    const { presence: state } = [member].flat()[0] ?? {};
    const status = state?.status ?? state;
    presence.textContent = status ? `visitor ${status}` : '';
    presence.classList.toggle('online', status === 'online');
  };
  const showTitle = () => {
    const conversation = conversations.get(selected);
    pane.classList.toggle('empty', !conversation);
    if (!conversation) return;
    const { status, rating } = conversation;
    title.textContent = `${nameOf(conversation)}, ${STATUS_TEXTS[status] ?? status}${rating ? `, rated ${rating} of 5` : ''}`;
    closeButton.hidden = status === CLOSED_STATUS;
  };
  const showMessages = (message) => {
    messages.add(message);
    typing.hideSenders(message);
  };
  const topicsOf = (id) => [
    [`requests/${id}/messages`, showMessages],
    [`requests/${id}/typing`, (event) => typing.show(event)],
    [`project_users/users/${visitorOf(conversations.get(id))}`, showPresence],
  ];
  const select = (id) => {
    if (selected) for (const [topic] of topicsOf(selected)) socket.unfollow(topic);
    selected = id;
    messages.clear();
    typing.clear();
    presence.textContent = '';
    for (const [topic, onMessage] of topicsOf(id)) socket.follow(topic, onMessage);
    showTitle();
    showList();
  };
  const row = (conversation) => {
    const { request_id: id, status, first_text } = conversation;
    return element(
      'li',
      {},
      element(
        'button',
        { type: 'button', ariaPressed: String(id === selected), dataset: { id }, onclick: () => select(id) },
        element('b', {}, nameOf(conversation)),
        element('span', { className: `state s${status}` }, STATUS_TEXTS[status] ?? ''),
        element('small', {}, first_text ?? ''),
      ),
    );
  };
  const showList = () => {
    const newestFirst = [...conversations.values()].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    list.replaceChildren(...newestFirst.map(row));
  };
  const update = (changed) => {
    for (const conversation of [changed].flat()) conversations.set(conversation.request_id, conversation);
    showList();
    showTitle();
    if (!selected && conversations.size > 0) select([...conversations.keys()].at(-1));
  };

  const form = pane.querySelector('form');
  connectComposer({ form, client, project, messages, conversation: () => selected });
  announceTyping({ form, client, project, writer: agent._id, conversation: () => selected });
  const problem = form.querySelector('[role="alert"]');
  const put = (operation, body) =>
    client.call(operation, { path: path(), body }).catch(({ message }) => {
      problem.textContent = message;
    });
  pane
    .querySelector('.join')
    .addEventListener('click', () => put('PUT /v3/{project_id}/requests/{request_id}/participants', [agent._id]));
  closeButton.addEventListener('click', () => put('PUT /v3/{project_id}/requests/{request_id}/close'));
  await client.call('PUT /v3/{project_id}/project_users', {
    path: { project_id: project },
    body: { user_available: true },
  });
  socket.follow('requests', update);
};
