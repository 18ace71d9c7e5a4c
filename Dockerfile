# One image: the web and the control plane. UPSTREAM_URL decides which backend the web shows.
FROM node:22-bookworm-slim
RUN useradd --create-home --shell /usr/sbin/nologin pilothouse
WORKDIR /srv/pilothouse
COPY --chown=pilothouse package.json package-lock.json .npmrc ./
RUN npm ci --include=dev && chown -R pilothouse /srv/pilothouse
COPY --chown=pilothouse . .
USER pilothouse
RUN node server/start.js build
ENV HOST=0.0.0.0 PORT=3000 PILOTHOUSE_DATA=/home/pilothouse/data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/api/_health').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "server/start.js"]
