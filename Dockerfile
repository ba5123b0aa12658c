# syntax=docker/dockerfile:1
# Two stages: the first installs what runs, the second holds that and nothing else.

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY src ./src
COPY build ./build
COPY examples ./examples
# The studio is built with it.
COPY packages ./packages
# The container's disk is read-only where it runs: what is built on the first request elsewhere is built here.
RUN node_modules/.bin/node build/build-studio.ts src/studio-built

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 TIERCUT_DATA_DIR=/data
# The program belongs to root, so that the service cannot change its own code; the data folder is the service's own.
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY --from=install /app/src ./src
COPY docs ./docs
COPY examples ./examples
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 8080
# Renders in progress go back into the queue within 20 s of this signal.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: signals reach the service itself.
CMD ["node_modules/.bin/node", "src/cli/main.ts", "serve"]
