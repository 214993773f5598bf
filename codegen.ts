// Run by Node itself (`node codegen.ts`): graphql-codegen's own loader (jiti) brings a second copy of graphql 17.
// Also writes the types of the editor, which is a workspace.
// `--types` leaves schema.graphql alone (used by `prepare`, so that a stale one is still found by `check`).
import { writeFileSync } from 'node:fs'
import { generate } from '@graphql-codegen/cli'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { createSchema } from './src/schema.ts'

const sdl = `${printSchema(lexicographicSortSchema(createSchema(['en', 'fr', 'es'])))}\n`
if (!process.argv.includes('--types')) writeFileSync('schema.graphql', sdl)
await generate(
  {
    // Comments in the generated types come from it. The service loads their file, and V8 stores it in two bytes for each
    // character if one is not in Latin-1.
    schema: sdl.replace(/[^\t\n -ÿ]/g, ' '),
    // The examples are sent to GraphiQL as they are.
    silent: true,
    generates: {
      'src/generated/graphql/': {
        documents: ['src/**/*.graphql', '!src/service/graphql/graphiql/examples'],
        preset: 'client',
        presetConfig: { fragmentMasking: false },
        config: {
          emitLegacyCommonJSImports: false,
          useTypeImports: true,
          enumsAsTypes: true,
          scalars: {
            ID: { input: 'string | number', output: 'string' },
            DateTime: 'Date',
            DayExpression: 'string',
            LocalDate: 'string',
            LocalDateTime: 'string',
            URL: 'string',
            JSON: 'unknown',
          },
        },
      },
      'editor/src/gql/': {
        documents: 'editor/src/**/*.graphql',
        preset: 'client',
        presetConfig: { fragmentMasking: false },
        config: {
          useTypeImports: true,
          enumsAsTypes: true,
          // Texts, which `gql` parses, have a third of the size of parsed documents.
          documentMode: 'graphQLTag',
          gqlImport: '@urql/core#gql',
          pureMagicComment: true,
          scalars: {
            DateTime: 'string',
            DayExpression: 'string',
            File: { input: 'File', output: 'never' },
            ID: { input: 'string | number', output: 'string' },
            JSON: 'unknown',
            LocalDate: 'string',
            LocalDateTime: 'string',
            URL: 'string',
          },
        },
      },
    },
  },
  true,
)
