import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { IndexMissingError, IndexUnavailableError } from '#shared/vectors/index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant-index.ts';
import { aRow, aSpace, vectorOf } from '../support/chunk-rows.ts';

type Answer = (response: ServerResponse, call: string) => void;

/** Sends a result, or the text of an error. */
const send = (response: ServerResponse, status: number, result: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? { result, status: 'ok' } : { status: { error: result ?? 'refused' } }));
};

const PARAMS = { config: { params: { vectors: { text_4: { size: 4, distance: 'Cosine' } } } } };

/** The response from a healthy server. */
const healthy: Answer = (response, call) =>
  send(response, 200, call.includes('/query/batch') ? [{ points: [] }] : call.startsWith('GET') ? PARAMS : {});

/** A server that answers with `answer` and records the calls that it receives. */
async function serve(answer: Answer) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url?.replace(/_[0-9a-f]{24}/g, '').split('?')[0]}`;
    calls.push(call);
    request.resume().once('end', () => answer(response, call));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, calls, stop };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('Qdrant chunk index', () => {
  const question = { text: 'word', vector: vectorOf(1, 0, 0, 0), limit: 1 };
  let stop = () => {};
  afterEach(() => stop());

  const indexAgainst = async (answer: Answer) => {
    const server = await serve(answer);
    stop = server.stop;
    return { index: qdrantIndex({ url: server.url }), calls: server.calls };
  };

  it('Qdrant calls are retried while the server is busy', async () => {
    let refusals = 2;
    const { index, calls } = await indexAgainst((response, call) =>
      call.endsWith('/points') && refusals-- > 0 ? send(response, 503, null) : healthy(response, call),
    );
    await index.add(aSpace(), [aRow('word')]);
    expect(calls.filter((call) => call.endsWith('/points'))).to.have.length(3);
  });

  it('Qdrant is reported as unavailable when it fails, hangs or cannot be reached', async () => {
    const hung = await indexAgainst(() => {});
    expect(await failureOf(hung.index.search(aSpace(), question))).to.be.instanceOf(IndexUnavailableError);
    expect(hung.calls).to.have.length(2);
    stop();
    expect(await failureOf(hung.index.search(aSpace(), question))).to.be.instanceOf(IndexUnavailableError);
    const failing = await indexAgainst((response) => send(response, 500, null));
    expect(await failureOf(failing.index.search(aSpace(), question))).to.be.instanceOf(IndexUnavailableError);
    expect(await failureOf(failing.index.ready())).to.be.instanceOf(IndexUnavailableError);
  });

  it('Qdrant calls that the server rejects as invalid are not retried', async () => {
    const { index, calls } = await indexAgainst((response, call) =>
      call.endsWith('/query/batch') ? send(response, 400, null) : healthy(response, call),
    );
    const failure = (await failureOf(index.search(aSpace(), question))) as Error;
    expect(failure).to.be.instanceOf(IndexUnavailableError);
    expect(failure.cause).to.include({ status: 400 });
    expect(calls.filter((call) => call.endsWith('/query/batch'))).to.have.length(1);
  });

  it('Qdrant reports a missing index when its collection is gone, and creates the collection again', async () => {
    let collectionExists = true;
    const { index, calls } = await indexAgainst((response, call) => {
      if (call === 'PUT /collections/chunks') collectionExists = true;
      if (collectionExists || call.endsWith('/collections')) healthy(response, call);
      else send(response, 404, null);
    });
    const space = aSpace();
    await index.add(space, [aRow('word')]);
    for (const use of [() => index.search(space, question), () => index.add(space, [aRow('word')])]) {
      collectionExists = false;
      expect(await failureOf(use()))
        .to.be.instanceOf(IndexMissingError)
        .and.include({ namespace: space.namespace });
      expect(await index.search(space, question)).to.deep.equal({ text: [], vector: [] });
      await index.add(space, [aRow('word')]);
    }
    expect(calls.filter((call) => call === 'PUT /collections/chunks')).to.have.length(2);
  });

  it('if Qdrant refuses to create a collection, the error is ignored only if it says that the collection already exists', async () => {
    const refuseCreation = (text: string) => {
      let exists = false;
      return indexAgainst((response, call) => {
        if (call === 'PUT /collections/chunks') {
          exists = true; // another process created it
          send(response, 400, text);
        } else if (exists) healthy(response, call);
        else send(response, 404, null);
      });
    };
    const existing = await refuseCreation('Wrong input: Collection `chunks` already exists!');
    await existing.index.add(aSpace(), [aRow('word')]);
    stop();
    const { index } = await refuseCreation('Wrong input: Vector dimension is too large');
    const failure = (await failureOf(index.add(aSpace(), [aRow('word')]))) as Error;
    expect(failure).to.not.be.instanceOf(IndexMissingError);
    expect(failure.cause ?? failure).to.include({ status: 400 });
  });
});
