/**
 * Asks the demo's knowledge base as a visitor of the demo project, in a conversation with the project's bot. The demo
 * page continues this conversation in the same tab.
 */
import { apiClient } from './demo/api.js';
import { LiveSocket } from './demo/live-socket.js';
import { MessageList } from './demo/message-list.js';
import { ensureVisitor } from './demo/visitor.js';

/** Starts the conversation. Returns a function that asks a question; the list shows the question and the answer. */
export const startConversation = async (list, project) => {
  const visitor = await ensureVisitor(project);
  const client = apiClient(visitor.token);
  const path = { project_id: project, request_id: visitor.conversation };
  const ask = async (text) => {
    const client_message_id = crypto.randomUUID();
    messages.addPending(client_message_id, text);
    try {
      const body = { text, client_message_id };
      messages.add(await client.call('POST /v3/{project_id}/requests/{request_id}/messages', { path, body }));
    } catch (error) {
      messages.dropPending(client_message_id);
      throw error;
    }
  };
  const messages = new MessageList({ list, self: ({ sender }) => sender === visitor.id, onButton: ask });
  list.replaceChildren();
  const socket = new LiveSocket({ client, project, onState: () => undefined });
  socket.follow(`requests/${visitor.conversation}/messages`, (message) => messages.add(message));
  return ask;
};
