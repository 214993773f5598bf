// Uploads of files: multipart requests of GraphQL and REST.
import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from './app.ts'

/** A multipart body with these parts; a Buffer is a file. */
export function multipart(parts: Readonly<Record<string, string | Buffer>>): Buffer {
  const encoded = Object.entries(parts).flatMap(([name, value]) => {
    const file = typeof value === 'string' ? '' : '; filename="photo.jpg"\r\nContent-Type: image/jpeg'
    const head = `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return Buffer.concat([...encoded, Buffer.from('--x--\r\n')])
}

export const multipartType = { 'content-type': 'multipart/form-data; boundary=x' }

const operation = `mutation ($file: File!) {
  uploadImage(input: { file: $file }) { image { databaseId url width height fileSize mimeType
    sizes { name url width height mimeType fileSize } alternates { name url width height mimeType fileSize } }
    userErrors { code path message } }
}`

/** The parts of a GraphQL multipart request that uploads a file. */
export const uploadParts = (file: Buffer) => ({
  operations: JSON.stringify({ query: operation, variables: { file: null } }),
  map: JSON.stringify({ 0: ['variables.file'] }),
  0: file,
})

/** Sends the mutation uploadImage. */
export function upload(
  { app }: Pick<TestApp, 'app'>,
  { authorization }: { readonly authorization: string },
  file: Buffer,
  headers: Readonly<Record<string, string>> = { 'graphql-require-preflight': '1' },
): Promise<LightMyRequestResponse> {
  const payload = multipart(uploadParts(file))
  const accept = 'application/graphql-response+json'
  return app.inject({
    ...{ method: 'POST', url: '/graphql', payload },
    headers: { ...multipartType, accept, authorization, ...headers },
  })
}
