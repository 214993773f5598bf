// Links to this door: under the root that the request came by, in the language that it asked for.

export interface Urls {
  /** Of a path such as `/events/12`, with query parameters; those without a value are left out. */
  link(path: string, query?: Query): string
  /** Record IDs that mean something outside: host and path of the site without scheme, and the number. */
  globalId(id: number): string
  /** Tells apart what makes other links. */
  readonly key: string
}

export type Query = Readonly<Record<string, string | number | undefined>>

export const shownFlag = (value: boolean | undefined) => (value === undefined ? undefined : value ? '1' : '0')

/** A list as text, or item by item where commas or escapes of its own would be read otherwise. */
export function shownList(name: string, items: readonly string[] | undefined): Query {
  if (!items?.some((item) => /[,%]|^\s|\s$/.test(item))) return { [name]: items?.join(',') }
  return Object.fromEntries(items.map((item, index) => [`${name}[${index}]`, item]))
}

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
      const text = pairs
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&')
      return `${rest}${path}${text === '' ? '' : `?${text}`}`
    },
    globalId: (id) => `${host}?id=${id}`,
    key: `${rest} ${language}`,
  }
}
