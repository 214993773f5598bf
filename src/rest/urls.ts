// Links to this door: under the root that the request came by, in the language that it asked for.

export interface Urls {
  /** Of a path such as `/events/12`, with query parameters; those without a value are left out. */
  link(path: string, query?: Query): string
  /** Record IDs that mean something outside: host and path of the site without scheme, and the number. */
  globalId(id: number): string
}

export type Query = Readonly<Record<string, string | number | undefined>>

interface Root {
  /** `{base_url}/{ns}` of the request. */
  readonly rest: string
  readonly site: string
  /** `translation_language` as it was given. */
  readonly language: string | undefined
}

export function createUrls({ rest, site, language }: Root): Urls {
  const host = site.replace(/^[a-z]+:\/\//, '')
  return {
    link(path, query = {}) {
      const pairs = Object.entries({ ...query, translation_language: language }).filter(
        ([, value]) => value !== undefined,
      )
      const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
      return `${rest}${path}${text === '' ? '' : `?${text}`}`
    },
    globalId: (id) => `${host}?id=${id}`,
  }
}
