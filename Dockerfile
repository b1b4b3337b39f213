# One image for what `npm run server`, `npm run worker` and `npm run migrate` run.
# By digest, which nobody can replace; another: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The documentation, which packages of development build.
FROM ${NODE_IMAGE} AS site
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY vendor vendor
RUN npm ci --no-audit --no-fund
COPY tsconfig.json CHANGELOG.md ./
COPY src src
COPY workflows workflows
COPY activities activities
COPY docs docs
COPY sdk sdk
COPY site site
RUN node src/local/run.mjs site/main.ts

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY vendor vendor
# The bridges for other systems are for development machines; @scarf/scarf only has an install script that reports installations, which .npmrc keeps from running anyway.
RUN npm ci --omit=dev --no-audit --no-fund \
  && npm cache clean --force \
  && rm -rf node_modules/@scarf \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +
COPY tsconfig.json ./
# .dockerignore leaves out what production does not run.
COPY src src
COPY workflows workflows
COPY activities activities
COPY sdk sdk
COPY --from=site /app/dist/site dist/site
# Notes that the packages are the right ones, so that a start does not look again.
RUN node src/local/install.mjs
# Programs with their compiled code, and the workflow bundle, which each start would make again. They
# are made by the user who starts the processes, with the options of its processes.
ENV ONWARD_CACHE_DIR=/app/.cache
RUN install -d -o node .cache dist/programs node_modules/.cache
USER node
RUN node src/local/run.mjs --prepare src/worker.ts src/commands/migrate.ts src/commands/admin.ts \
  && node --max-semi-space-size=32 src/local/run.mjs --prepare src/api.ts \
  && node src/local/run.mjs src/commands/prepare-image.ts
EXPOSE 3000 9465 2222
# Not by npm, which does not hand on the signal that ends a container. A larger young generation (32 MB,
# not 16) is collected less often; docs/performance.md has what that gains.
CMD ["node", "--max-semi-space-size=32", "src/local/run.mjs", "src/api.ts"]
