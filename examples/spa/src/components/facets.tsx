import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Filters, type facetNames, withoutFacets, withParam } from '../filters.ts'
import { graphql } from '../gql/gql.ts'
import type { EventFacetsQuery } from '../gql/graphql.ts'
import { languageOfCode, useMessages } from '../languages.ts'
import { useIsWide } from '../media.ts'
import { hueClass } from './artwork.tsx'

export const facetsQuery = graphql(`
  query EventFacets($filter: EventFilter) {
    eventFacets(filter: $filter) {
      totalCount
      categories(first: 12) {
        count
        category {
          id
          contentLanguage
          databaseId
          slug
          name
        }
      }
      cities(first: 8) {
        city
        country
        count
      }
      prices {
        price
        count
      }
      languages {
        language
        count
      }
    }
  }
`)

interface Props {
  readonly facets: EventFacetsQuery['eventFacets'] | undefined
  readonly filters: Filters
  readonly search: string
  /** Path of the screen. */
  readonly path: string
}

/** Counts of each facet as links that add or remove a filter. On a narrow screen they open by a button. */
export function Facets({ facets, filters, search, path }: Props) {
  const messages = useMessages()
  const isWide = useIsWide()
  const { filters: texts } = messages
  const selected = [filters.category, filters.city, filters.price, filters.language].filter(Boolean).length
  const option = (name: (typeof facetNames)[number], value: string, isSelected: boolean) => ({
    href: `${path}${withParam(search, name, isSelected ? null : value)}`,
    isSelected,
  })
  const groups = (
    <>
      <Group title={texts.category}>
        {facets?.categories.map(({ category, count }) => (
          <Option
            key={category.id}
            {...option('category', category.slug, filters.category === category.slug)}
            count={count}
            swatch={category.databaseId}
          >
            {category.name}
          </Option>
        ))}
      </Group>
      <Group title={texts.city}>
        {facets?.cities.map(({ city, country, count }) => (
          <Option key={`${city} ${country}`} {...option('city', city, filters.city === city)} count={count}>
            {city}
          </Option>
        ))}
      </Group>
      <Group title={texts.price}>
        {facets?.prices.map(({ price, count }) => (
          <Option key={price} {...option('price', price, filters.price === price)} count={count}>
            {texts[price]}
          </Option>
        ))}
      </Group>
      <Group title={texts.language}>
        {facets?.languages.map(({ language, count }) => (
          <Option
            key={language}
            {...option('lang', languageOfCode(language).tag, filters.language === language)}
            count={count}
          >
            {languageOfCode(language).name}
          </Option>
        ))}
      </Group>
      {selected > 0 && (
        <Link href={`${path}${withoutFacets(search)}`} className="clear" replace>
          {texts.clear}
        </Link>
      )}
    </>
  )
  if (isWide)
    return (
      <aside className="facets" aria-label={texts.title}>
        {groups}
      </aside>
    )
  return (
    <details className="facets">
      <summary>
        {texts.title}
        {selected > 0 && ` (${selected})`}
      </summary>
      {groups}
    </details>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode[] | undefined }) {
  // Groups appear at once: the length of a placeholder would be wrong, and what follows would move.
  if (!children?.length) return null
  return (
    <section className="facet">
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface OptionProps {
  readonly href: string
  readonly isSelected: boolean
  readonly count: number
  readonly swatch?: number
  readonly children: ReactNode
}

function Option({ href, isSelected, count, swatch, children }: OptionProps) {
  return (
    <li>
      <Link href={href} aria-current={isSelected ? 'true' : undefined}>
        {swatch !== undefined && <i className={`swatch ${hueClass(swatch)}`} />}
        <span>{children}</span> <small className="count">{count}</small>
      </Link>
    </li>
  )
}
