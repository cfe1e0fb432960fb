/** The child process of two-processes.ts: performs the routing actions that it receives as messages. */
import { connectMongo } from '#shared/database/connection.ts';
import { performAction, type RoutingAction } from './routing-actions.ts';

interface ActionMessage {
  number: number;
  action: RoutingAction;
}

await connectMongo();
process.on('message', async ({ number, action }: ActionMessage) => {
  try {
    await performAction(action);
    process.send?.({ number });
  } catch (error) {
    process.send?.({ number, error: String((error as Error).stack) });
  }
});
process.once('disconnect', () => process.exit());
process.send?.({ number: 0 });
