// Sends proposals as a visitor's browser does.

import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect } from 'vitest'
import type { ApiClient } from './app.ts'

type Challenge = Parameters<typeof solveChallenge>[0]['challenge']

export async function requestChallenge(client: ApiClient): Promise<Challenge> {
  const { body } = await client.graphql('mutation { created: createProposalChallenge { challenge } }')
  expect(body.errors).toBeUndefined()
  return body.data.created.challenge
}

export const encodeProof = (payload: object): string => Buffer.from(JSON.stringify(payload)).toString('base64')

export async function solve(client: ApiClient): Promise<string> {
  const challenge = await requestChallenge(client)
  return encodeProof({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

interface Result {
  readonly proposal: { readonly id: string; readonly state: string } | null
  readonly editUrl: string | null
  readonly userErrors: readonly { readonly code: string; readonly message: string; readonly path: readonly string[] }[]
}

const selection = `proposal { id state kind message reply event { databaseId title } proposed { title startsLocal endsLocal
  description venueName city organizerName website cost } contactName contactEmail } editUrl userErrors { code message path }`

/** Runs a mutation of proposals. */
export async function send(client: ApiClient, mutation: string, input: object, root = ''): Promise<Result> {
  const type = /ask|decline/.test(mutation)
    ? 'AnswerProposal'
    : mutation.replace(/^./, (letter) => letter.toUpperCase())
  const query = `mutation ($input: ${type}Input!) { done: ${mutation}(input: $input) { ${selection} } }`
  const { body } = await client.graphql(query, { input }, root)
  if (body.errors) throw new Error(body.errors[0].extensions.code)
  return body.data.done
}

export const proposed = { title: 'Village fair', startsLocal: '2026-12-05T10:00:00', venueName: 'Market square' }

export const tokenOf = ({ editUrl }: Pick<Result, 'editUrl'>): string => editUrl?.split('=').at(-1) ?? ''
