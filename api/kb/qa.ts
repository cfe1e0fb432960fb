import { type Answered, answer, answerStream } from '#shared/domain/answers.ts';
import * as namespaces from '#shared/domain/namespaces.ts';
import * as questions from '#shared/domain/questions.ts';
import { find } from '#shared/domain/search.ts';
import { endpoint, EventStream } from '../http/endpoint.ts';
import { checkEngines } from './engines.ts';
import { QaInput } from './input.ts';
import { chunksReply, QaReply, qaReply } from './qa-reply.ts';

/** Pieces of the answer, then its summary (contract c 3.7). */
async function* spokenBy(
  stream: AsyncGenerator<string, Answered>,
  whole: (answered: Answered) => Promise<object>,
): AsyncGenerator<object> {
  for (;;) {
    const { done, value } = await stream.next();
    if (done) {
      yield await whole(value);
      return;
    }
    yield { content: value };
  }
}

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/kb/qa',
    role: 'admin',
    bots: true,
    streams: true,
    summary: 'Answer a question from a knowledge base, with its sources',
    aliases: [{ method: 'get' }],
    body: QaInput,
    missing: { namespace: "parameter 'namespace' is not defined", question: "parameter 'question' is not defined" },
    errors: { 502: 'The model refused or broke off', 504: 'The model took too long' },
    reply: QaReply,
    handle: async ({ project, body, signal }) => {
      const started = performance.now();
      const namespace = await namespaces.find(project, body.namespace);
      checkEngines(project, namespace, body);
      const found = await find({ id_project: project, namespace: namespace.id }, body, signal);
      const about = { namespace: namespace.id, asked: body, started };
      if (body.chunks_only) return chunksReply(found, about);
      const told = async (answered: Answered) => {
        if (!answered.success) await questions.log(project, { namespace: namespace.id, question: body.question });
        return qaReply(answered, about);
      };
      if (body.stream) return new EventStream(spokenBy(answerStream(body, found, { project, signal }), told));
      return told(await answer(body, found, { project, signal }));
    },
  }),
];
