# The service with Node.js 24 on Debian, without development packages. See docs/deployment.md.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY editor editor
# Scripts need the sources. The package `node` would only install a second Node.js.
RUN npm ci --ignore-scripts
COPY prisma.config.ts codegen.ts tsconfig.json schema.graphql ./
COPY prisma prisma
COPY src src
# The command line of Prisma, an optional peer of its client, has 230 MB. The libraries of sharp are optional packages, too.
RUN npm run prepare && cp -r node_modules/@img /tmp && npm prune --omit=dev --omit=optional --ignore-scripts && rm -r node_modules/.cache && cp -r /tmp/@img node_modules

FROM node:24-slim
# By the variables of malloc, glibc returns more freed memory to the system.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 HOST=0.0.0.0 DATABASE_URL=pglite:/data IMAGES_DIR=/data/images
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma prisma
COPY --from=build /app/src src
COPY --from=build /app/editor/dist editor/dist
# The service writes to /data, and compiled code to the other folder, which may be read-only.
RUN install -d -o node -g node -m 700 /data node_modules/.cache/event-calendar-gateway
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--import", "./src/engine/processes/preload.js", "src/server.ts"]
