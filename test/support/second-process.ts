/** Run as a process of its own: does the deeds that it is told of, on the database of its settings. */
import { connectMongo } from '#shared/mongo.ts';
import { type Deed, perform } from './routing-verbs.ts';

interface Order {
  number: number;
  deed: Deed;
}

await connectMongo();
process.on('message', async ({ number, deed }: Order) => {
  try {
    await perform(deed);
    process.send?.({ number });
  } catch (error) {
    process.send?.({ number, error: String((error as Error).stack) });
  }
});
process.once('disconnect', () => process.exit());
process.send?.({ number: 0 });
