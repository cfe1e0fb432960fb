/**
 * A bare Koa route that returns one content, with the same authentication, query and bytes as the API. `REPLY_HEADERS`
 * contains the headers of the API's reply, as JSON.
 */
import Router from '@koa/router';
import Koa from 'koa';
import mongoose from 'mongoose';
import { connectMongo } from '#shared/database/connection.ts';
import { KbContentView } from '#shared/models/kb-content.ts';
import { projectionOf } from '#shared/wire/view.ts';
import { watchAccessChanges } from '#shared/domain/access/access-changes.ts';
import { authenticate, resolveMember } from '../../../api/http/auth/authenticate.ts';

const HEADERS: Record<string, string> = JSON.parse(process.env.REPLY_HEADERS ?? '{}');
const CONTENT_FIELDS = projectionOf(KbContentView);

await connectMongo();
await watchAccessChanges();
const contents = mongoose.connection.collection('kb_contents');
const router = new Router();
router.get('/v3/:project_id/kb/:content_id', async (ctx) => {
  const { project_id, content_id } = ctx.params as { project_id: string; content_id: string };
  const actor = await authenticate(ctx.get('authorization'), (_, attempt) => attempt());
  if (!(await resolveMember(actor, project_id))) return ctx.throw(403);
  const filter = { _id: new mongoose.Types.ObjectId(content_id), id_project: project_id };
  ctx.set(HEADERS);
  ctx.body = JSON.stringify(await contents.findOne(filter, { projection: CONTENT_FIELDS }));
});
process.on('SIGTERM', () => process.exit(0));
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
