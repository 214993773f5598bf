// Builds links in responses, with the API root and the language of the request.

export type LinkBuilder = ReturnType<typeof createLinkBuilder>

export type LinkQuery = Readonly<Record<string, string | number | undefined>>

export const formatFlagParam = (value: boolean | undefined) => (value === undefined ? undefined : value ? '1' : '0')

/** Formats a comma-separated list, or one parameter per item if items contain commas, percent signs or outer spaces. */
export function formatListParam(name: string, items: readonly string[] | undefined): LinkQuery {
  if (!items?.some((item) => /[,%]|^\s|\s$/.test(item))) return { [name]: items?.join(',') }
  return Object.fromEntries(items.map((item, index) => [`${name}[${index}]`, item]))
}

interface Root {
  /** `{base_url}/{ns}` of the request. */
  readonly rest: string
  readonly site: string
  readonly language: { readonly name: string; readonly value: string } | undefined
}

export function createLinkBuilder({ rest, site, language }: Root) {
  const host = site.replace(/^[a-z]+:\/\//, '')
  return {
    /** The URL of a path such as `/events/12`. Query parameters that are undefined are left out. */
    link: (path: string, query: LinkQuery = {}): string => {
      const pairs = Object.entries({ ...query, ...(language && { [language.name]: language.value }) }).filter(
        ([, value]) => value !== undefined,
      )
      const text = pairs
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&')
      return `${rest}${path}${text === '' ? '' : `?${text}`}`
    },
    /** A globally unique record ID: host and path of the site without scheme, and the ID. */
    globalId: (id: number) => `${host}?id=${id}`,
    /** Cache key of JSON with these links: different links have different keys. */
    key: `${rest} ${language?.name} ${language?.value}`,
  }
}
