import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**'],
  generates: {
    './src/gql/': {
      preset: 'client',
      // Trusted documents have to contain what Graphcache adds to each selection.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      config: {
        strictScalars: true,
        enumsAsTypes: true,
        useTypeImports: true,
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
}

export default config
