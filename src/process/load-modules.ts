// Loads the modules of the service and of its threads without starting them: see fill-compile-cache.ts.
await Promise.all([
  import('./start.ts'),
  import('./service.ts'),
  import('./prepare-site.ts'),
  import('../tools/sample/town.ts'),
  import('../service/http/accepted-type.ts'),
  import('../apis/pages/starting-page.ts'),
  import('graphql-yoga'),
  import('@whatwg-node/fetch'),
  import('@fastify/compress'),
])

/** Compiles modules that would start something when they are executed: an error in the first module prevents that. */
const compile = (urls: readonly string[]): Promise<unknown> =>
  import(`data:text/javascript,${urls.map((url) => `import ${JSON.stringify(url)}`).join(';')}`).catch(() => {})

await compile([
  'data:text/javascript,throw 0',
  import.meta.resolve('../server.ts'),
  import.meta.resolve('./creating-process.ts'),
  import.meta.resolve('../calendar/text/sanitize-worker.ts'),
  import.meta.resolve('../calendar/image/storage/versions-process.ts'),
  import.meta.resolve('../calendar/image/storage/encode-versions.ts'),
  import.meta.resolve('../engine/postgres/pglite/worker.ts'),
  import.meta.resolve('../engine/postgres/pglite/filesystem.ts'),
  import.meta.resolve('@electric-sql/pglite'),
])
