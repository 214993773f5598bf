// Records the responses to REST writes, and checks that the database matches them. Each event has its own venue and tag.
import { expect } from 'vitest'

interface Listed {
  events: { id: number; title: string; venue: { venue: string }; tags: { name: string }[] }[]
  total: number
  next_rest_url?: string
}

interface Written {
  readonly status: number
  readonly retryAfter: string | null
}

export interface Ledger {
  /** Creates an event and records the response. Rejects if there is no response. */
  write(url: string, authorization: string, title: string): Promise<Written>
  /** Number of writes that were acknowledged. */
  stored(): number
  /** Expects that acknowledged writes are stored, rejected ones are not, and none is partial. */
  expectStored(url: string): Promise<void>
}

export function openLedger(): Ledger {
  const stored = new Map<number, string>()
  const rejected: string[] = []

  function note(title: string, status: number, body: Record<string, unknown>): void {
    const { id, code, data } = body
    if (status === 201) {
      // The body is partial only if the committed record could not be read back.
      expect(body).toMatchObject(code === undefined ? { title } : { code: 'rest_committed_unreadable' })
      stored.set(Number(id), title)
    } else if (status === 503) {
      expect([code, data]).toEqual(['rest_unavailable', expect.objectContaining({ committed: false })])
      rejected.push(title)
    } else {
      expect([status, code, data]).toEqual([500, 'rest_outcome_unknown', expect.objectContaining({ committed: null })])
    }
  }

  return {
    write: async (url, authorization, title) => {
      const dates = { start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00' }
      const response = await fetch(`${url}/cal/events/v1/events`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ title, ...dates, venue: { venue: `Venue of ${title}` }, tags: [`tag ${title}`] }),
      })
      const body = (await response.json()) as Record<string, unknown>
      note(title, response.status, body)
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    },
    stored: () => stored.size,
    expectStored: async (url) => {
      const events = await listAll(url)
      const titles = new Map(events.map(({ id, title }) => [id, title]))
      for (const [id, title] of stored) expect(titles.get(id)).toBe(title)
      const results = new Set(titles.values())
      expect(results.size).toBe(events.length)
      expect(rejected.filter((title) => results.has(title))).toEqual([])
      for (const { title, venue, tags } of events) {
        expect([venue.venue, tags[0]?.name]).toEqual([`Venue of ${title}`, `tag ${title}`])
      }
      for (const kind of ['venues', 'tags']) {
        const { total } = (await (await fetch(`${url}/cal/events/v1/${kind}`)).json()) as Listed
        expect([kind, total]).toEqual([kind, events.length])
      }
    },
  }
}

async function listAll(url: string): Promise<Listed['events']> {
  const events: Listed['events'] = []
  let next: string | undefined = `${url}/cal/events/v1/events?per_page=50&start_date=2030-01-01&end_date=2031-01-01`
  while (next) {
    const page = (await (await fetch(next)).json()) as Listed
    events.push(...page.events)
    next = page.next_rest_url?.replace(/^http:\/\/[^/]+/, url)
  }
  return events
}
