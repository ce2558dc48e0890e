# Builds the bundle in a separate stage: the image contains neither sources nor build tools.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts && npm cache clean --force
COPY build.ts ./
COPY docs ./docs
COPY sql ./sql
COPY src ./src
RUN node build.ts pod

FROM node:24-bookworm-slim
# npm and yarn are build tools too: the image runs node alone
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/dist/pod ./
# compiled code of the modules; Node reads only what this version of it wrote as this user, into this directory
RUN mkdir .compile-cache && chown node .compile-cache
USER node
ENV NODE_COMPILE_CACHE=.compile-cache
RUN node src/main.js --version
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--v8-pool-size=1", "src/main.js"]
CMD ["serve"]
