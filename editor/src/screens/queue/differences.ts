import { formatSpan } from '../../dates.ts'
import type { ProposalCardFragment, RecordStatus } from '../../gql/graphql.ts'

/** Proposed fields that an editor takes over or leaves together. */
const groups = {
  title: ['title'],
  startsLocal: ['startsLocal'],
  endsLocal: ['endsLocal'],
  place: ['venueName', 'address', 'city'],
  organizerName: ['organizerName'],
  cost: ['cost'],
  website: ['website'],
  description: ['description'],
} as const

export type Group = keyof typeof groups

export interface Difference {
  readonly group: Group
  /** What the event has now, in the language of the proposal; empty for a new event. */
  readonly before: string
  readonly after: string
}

/** The names of the fields in the groups, as `acceptProposal` takes them. */
export const fieldsOf = (chosen: readonly Group[]): string[] => chosen.flatMap((group) => [...groups[group]])

/** The title of the event, or of the proposed one. Undefined if the event was deleted. */
export const titleOf = ({ event, proposed }: ProposalCardFragment): string | undefined =>
  event?.title ?? proposed.title ?? undefined

/** The venue or organizer that visitors see first, which a correction changes. */
export const firstPublished = <Linked extends { readonly status: RecordStatus; readonly publishedAt: string }>(
  linked: readonly Linked[] = [],
): Linked | undefined =>
  linked.find(({ status, publishedAt }) => status === 'PUBLISHED' && Date.parse(publishedAt) <= Date.now())

/** What a proposal says: all of a new event, or what a correction changes. */
export function differencesOf({ proposed, event, language }: ProposalCardFragment): Difference[] {
  const text = event?.translations?.find((translation) => translation.language === language) ?? event
  const venue = firstPublished(event?.venues)
  const organizer = firstPublished(event?.organizers)
  const values: Record<Group, readonly [before: string, after: string | undefined]> = {
    title: [text?.title ?? '', proposed.title ?? undefined],
    startsLocal: [formatTime(event?.startsLocal), proposed.startsLocal ? formatTime(proposed.startsLocal) : undefined],
    endsLocal: [formatTime(event?.endsLocal), proposed.endsLocal ? formatTime(proposed.endsLocal) : undefined],
    place: [
      addressOf(venue?.name, venue?.address, venue?.city),
      groups.place.every((field) => proposed[field] === null)
        ? undefined
        : addressOf(
            proposed.venueName ?? venue?.name,
            proposed.address ?? (proposed.venueName ? '' : venue?.address),
            proposed.city ?? (proposed.venueName ? '' : venue?.city),
          ),
    ],
    organizerName: [organizer?.name ?? '', proposed.organizerName ?? undefined],
    cost: [event?.costEntries.join(', ') ?? '', proposed.cost ?? undefined],
    website: [event?.website ?? '', proposed.website ?? undefined],
    description: [plainText(text?.description ?? ''), proposed.description ?? undefined],
  }
  return Object.entries(values).flatMap(([group, [before, after]]) =>
    after === undefined ? [] : [{ group: group as Group, before, after }],
  )
}

const formatTime = (local: string | undefined): string => (local ? formatSpan(local, local, false) : '')

const addressOf = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(', ')

/** The text of an HTML description, with a line for each paragraph. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll('p, li, h2, h3, h4, br, blockquote')) block.append('\n')
  return body.textContent.replace(/\n{3,}/g, '\n\n').trim()
}
