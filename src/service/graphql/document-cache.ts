import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

const maxDocuments = 500
const maxDocumentLength = 10_000

/**
 * A cache for parsed and validated documents, in Yoga's format. Long and invalid documents are not cached, because clients
 * can send any number of them.
 */
export function documentCache() {
  const documents = new LRUCache<string, DocumentNode>({ max: maxDocuments })
  return {
    documentCache: {
      get: (text: string) => documents.get(text),
      set(text: string, document: DocumentNode) {
        if (text.length <= maxDocumentLength) documents.set(text, document)
      },
    },
    errorCache: { get: () => undefined, set: () => {} },
    validationCache: false,
  }
}
