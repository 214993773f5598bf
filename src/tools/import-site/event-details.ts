// What only the response for a single event shows: whether it takes place as planned, and where people attend it.

import { describeNoJson } from './describe-response.ts'
import { resourceUrl } from './find-root.ts'
import type { Findings } from './findings.ts'
import { readState } from './read-event.ts'
import { readJson } from './read-json.ts'
import type { SiteClient } from './site-client.ts'
import type { SourceEvent } from './source-records.ts'

/** Throws if the site does not respond; the event stays as the list has it if the site does not show it alone. */
export async function addDetails(
  client: SiteClient,
  root: URL,
  event: SourceEvent,
  findings: Findings,
): Promise<SourceEvent> {
  const url = resourceUrl(root, `events/${event.id}`)
  const response = await client.get(url, ({ status, text }) =>
    status === 200 && !readJson(text) ? describeNoJson(text) : undefined,
  )
  if (response.status >= 500 || response.status === 429) {
    throw new Error(`${url.href}: the response has status ${response.status}.`)
  }
  const item = response.status === 200 ? readJson(response.text)?.value : undefined
  return typeof item === 'object' && item !== null ? { ...event, ...readState(item, findings) } : event
}
