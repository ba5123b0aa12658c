# syntax=docker/dockerfile:1
# Three stages: what is built, what is installed to run it, and the image, which holds these and nothing else.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY src ./src
COPY build ./build
# The studio is built with it.
COPY packages ./packages
COPY examples ./examples
RUN node_modules/.bin/node build/build-package.ts

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
# The project brings its own Node, a second name of a file in a package that is mostly C headers: the name stays, the package goes.
RUN npm ci --omit=dev && rm -r node_modules/node/node_modules

# Without a Node of its own, so that there is one.
FROM debian:bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 TIERCUT_DATA_DIR=/data
# The program belongs to root, so that the service cannot change its own code; the data folder is the service's own.
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY --from=build /app/dist ./dist
COPY docs ./docs
COPY packages/client/README.md ./packages/client/
COPY packages/n8n/README.md ./packages/n8n/
COPY packages/python/README.md ./packages/python/
COPY examples/snacks ./examples/snacks
# Whisper models need the Vulkan loader, also without a graphics card.
RUN apt-get update && apt-get install -y --no-install-recommends libvulkan1 && rm -rf /var/lib/apt/lists/*
# The same user as in images of Node, whom earlier data folders belong to. What Node needs of the system must be there.
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node node \
  && mkdir /data && chown node:node /data && chmod 700 /data \
  && node_modules/.bin/node dist/main.js --version
USER node
VOLUME /data
EXPOSE 8080
# Renders in progress go back into the queue within 20 s of this signal.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: signals reach the service itself.
CMD ["node_modules/.bin/node", "dist/main.js", "serve"]
