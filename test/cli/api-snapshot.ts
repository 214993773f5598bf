// All responses of GraphQL and REST to a reader, to compare the content of two databases.

import type { TestApp } from '../helpers/app.ts'
import { ns } from '../helpers/rest.ts'

export type ApiSnapshot = ReadonlyMap<string, string>

interface SnapshotOptions {
  readonly app: TestApp
  readonly authorization?: string
  /** Selects the records that are also read one by one. */
  readonly single: (id: number) => boolean
}

/** Settings without limits on lists. */
export const unlimited = { PER_PAGE_MAX: '200', QUERY_COST_MAX: '2000000000', RATE_LIMIT: '0' }

/** The text of every language is read under each root, as translations. */
const roots = process.env.EVERY_RECORD === 'on' ? ['', '/fr', '/es'] : ['', '/fr']
const fields = 'databaseId name slug url languages { tag } translations { language name description slug }'
const term = `${fields} description count`
const author = 'author { databaseId name }'
const image = 'image { databaseId url mimeType width height fileSize sizes { name url width height } }'
const post = `status publishedAt modifiedAt locked description descriptionHtml excerpt excerptHtml slug ${author} ${image}`
const place = `${fields} ${post} website phone address city country province state stateProvince zip latitude longitude`
const selections: Readonly<Record<string, string>> = {
  events: `${fields.replace('databaseId name', 'databaseId title')} ${post} startsAt endsAt startsLocal endsLocal timeZone
    timeZoneAbbreviation allDay website showMap showMapLink hideFromListings sticky featured cost { text values }
    costEntries eventStatus attendanceMode onlineUrl previousStartsAt uid sequence
    customFields { key label value } tickets { name price currency capacity salesStart salesEnd } parent { databaseId }
    occurrence originalStartsLocal dateLabel dateNote series { databaseId timeZone words excludedDates events(first: 9) { nodes { url } } }
    venues { databaseId } organizers { databaseId } categories { databaseId } tags { databaseId }`,
  venues: `${place} showMap showMapLink`,
  organizers: `${fields} ${post} website phone email`,
  categories: `${term} parent { databaseId }`,
  tags: term,
}
const singular: Readonly<Record<string, string>> = {
  ...{ events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' },
}
const always = 'start_date=0001-01-01&end_date=9999-12-31'
const statuses = 'publish,future,draft,pending,private'

/** Reads every list under each root, and the records that `single` selects by ID and by slug. */
export async function takeSnapshot({ app, authorization, single }: SnapshotOptions): Promise<ApiSnapshot> {
  const responses = new Map<string, string>()
  const headers = authorization === undefined ? {} : { authorization }
  const get = async (url: string) => {
    const { statusCode, payload } = await app.app.inject({ url, headers })
    responses.set(url, `${statusCode} ${payload}`)
    return payload
  }
  const runQuery = async (root: string, query: string, variables: Readonly<Record<string, unknown>>) => {
    const request = { method: 'POST', url: `${root}/graphql`, headers, payload: { query, variables } } as const
    const { statusCode, payload } = await app.app.inject(request)
    responses.set(`${root} ${JSON.stringify(variables)} ${query}`, `${statusCode} ${payload}`)
    return JSON.parse(payload)
  }
  const edit = authorization === undefined ? '' : ` @inContext(forEditing: true)`
  for (const [kind, selection] of Object.entries(selections)) {
    const ids = new Set<number>()
    for (const root of roots) {
      const extra = kind === 'events' ? always : ''
      const editorParams =
        authorization === undefined || kind in { categories: 1, tags: 1 } ? '' : `&status=${statuses}&context=edit`
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const body = JSON.parse(await get(`${root}${ns}/${kind}?per_page=200&page=${page}&${extra}${editorParams}`))
        pages = body.total_pages
      }
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const query = `query ($page: Int!)${edit} { list: ${kind}Page(page: $page, perPage: 200) { total totalPages items { ${selection} } } }`
        const { data } = await runQuery(root, query, { page })
        pages = data.list.totalPages
        for (const { databaseId } of data.list.items) ids.add(databaseId)
      }
    }
    for (const id of [...ids].filter(single)) {
      const query = `query ($id: ID!)${edit} { one: ${singular[kind]}(id: $id) { ${selection} } }`
      const { data } = await runQuery('', query, { id })
      for (const root of roots) await get(`${root}${ns}/${kind}/${id}`)
      const { slug } = data?.one ?? {}
      if (slug) await get(`${ns}/${kind}/by-slug/${encodeURIComponent(slug)}`)
      if (slug) await get(new URL(data.one.url).pathname)
    }
  }
  return responses
}

/** The first five requests whose responses differ, with excerpts. */
export function differences(one: ApiSnapshot, other: ApiSnapshot): string[] {
  const requests = [...new Set([...one.keys(), ...other.keys()])]
  const different = requests.filter((request) => one.get(request) !== other.get(request))
  return different.slice(0, 5).map((request) => {
    const [a = '', b = ''] = [one.get(request), other.get(request)]
    const at = Math.max(0, [...a].findIndex((letter, index) => letter !== b[index]) - 60)
    return `${request.slice(0, 80)}: ${a.slice(at, at + 160)} | ${b.slice(at, at + 160)}`
  })
}
