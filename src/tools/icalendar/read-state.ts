// Reads the revision of an event, and whether it takes place.
import type { EventStatus } from '../../generated/graphql/graphql.ts'
import { type Component, findProperty, textOf } from './parse-components.ts'

export function readSequence(component: Component): number | undefined {
  const text = textOf(findProperty(component, 'sequence')) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

export function readLastModified(component: Component): Date | undefined {
  const text = textOf(findProperty(component, 'last-modified')) ?? ''
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The inverse of the terms in the descriptions of the enum EventStatus. */
export function readStatus(
  component: Component,
  method: string,
  note: (text: string) => void,
): EventStatus | undefined {
  if (method === 'CANCEL' || isCancelled(component)) return 'CANCELLED'
  const status = textOf(findProperty(component, 'status'))?.toUpperCase()
  if (status === undefined || status === '') return undefined
  if (status === 'CONFIRMED') return 'SCHEDULED'
  if (status === 'TENTATIVE') return 'POSTPONED'
  note(`STATUS:${status.slice(0, 30)} is unknown and was not read.`)
  return undefined
}

/** Whether it cancels an event, or a whole series, and describes none. */
export const isCancellation = (component: Component, method: string): boolean =>
  method === 'CANCEL' ||
  (isCancelled(component) && !findProperty(component, 'dtstart') && !findProperty(component, 'recurrence-id'))

const isCancelled = (component: Component) => /^cancell?ed$/i.test(textOf(findProperty(component, 'status')) ?? '')

/** A cancellation says nothing else: titles such as "Canceled: Concert" are for its reader. */
export const cancellation = {
  method: 'CANCEL',
  eventStatus: 'CANCELLED',
  isPrivate: false,
  texts: [],
  locations: [],
  access: '',
  organizers: [],
  categories: undefined,
  website: undefined,
  onlineUrl: undefined,
  imageUrl: undefined,
  cost: undefined,
} as const
