// Reads iCalendar feeds with ical.js.
import ICAL from 'ical.js'
import { expect } from 'vitest'
import type { ApiClient, Reply } from './app.ts'

/** The components VEVENT of a text, which must be valid. */
export const eventsOf = (text: string): ICAL.Event[] =>
  ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))

export async function readCalendar(client: Pick<ApiClient, 'get'>, url: string): Promise<Reply<string>> {
  const reply = await client.get(url)
  expect([url, reply.status, reply.headers['content-type']]).toEqual([url, 200, 'text/calendar; charset=utf-8'])
  return reply
}

/** Titles of the events, in order. */
export const titlesOf = async (client: Pick<ApiClient, 'get'>, url: string): Promise<string[]> =>
  eventsOf((await readCalendar(client, url)).body).map(({ summary }) => summary)
