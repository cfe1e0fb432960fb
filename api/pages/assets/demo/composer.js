/** The form that sends texts and files. A message is sent again until the server accepts it, and is stored once. */
const kindOf = (file) => (file.type.startsWith('image/') ? 'image' : 'file');

const uploadFile = async (client, project_id, file) => {
  const form = new FormData();
  form.append('file', file);
  const { filename } = await client.call('POST /v3/{project_id}/files/chat', { path: { project_id }, body: form });
  const src = `${location.origin}/v3/files?path=${filename}`;
  return { type: kindOf(file), metadata: { src, name: file.name, type: file.type, size: file.size } };
};

/** Connects the form. `conversation()` returns the conversation, and `fields()` the fields to add to each message. */
export const connectComposer = ({ form, client, project, messages, conversation, fields = () => ({}) }) => {
  const input = form.querySelector('input[type="text"]');
  const picker = form.querySelector('input[type="file"]');
  const problem = form.querySelector('[role="alert"]');

  const send = async (content, label) => {
    const client_message_id = crypto.randomUUID();
    messages.addPending(client_message_id, label);
    problem.textContent = '';
    try {
      const body = { ...fields(), ...(await content()), client_message_id };
      const path = { project_id: project, request_id: conversation() };
      messages.add(await client.call('POST /v3/{project_id}/requests/{request_id}/messages', { path, body }));
    } catch (error) {
      messages.dropPending(client_message_id);
      problem.textContent = error.message;
    }
  };
  const sendText = (text) => send(async () => ({ text }), text);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.value = '';
    if (text) void sendText(text);
  });
  picker.addEventListener('change', () => {
    const [file] = picker.files;
    picker.value = '';
    if (file) void send(() => uploadFile(client, project, file), file.name);
  });
  return { sendText };
};
